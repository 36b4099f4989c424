import type { Method, PageRoute, Route } from './route.ts';

type Described = Route | PageRoute;

interface JsonSchema {
  properties?: Record<string, JsonSchema & { default?: unknown; description?: string }>;
  required?: readonly string[];
}

const errorAnswer = {
  description: 'The request could not be done: `messages` says why, and what to do.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'messages'],
        properties: {
          code: { type: 'integer' },
          messages: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

const inSeconds = { type: 'integer', minimum: 1 };
const limitedAnswer = {
  description: 'Too many requests, or too many at a time.',
  headers: {
    'X-Ratelimit-Limit': { description: 'How many are allowed.', schema: { type: 'integer' } },
    'X-Ratelimit-Wait': { description: 'With `wait`: in how many seconds to try again.', schema: inSeconds },
    'Retry-After': { description: 'The same.', schema: inSeconds },
  },
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['code', 'messages'],
        properties: {
          code: { type: 'integer', const: 429 },
          messages: { type: 'array', items: { type: 'string' } },
          wait: { ...inSeconds, description: 'In how many seconds to try again: there were too many in a minute.' },
          limit: { type: 'integer', description: 'How many are allowed at a time: try again in a moment.' },
        },
      },
    },
  },
};

/** The OpenAPI 3.1 document of these routes. */
export function describeApi(routes: readonly Described[], version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    for (const method of route.methods) {
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(route, method) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Usher v3',
      version,
      description:
        'Parameters may come in the path, the query and the body, as JSON or as a form; they are one set. Errors are `{code, messages}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{ header: [] }, { parameter: [] }],
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-Account-Secret' },
        parameter: { type: 'apiKey', in: 'query', name: 'account_secret' },
      },
    },
    paths,
  };
}

function describeOperation(route: Described, method: Method): object {
  const schema = withoutNames(route.parameters, route.pathParameters);
  const inBody = method !== 'GET' && method !== 'DELETE';
  const required = (schema.required ?? []).filter((name) => schema.properties?.[name]?.default === undefined);
  const example = route.example ? { example: route.example } : {};
  return {
    operationId: operationId(route, method),
    tags: [route.path.split('/')[3] ?? 'root'],
    summary: route.summary,
    // What pages call is open to all: what they give says whose it is.
    ...('needs' in route && { security: [] }),
    parameters: [
      ...route.pathParameters.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(inBody ? [] : queryParameters(schema, required, route.example)),
    ],
    ...(inBody && {
      requestBody: {
        required: required.length > 0,
        content: { 'application/json': { schema: { ...schema, required }, ...example } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        [route.status, ...route.otherStatuses].map((status) => [
          status,
          { description: route.summary, content: { 'application/json': { schema: route.answer } } },
        ]),
      ),
      429: limitedAnswer,
      default: errorAnswer,
    },
  };
}

/** What the path names is not named again. */
function withoutNames(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (!schema.properties) return schema;
  const entries = Object.entries(schema.properties).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(entries) };
}

function queryParameters(
  { properties = {} }: JsonSchema,
  required: readonly string[],
  example: Record<string, unknown> = {},
): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(schema.description && { description: schema.description }),
    ...(name in example && { example: example[name] }),
    schema,
  }));
}

/** `PATCH /v3/edit/urls/:id` is `patch_edit_urls_id`. */
function operationId({ path }: Described, method: Method): string {
  const words = path.split(/\W+/).filter((word) => word !== '' && word !== 'v3');
  return [method.toLowerCase(), ...(words.length > 0 ? words : ['root'])].join('_');
}
