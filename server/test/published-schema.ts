import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

interface Published {
  components: object;
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: { 'application/json': { schema: object } } }> }>
  >;
}

/** Errors that do not belong to an endpoint: no HTTP, another method, a request too slow, headers too large, a bug. */
const everywhere = new Set([400, 405, 408, 431, 500]);
const published = new Map<string, Promise<Published>>();
const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { id: true, date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
});

/**
 * Every answer must fit the schema that the server itself publishes for it, with no key beyond it, and every refusal
 * must be `{code, messages}` with the code equal to the status.
 */
export async function validateAnswer(
  url: string,
  method: string,
  path: string,
  { status, body }: { status: number; body: unknown },
): Promise<void> {
  if (method === 'HEAD') return;
  if (status >= 400) {
    const { code, messages, ...extra } = body as { code: number; messages: string[] };
    expect(code, `${method} ${path}: the code equals the status`).toBe(status);
    expect(messages.length > 0 && messages.every((message) => typeof message === 'string' && message !== '')).toBe(
      true,
    );
    expect(Object.keys(extra).filter((key) => key !== 'wait' && key !== 'limit')).toEqual([]);
    if (everywhere.has(status) || /^There is no such endpoint/.test(messages[0] ?? '')) return;
  }
  const { paths, components } = await publishedBy(url);
  // A word in the address goes before a parameter.
  const [template] = Object.keys(paths)
    .filter((candidate) => fits(candidate, path))
    .sort((one, other) => one.split('/{').length - other.split('/{').length);
  const responses = template === undefined ? undefined : paths[template]?.[method.toLowerCase()]?.responses;
  if (!responses) return;
  if (status >= 400) {
    expect(Object.keys(responses), `${method} ${path}: the errors in /openapi.json`).toContain(String(status));
    return;
  }
  const schema = responses[status]?.content['application/json'].schema;
  if (!schema) throw new Error(`${method} ${path} answered ${status}, which /openapi.json does not know`);
  const key = `${method} ${template} ${status}`;
  const validate = validators.get(key) ?? ajv.compile({ ...schema, components });
  validators.set(key, validate);
  expect(validate(body) ? [] : validate.errors, `${method} ${path}: the answer fits its published schema`).toEqual([]);
}

/** The part of a document that a reference points to; any other part as it is. */
export function resolveReference<T>(document: object, part: T | { $ref: string }): T {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part as T;
  const found = part.$ref
    .split('/')
    .slice(1)
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${part.$ref} points to nothing`);
  return found as T;
}

function publishedBy(url: string): Promise<Published> {
  const known =
    published.get(url) ?? fetch(`${url}/openapi.json`).then((response) => response.json() as Promise<Published>);
  published.set(url, known);
  return known;
}

function fits(template: string, path: string): boolean {
  const [wanted, params] = [template.split('/'), path.split('?')[0]?.split('/') ?? []];
  return wanted.length === params.length && wanted.every((part, index) => fitsPart(part, params[index] ?? ''));
}

/** `{id}` is anything without a dot, `i18n.{format}` and `{id}.{format}` have one. */
function fitsPart(wanted: string, params: string): boolean {
  const pattern = wanted.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^.]+');
  return new RegExp(`^${pattern}$`).test(params);
}
