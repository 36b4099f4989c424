import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Route } from './route.ts';
import type { JsonSchema } from './shared-schemas.ts';

/** What the table of routes says about an endpoint. Only routes of pages have `needs`. */
export type TableRoute = Pick<
  Route,
  'methods' | 'path' | 'pathParameters' | 'status' | 'permission' | 'output' | 'batch' | 'takesFiles' | 'isIngestion'
> & { forSession?: boolean; runOpen?: unknown; needs?: string };

/** Reads a record as it is now, in the shape of the response that created it. */
export type ShowCreated = (
  ctx: Context,
  params: Record<string, unknown>,
  id: string,
) => Promise<Record<string, unknown>>;

interface OutputSchema extends JsonSchema {
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
}

/** The record in a response. Its name is undefined if it depends on the path, as the kind of an Experience does. */
interface RecordSchema {
  name: string | undefined;
  fields: readonly string[];
}

/**
 * Returns how to read what a POST creates, and undefined if it creates no record that can be read alone. Most routes have
 * a GET for the same record. A record that consists of its ID needs none.
 */
export function showCreatedBy(post: Route, routes: readonly Route[]): ShowCreated | undefined {
  const record = createdRecord(post);
  if (!record) return undefined;
  const { name } = record;
  if (name !== undefined && isOnlyId(record)) return async (_ctx, _params, id) => ({ [name]: { id } });
  const get = findShowing(post, routes);
  const shownFields = get && recordIn(get.output)?.fields;
  if (!shownFields) return undefined;
  const shownOnce = record.fields.filter((field) => !shownFields.includes(field));
  const withoutSecrets = Object.fromEntries(shownOnce.map((field) => [field, null]));
  // What the response says beside the record is about the moment of creating it.
  const beside = ((post.output as JsonSchema & { required?: string[] }).required ?? []).filter((one) => one !== name);
  const withoutBeside = name === undefined ? {} : Object.fromEntries(beside.map((one) => [one, null]));
  const idName = get.pathParameters.at(-1) as string;
  return async (ctx, params, id) => {
    const inPath = Object.fromEntries(get.pathParameters.map((name) => [name, params[name]]));
    const reading = get.read({}, ctx.now());
    if ('problems' in reading) throw notFound('record');
    const body = (await get.run(ctx, { ...reading.value, ...inPath, [idName]: id })) as Record<string, object>;
    const records = Object.entries(body).map(([name, shown]) => [name, { ...shown, ...withoutSecrets }]);
    return { ...withoutBeside, ...Object.fromEntries(records) };
  };
}

/** Whether a POST with a secret takes an `Idempotency-Key`. */
export function takesIdempotencyKey<R extends TableRoute>(route: R, routes: readonly R[]): boolean {
  const record = createdRecord(route);
  return record !== undefined && (isOnlyId(record) || findShowing(route, routes) !== undefined);
}

function isOnlyId({ fields }: RecordSchema): boolean {
  return fields.length === 1;
}

/** The ID of the record in a response. */
export function recordIdOf(body: object): string {
  const records: { id?: unknown }[] = Object.values(body).filter(
    (value) => typeof value === 'object' && value !== null,
  );
  const id = records.map((record) => record.id).find((id) => typeof id === 'string');
  if (typeof id !== 'string') throw new Error('The response has no record');
  return id;
}

/** The record that a POST creates: neither a search nor a batch nor an upload, and not for pages or sessions only. */
function createdRecord(route: TableRoute): RecordSchema | undefined {
  const { methods, status, permission, batch, takesFiles, isIngestion, forSession, runOpen, needs } = route;
  const creates = methods.includes('POST') && (status === 201 || isIngestion) && permission !== 'read';
  if (!creates || batch || takesFiles || forSession || runOpen || needs) return undefined;
  return recordIn(route.output);
}

/** The GET for the record: of those with the same kind of record, the one whose path is closest. */
function findShowing<R extends TableRoute>(post: R, routes: readonly R[]): R | undefined {
  const name = recordIn(post.output)?.name;
  const before = post.path.split('/');
  let best: { route: R; shared: number; length: number } | undefined;
  for (const route of routes) {
    const segments = route.path.split('/');
    const record = recordIn(route.output);
    if (!route.methods.includes('GET') || !segments.at(-1)?.startsWith(':') || record?.name !== name || !record)
      continue;
    if (!route.pathParameters.slice(0, -1).every((one) => post.pathParameters.includes(one))) continue;
    const differing = segments.findIndex((segment, index) => segment !== before[index]);
    const shared = differing < 0 ? segments.length : differing;
    const isCloser = !best || shared > best.shared || (shared === best.shared && segments.length < best.length);
    if (isCloser) best = { route, shared, length: segments.length };
  }
  return best?.route;
}

function recordIn(output: Route['output']): RecordSchema | undefined {
  const { properties = {}, patternProperties, additionalProperties } = output as OutputSchema;
  const named = Object.entries(properties).find(([, schema]) => schema.properties?.id);
  if (named) return { name: named[0], fields: Object.keys(named[1].properties ?? {}) };
  // The schema of a key that depends on the path is in one of these.
  const [any = additionalProperties] = Object.values(patternProperties ?? {});
  if (!any?.properties?.id) return undefined;
  return { name: undefined, fields: Object.keys(any.properties) };
}
