import { compileReader, compileUnknownParamFinder, type Permission, type ReadResult } from '@usher/domain';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { AppContext, Caller, Context } from '../context.ts';
import { pathValuesOf } from './path-values.ts';
import type { RequestInfo } from './request-info.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `'/v3/edit/urls/:id'` has `{id: string}`. */
type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [Key in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [Key in Name]: string }
    : unknown;

export interface RouteDefinition<Path extends string, Parameters extends TSchema, Output extends TSchema> {
  methods: readonly Method[];
  path: Path;
  /** One line for the API reference. */
  summary: string;
  /** For the API reference: what the summary does not say. */
  description?: string;
  /** The operation ID, if the method and the path give no good one. `{Kind}` and `{Kinds}` stand for the kind of Experience. */
  operation?: string;
  /** The permission that the caller needs; null if none. By default, GET needs `read`, and everything else `edit` or `ingest`. */
  permission?: Permission | null;
  /** The endpoint is only for a person who has signed in: it takes the cookie of a session, and no secret. */
  forSession?: boolean;
  parameters?: Parameters;
  /** Parameters that a newcomer can send without changing them. */
  example?: Record<string, unknown>;
  status?: number;
  /** Other statuses of success, which `run` returns as `ResponseWithStatus`. */
  otherStatuses?: readonly number[];
  /** Error statuses that do not follow from the parameters, such as 409 if the request can conflict with what exists. */
  errors?: readonly number[];
  output: Output;
  /** What the response is, if it is not JSON: a file in one of these formats. */
  mediaTypes?: readonly string[];
  /** The response shows a secret, so it is never compressed: its length would say something about the secret. */
  showsSecret?: boolean;
  /** The response shows data of people, or of their Companies: an assistant needs a secret that may read these. */
  showsPeople?: boolean;
  /** The parameter with the items of a batch. They are parsed while the batch is stored. */
  batch?: string;
  /** The endpoint accepts files: a form with `file` or `files[]`. */
  takesFiles?: boolean;
  /** How large one file may be, if that is not the usual limit. */
  maxFileBytes?: number;
  /** The endpoint works when the disk is nearly full, because it frees space, stops what fills it, or signs persons in. */
  runsOnFullDisk?: boolean;
  /**
   * It creates records that can be kept as files: `usher pull` writes them, and `usher apply` stores them. An object has the parameters
   * that list these records, if the list also has others.
   */
  inFiles?: boolean | Record<string, unknown>;
  /** Parameters that have no meaning at this path: the responses of writes under `edit` list them as unknown. */
  ignored?(path: Readonly<Record<string, string>>): readonly string[];
  /** What is accepted and has no effect: the responses of writes under `edit` list it in `warnings`. */
  warnOf?(parameters: Static<Parameters>): readonly string[];
  run(
    ctx: Context,
    parameters: Static<Parameters> & PathParameters<Path>,
    items: BatchItems,
    files: readonly UploadedFile[],
  ): Promise<Static<Output> | ResponseWithStatus<Static<Output>>>;
}

