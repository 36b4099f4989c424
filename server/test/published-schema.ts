import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

type Responses = Record<string, { content: { 'application/json'?: { schema: object } } }>;
interface Published {
  components: { schemas: Record<string, object> };
  paths: Record<string, Record<string, { responses: Responses }>>;
}

/** The responses of one path, by method. */
interface PublishedPath {
  template: string;
  pattern: RegExp;
  methods: Record<string, { responses: Responses }>;
}

/** Errors of the whole server: invalid HTTP, wrong method, slow request, large headers, internal error. */
const everywhere = new Set([400, 405, 408, 431, 500]);
/** The published schema. It is the same for every server, whatever its settings are, so it is read once. */
let published: Promise<PublishedPath[]> | undefined;
const validators = new Map<string, ValidateFunction>();
/** Each component is compiled once, not again for every response that uses it, which took most of the time here. */
const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  inlineRefs: false,
  // endpoints.test.ts checks the schemas themselves.
  validateSchema: false,
  code: { optimize: false },
  formats: { id: true, date: /^\d{4}-\d\d-\d\d$/, 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
});

/**
 * Checks that a response fits the schema that the server publishes for it, without additional keys, and that an error is
 * `{code, messages}` with the code equal to the status.
 */
export async function validateResponse(
  url: string,
  method: string,
  path: string,
  { status, body }: { status: number; body: unknown },
): Promise<void> {
  if (method === 'HEAD') return;
  if (status >= 400) {
    const { code, messages, errors, ...extra } = body as {
      code: number;
      messages: string[];
      errors?: { param: string; problem: string }[];
    };
    for (const { param, problem } of errors ?? [])
      expect(messages.some((message) => message.includes(`\`${param}\``) && message.endsWith(problem))).toBe(true);
    expect(code, `${method} ${path}: the code equals the status`).toBe(status);
    expect(messages.length > 0 && messages.every((message) => typeof message === 'string' && message !== '')).toBe(
      true,
    );
    expect(
      Object.keys(extra).filter((key) => !['wait', 'limit', 'confirm', 'current', 'changed_by'].includes(key)),
    ).toEqual([]);
    if (everywhere.has(status) || /^There is no such endpoint/.test(messages[0] ?? '')) return;
  }
  published ??= fetchPublished(url);
  const found = (await published).find(({ pattern }) => pattern.test(path));
  const responses = found?.methods[method.toLowerCase()]?.responses;
  if (!found || !responses) return;
  if (status >= 400) {
    expect(Object.keys(responses), `${method} ${path}: the errors in /openapi.json`).toContain(String(status));
    return;
  }
  const response = responses[status];
  if (!response) throw new Error(`${method} ${path} returned ${status}, which is not in /openapi.json`);
  const schema = response.content['application/json']?.schema;
  if (!schema) return;
  const key = `${method} ${found.template} ${status}`;
  const validate = validators.get(key) ?? ajv.compile(schema);
  validators.set(key, validate);
  expect(validate(body) ? [] : validate.errors, `${method} ${path}: the response fits its published schema`).toEqual(
    [],
  );
}

/** Returns the part of a document that a reference points to, or the part itself when it is not a reference. */
export function resolveReference<T>(document: object, part: T | { $ref: string }): T {
  if (typeof part !== 'object' || part === null || !('$ref' in part)) return part as T;
  const found = part.$ref
    .split('/')
    .slice(1)
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${part.$ref} points to nothing`);
  return found as T;
}

async function fetchPublished(url: string): Promise<PublishedPath[]> {
  const all = ['/openapi.json', '/openapi-dashboard.json'].map(async (path) => {
    const text = await (await fetch(url + path)).text();
    // Schemas refer to the components by the names that `ajv` has for them.
    const prefix = `http://components${path}/`;
    const { paths, components }: Published = JSON.parse(
      text.replaceAll('"$ref":"#/components/schemas/', `"$ref":"${prefix}`),
    );
    for (const [name, schema] of Object.entries(components.schemas)) ajv.addSchema(schema, prefix + name);
    return Object.entries(paths).map(([template, methods]) => ({ template, pattern: patternOf(template), methods }));
  });
  // A fixed word in the path takes precedence over a parameter.
  return (await Promise.all(all))
    .flat()
    .sort((one, other) => one.template.split('/{').length - other.template.split('/{').length);
}

/** `{id}` stands for any text without a dot; `i18n.{format}` and `{id}.{format}` have one. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^./]+')}(?:\\?.*)?$`, 's');
}
