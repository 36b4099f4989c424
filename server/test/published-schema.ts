import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

interface Published {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: { 'application/json': { schema: object } } }> }>
  >;
}

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
    return;
  }
  const { paths } = await publishedBy(url);
  // A word in the address goes before a parameter.
  const [template] = Object.keys(paths)
    .filter((candidate) => fits(candidate, path))
    .sort((one, other) => one.split('/{').length - other.split('/{').length);
  const responses = template === undefined ? undefined : paths[template]?.[method.toLowerCase()]?.responses;
  if (!responses) return;
  const schema = responses[status]?.content['application/json'].schema;
  if (!schema) throw new Error(`${method} ${path} answered ${status}, which /openapi.json does not know`);
  const key = `${method} ${template} ${status}`;
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  expect(validate(body) ? [] : validate.errors, `${method} ${path}: the answer fits its published schema`).toEqual([]);
}

function publishedBy(url: string): Promise<Published> {
  const known =
    published.get(url) ?? fetch(`${url}/openapi.json`).then((response) => response.json() as Promise<Published>);
  published.set(url, known);
  return known;
}

function fits(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('?')[0]?.split('/') ?? []];
  return wanted.length === given.length && wanted.every((part, index) => fitsPart(part, given[index] ?? ''));
}

/** `{id}` is anything without a dot, `i18n.{format}` and `{id}.{format}` have one. */
function fitsPart(wanted: string, given: string): boolean {
  const pattern = wanted.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^.]+');
  return new RegExp(`^${pattern}$`).test(given);
}
