import { compileReader, type Reading } from '@usher/domain';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { Context } from '../context.ts';
import type { BatchItems } from './batch.ts';
import type { PageRequest, VisitRequest } from './page-request.ts';
import type { PageText } from './page-text.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `'/v3/edit/urls/:id'` has `{id: string}`. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

interface RouteDefinition<Path extends string, Parameters extends TSchema, Answer extends TSchema> {
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
  answer: Answer;
  /** The parameter whose items are so many that they are read one by one, while the batch is stored. */
  batch?: string;
  /** It takes files: a form with `file` or `files[]`. */
  takesFiles?: boolean;
  run(
    ctx: Context,
    parameters: Static<Parameters> & PathParameters<Path>,
    items: BatchItems,
    files: readonly UploadedFile[],
  ): Promise<Static<Answer>>;
}

/** An endpoint that pages call. */
interface PageRouteDefinition<Needs extends 'account' | 'visit', Parameters extends TSchema, Answer extends TSchema>
  extends Pick<
    RouteDefinition<string, Parameters, Answer>,
    'path' | 'summary' | 'parameters' | 'example' | 'answer' | 'status'
  > {
  /** With whose token a page calls it: the public one of the account (`account_token`), or `visit_token`. */
  needs: Needs;
  /** Whether an administrator asks, with a secret instead: then the page may be on any host. */
  bySecret?(parameters: Static<Parameters>): boolean;
  run(
    page: Needs extends 'visit' ? VisitRequest : PageRequest,
    parameters: Static<Parameters>,
  ): Promise<Static<Answer> | PageText>;
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
  answer: TSchema;
  batch: string | undefined;
  takesFiles: boolean;
  /** What backends send of their users: an empty text is what their templates leave where there is nothing. */
  isIngestion: boolean;
  /** `json` has the parameters that came as JSON. */
  read(given: unknown, now: number, json?: object): Reading<Record<string, unknown>>;
  run(
    ctx: Context,
    parameters: Record<string, unknown>,
    items?: BatchItems,
    files?: readonly UploadedFile[],
  ): Promise<unknown>;
}

export function route<
  Path extends string,
  Answer extends TSchema,
  Parameters extends TSchema = ReturnType<typeof nothing>,
>(definition: RouteDefinition<Path, Parameters, Answer>): Route {
  const parameters = definition.parameters ?? nothing();
  return {
    ...definition,
    access: definition.access ?? (definition.methods.every((method) => method === 'GET') ? 'read' : 'write'),
    parameters,
    pathParameters: [...definition.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string),
    example: definition.example,
    status: definition.status ?? 200,
    otherStatuses: definition.otherStatuses ?? [],
    batch: definition.batch,
    takesFiles: definition.takesFiles ?? false,
    isIngestion: definition.path.startsWith('/v3/observe/'),
    read: compileReader(definition.batch ? without(parameters, definition.batch) : parameters),
    run: definition.run as Route['run'],
  };
}

export function pageRoute<Needs extends 'account' | 'visit', Answer extends TSchema, Parameters extends TSchema>(
  definition: PageRouteDefinition<Needs, Parameters, Answer>,
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
export function hook<Answer extends TSchema, Parameters extends TSchema>({
  path,
  ...definition
}: Omit<RouteDefinition<string, Parameters, Answer>, 'methods'>): Route[] {
  return ['/v3/observe/hooks/', '/v3/observe/hooks/:account_secret/'].map((start) =>
    route({ ...definition, methods: ['POST'], path: start + path }),
  );
}

function without(schema: { properties?: TProperties; required?: string[] | undefined }, name: string): object {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: (schema.required ?? []).filter((one) => one !== name) };
}

function nothing() {
  return Type.Object({});
}