/** What a route returns to respond with another status than its usual one, or with additional headers. */
export class ResponseWithStatus<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(status: number, body: Body, headers: Record<string, string> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A request to an endpoint that is open to everybody, such as the one to sign in. */
export interface OpenRequest {
  readonly app: AppContext;
  readonly request: RequestInfo;
  /** Finds who has signed in already, if anybody has. */
  findCaller(): Promise<Caller | undefined>;
}

/** The items of a batch, which are parsed chunk by chunk. */
export interface BatchItems {
  count: number;
  slice(start: number, end: number): unknown[];
  /** Parses the items at these positions. */
  pick(positions: Uint32Array): unknown[];
  /** Whether there are other requests, which would wait for each chunk of the batch. */
  hasOtherRequests(): boolean;
  yieldToRequests: YieldToRequests;
}

/** Pauses a batch for other requests, after a chunk that began at `since`. */
export type YieldToRequests = (since: number) => Promise<void>;

/** An uploaded file. It is on the disk until the request is done, because 20 of them would take too much memory. */
export interface UploadedFile {
  /** The name that the client gave it. */
  name: string;
  path: string;
}

/** An endpoint as the HTTP server, the API reference and the tests see it. */
export interface Route {
  methods: readonly Method[];
  path: string;
  summary: string;
  description: string | undefined;
  operation: string | undefined;
  permission: Permission | null;
  forSession: boolean;
  parameters: TSchema & { properties?: TProperties };
  pathParameters: readonly string[];
  /** The allowed values of path parameters, if a parameter has a fixed list of them. */
  pathValues: Record<string, readonly string[]>;
  example: Record<string, unknown> | undefined;
  status: number;
  otherStatuses: readonly number[];
  errors: readonly number[];
  output: TSchema;
  mediaTypes: readonly string[];
  showsSecret: boolean;
  showsPeople: boolean;
  batch: string | undefined;
  takesFiles: boolean;
  maxFileBytes: number | undefined;
  runsOnFullDisk: boolean;
  inFiles: boolean;
  /** The parameters that list the records that can be kept as files. */
  listInFiles: Record<string, unknown>;
  /** Whether backends report their users here. Their templates leave an empty text for a missing value. */
  isIngestion: boolean;
  /** `json` holds the parameters that were sent as JSON. */
  read(params: unknown, now: number, json?: object): ReadResult<Record<string, unknown>>;
  /** Parameters that have no meaning at this path. */
  ignored: RouteDefinition<string, TSchema, TSchema>['ignored'];
  /** Returns the unknown parameters of a write under `edit`, which its response lists in `warnings`. */
  findUnknown: ((params: Record<string, unknown>, path: Readonly<Record<string, string>>) => string[]) | undefined;
  warnOf: (params: Record<string, unknown>) => readonly string[];
  run(
    ctx: Context,
    parameters: Record<string, unknown>,
    items?: BatchItems,
    files?: readonly UploadedFile[],
  ): Promise<unknown>;
  /** Runs instead of `run` if the endpoint is open to everybody. */
  runOpen?: ((open: OpenRequest, parameters: Record<string, unknown>) => Promise<unknown>) | undefined;
}

export function route<
  Path extends string,
  Output extends TSchema,
  Parameters extends TSchema = ReturnType<typeof noParameters>,
>(definition: RouteDefinition<Path, Parameters, Output>): Route {
  const parameters = definition.parameters ?? noParameters();
  const isGet = definition.methods.every((method) => method === 'GET');
  const isIngestion = definition.path.startsWith('/v3/observe/');
  const byDefault = isGet ? 'read' : isIngestion ? 'ingest' : 'edit';
  const permission = definition.permission === undefined ? byDefault : definition.permission;
  const pathParameters = [...definition.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const warns = !isGet && permission !== 'read' && definition.path.startsWith('/v3/edit/');
  return {
    ...definition,
    description: definition.description,
    operation: definition.operation,
    permission,
    forSession: definition.forSession ?? false,
    output: warns ? withWarnings(definition.output) : definition.output,
    parameters,
    pathParameters,
    pathValues: pathValuesOf(definition.path),
    mediaTypes: definition.mediaTypes ?? ['application/json'],
    showsSecret: definition.showsSecret ?? false,
    showsPeople: definition.showsPeople ?? false,
    findUnknown: warns ? findUnknownOf(parameters, pathParameters, definition.ignored) : undefined,
    warnOf: (definition.warnOf as Route['warnOf'] | undefined) ?? noWarnings,
    example: definition.example,
    status: definition.status ?? 200,
    otherStatuses: definition.otherStatuses ?? [],
    errors: definition.errors ?? [],
    batch: definition.batch,
    takesFiles: definition.takesFiles ?? false,
    maxFileBytes: definition.maxFileBytes,
    runsOnFullDisk: definition.runsOnFullDisk ?? false,
    inFiles: Boolean(definition.inFiles),
    listInFiles: typeof definition.inFiles === 'object' ? definition.inFiles : {},
    ignored: definition.ignored,
    isIngestion,
    read: compileReader(definition.batch ? without(parameters, definition.batch) : parameters),
    run: definition.run as Route['run'],
  };
}

/** An endpoint that is open to everybody: it signs people in. It still rejects requests that other sites make browsers send. */
export function openRoute<Output extends TSchema, Parameters extends TSchema>({
  run,
  ...definition
}: Omit<RouteDefinition<string, Parameters, Output>, 'run' | 'permission' | 'forSession'> & {
  run(open: OpenRequest, parameters: Static<Parameters>): Promise<Static<Output> | ResponseWithStatus<Static<Output>>>;
}): Route {
  const neverRun = async (): Promise<never> => {
    throw new Error('An open endpoint has no caller');
  };
  const made = route({ ...definition, permission: null, runsOnFullDisk: true, run: neverRun });
  return { ...made, runOpen: run as Route['runOpen'] };
}

/** Two routes for one endpoint: the secret may also be a part of the path, for senders that can only set a URL. */
export function hook<Output extends TSchema, Parameters extends TSchema>({
  path,
  ...definition
}: Omit<RouteDefinition<string, Parameters, Output>, 'methods'>): Route[] {
  return ['/v3/observe/hooks/', '/v3/observe/hooks/:account_secret/'].map((start) =>
    route({ ...definition, methods: ['POST'], path: start + path }),
  );
}

/** Parameters that every endpoint accepts. */
const commonParameters = ['account_secret', 'strict', 'file', 'files'];

function findUnknownOf(
  parameters: TSchema,
  pathParameters: readonly string[],
  ignored?: RouteDefinition<string, TSchema, TSchema>['ignored'],
): NonNullable<Route['findUnknown']> {
  const find = compileUnknownParamFinder(parameters, [...commonParameters, ...pathParameters]);
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
  // The schema of unnamed keys must not apply to `warnings`.
  const [any] = Object.values(patternProperties ?? {});
  const warnings = Type.Array(Type.String(), {
    description: 'what is not as expected: unknown parameters, which were ignored, and what has no effect',
  });
  return { ...schema, properties: { ...properties, warnings }, ...(any && { additionalProperties: any }) };
}

function without(schema: { properties?: TProperties; required?: string[] | undefined }, name: string): object {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: (schema.required ?? []).filter((one) => one !== name) };
}

const none: readonly string[] = [];

function noWarnings(): readonly string[] {
  return none;
}

function noParameters() {
  return Type.Object({});
}
