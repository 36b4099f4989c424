import { compileReader, compileUnknownParamFinder, type ReadResult } from '@usher/domain';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { BatchItems } from '../batches/run-batch.ts';
import type { Context } from '../context.ts';
import type { JsonBytes } from '../pages/json-bytes.ts';
import type { PageRequest, VisitRequest } from '../pages/page-request.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `'/v3/edit/urls/:id'` has `{id: string}`. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

interface RouteDefinition<Path extends string, Parameters extends TSchema, Output extends TSchema> {
  methods: readonly Method[];
  path: Path;
  /** One line for the API reference. */
  summary: string;
  /** Viewers may only read. Left out: GET reads, everything else writes. */
  access?: 'read' | 'write';
  parameters?: Parameters;
  /** Parameters that a newcomer can send as they stand. */
  example?: Record<string, unknown>;
  status?: number;
  /** What else it may answer with, by `withStatus`. */
  otherStatuses?: readonly number[];
  /** Statuses of errors beside those that follow from its parameters: 409 where it can conflict with what is there. */
  errors?: readonly number[];
  output: Output;
  /** The parameter whose items are so many that they are read one by one, while the batch is stored. */
  batch?: string;
  /** It takes files: a form with `file` or `files[]`. */
  takesFiles?: boolean;
  /** Of the parameters, those that mean nothing at this address: of a write under `edit` they are unknown ones. */
  ignored?(path: Readonly<Record<string, string>>): readonly string[];
  run(
    ctx: Context,
    parameters: Static<Parameters> & PathParameters<Path>,
    items: BatchItems,
    files: readonly UploadedFile[],
  ): Promise<Static<Output>>;
}

/** An endpoint that pages call. */
interface PageRouteDefinition<Needs extends 'account' | 'visit', Parameters extends TSchema, Output extends TSchema>
  extends Pick<
    RouteDefinition<string, Parameters, Output>,
    'path' | 'summary' | 'parameters' | 'example' | 'output' | 'status' | 'errors'
  > {
  /** With whose token a page calls it: the public one of the account (`account_token`), or `visit_token`. */
  needs: Needs;
  /** Whether an administrator asks, with a secret instead: then the page may be on any host. */
  bySecret?(parameters: Static<Parameters>): boolean;
  run(
    page: Needs extends 'visit' ? VisitRequest : PageRequest,
    parameters: Static<Parameters>,
  ): Promise<Static<Output> | JsonBytes>;
}

export interface PageRoute extends Pick<Route, Exclude<keyof Route, 'run'>> {
  needs: 'account' | 'visit';
  bySecret(parameters: Record<string, unknown>): boolean;
  run(page: PageRequest, parameters: Record<string, unknown>): Promise<unknown>;
}

/** A file that was uploaded. It is on the disk until the request is answered: 20 of them would be too much to hold. */
export interface UploadedFile {
  /** As the client calls it. */
  name: string;
  path: string;
}

/** An endpoint as the HTTP server, the API reference and the tests see it. */
export interface Route {
  methods: readonly Method[];
  path: string;
  summary: string;
  access: 'read' | 'write';
  parameters: TSchema & { properties?: TProperties };
  pathParameters: readonly string[];
  example: Record<string, unknown> | undefined;
  status: number;
  otherStatuses: readonly number[];
  errors: readonly number[];
  output: TSchema;
  batch: string | undefined;
  takesFiles: boolean;
  /** What backends send of their users: an empty text is what their templates leave where there is nothing. */
  isIngestion: boolean;
  /** `json` has the parameters that came as JSON. */
  read(params: unknown, now: number, json?: object): ReadResult<Record<string, unknown>>;
  /** The paths of unknown parameters, of a write under `edit`: it tells of them in `warnings`. */
  findUnknown: ((params: Record<string, unknown>, path: Readonly<Record<string, string>>) => string[]) | undefined;
  run(
    ctx: Context,
    parameters: Record<string, unknown>,
    items?: BatchItems,
    files?: readonly UploadedFile[],
  ): Promise<unknown>;
}

export function route<
  Path extends string,
  Output extends TSchema,
  Parameters extends TSchema = ReturnType<typeof nothing>,
>(definition: RouteDefinition<Path, Parameters, Output>): Route {
  const parameters = definition.parameters ?? nothing();
  const access = definition.access ?? (definition.methods.every((method) => method === 'GET') ? 'read' : 'write');
  const pathParameters = [...definition.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const warns = access === 'write' && definition.path.startsWith('/v3/edit/');
  return {
    ...definition,
    access,
    output: warns ? withWarnings(definition.output) : definition.output,
    parameters,
    pathParameters,
    findUnknown: warns ? findUnknownOf(parameters, pathParameters, definition.ignored) : undefined,
    example: definition.example,
    status: definition.status ?? 200,
    otherStatuses: definition.otherStatuses ?? [],
    errors: definition.errors ?? [],
    batch: definition.batch,
    takesFiles: definition.takesFiles ?? false,
    isIngestion: definition.path.startsWith('/v3/observe/'),
    read: compileReader(definition.batch ? without(parameters, definition.batch) : parameters),
    run: definition.run as Route['run'],
  };
}

export function pageRoute<Needs extends 'account' | 'visit', Output extends TSchema, Parameters extends TSchema>(
  definition: PageRouteDefinition<Needs, Parameters, Output>,
): PageRoute {
  const { run, needs, bySecret = () => false, ...rest } = definition;
  return {
    ...route({ ...rest, methods: ['POST'], run: () => Promise.reject(new Error('A page calls this')) }),
    needs,
    bySecret: bySecret as PageRoute['bySecret'],
    run: run as PageRoute['run'],
  };
}

/** The same endpoint twice: the secret may also be a part of the address, for senders that can set nothing else. */
export function hook<Output extends TSchema, Parameters extends TSchema>({
  path,
  ...definition
}: Omit<RouteDefinition<string, Parameters, Output>, 'methods'>): Route[] {
  return ['/v3/observe/hooks/', '/v3/observe/hooks/:account_secret/'].map((start) =>
    route({ ...definition, methods: ['POST'], path: start + path }),
  );
}

/** What is read of every request: the secret, and whether unknown parameters are an error. */
const readElsewhere = ['account_secret', 'strict', 'file', 'files'];

function findUnknownOf(
  parameters: TSchema,
  pathParameters: readonly string[],
  ignored?: RouteDefinition<string, TSchema, TSchema>['ignored'],
): NonNullable<Route['findUnknown']> {
  const find = compileUnknownParamFinder(parameters, [...readElsewhere, ...pathParameters]);
  return (params, path) => {
    const found: string[] = [];
    find(params, found);
    if (ignored) for (const name of ignored(path)) if (Object.hasOwn(params, name)) found.push(name);
    return found;
  };
}

function withWarnings(output: TSchema): TSchema {
  const { properties, patternProperties, ...schema } = output as TSchema &
    Record<'properties', TProperties> & {
      patternProperties?: Record<string, TSchema>;
    };
  // What any key may hold is not what `warnings` holds.
  const [any] = Object.values(patternProperties ?? {});
  const warnings = Type.Array(Type.String(), { description: 'unknown parameters, which were ignored' });
  return { ...schema, properties: { ...properties, warnings }, ...(any && { additionalProperties: any }) };
}

function without(schema: { properties?: TProperties; required?: string[] | undefined }, name: string): object {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: (schema.required ?? []).filter((one) => one !== name) };
}

function nothing() {
  return Type.Object({});
}
