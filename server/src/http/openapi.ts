import { growsData } from './grows-data.ts';
import type { Method, Route } from './route.ts';
import { type JsonSchema, SharedSchemas } from './shared-schemas.ts';

/** A route of the API, or a route that pages call: only routes of pages have `needs`. */
type DescribedRoute = Omit<Route, 'run' | 'forSession'> & {
  needs?: string;
  forSession?: boolean;
};

const inSeconds = { type: 'integer', minimum: 1 };
const errorProperties = { code: { type: 'integer' }, messages: { type: 'array', items: { type: 'string' } } };

function errorSchema(code: object, more: object = {}): object {
  return { type: 'object', required: ['code', 'messages'], properties: { ...errorProperties, code, ...more } };
}

function errorResponse(status: number, description: string): object {
  return { description, content: { 'application/json': { schema: errorSchema({ const: status }) } } };
}

/** Routes refer to these responses by their status. */
const errorResponses: Record<number, object> = {
  401: errorResponse(401, 'The session has ended: sign in again.'),
  403: {
    description: 'The secret or token is missing, wrong, revoked, or not enough for this.',
    content: {
      'application/json': {
        schema: errorSchema(
          { const: 403 },
          {
            confirm: {
              const: 'password',
              description: 'The person must give the password again: send it to `POST /v3/session/confirm` first.',
            },
          },
        ),
      },
    },
  },
  404: errorResponse(404, 'Something that the request names is not in this account.'),
  409: {
    description: 'The request conflicts with what is there.',
    content: {
      'application/json': {
        schema: errorSchema(
          { const: 409 },
          {
            confirm: {
              const: 'account',
              description:
                'The header `X-User-Id` names another administrator than the one of the session: the person has switched the account meanwhile.',
            },
            current: {
              type: 'object',
              description:
                'If an Experience was changed after the `updated_at` of the request: the Experience as it is now, as GET returns it.',
            },
            changed_by: {
              anyOf: [
                {
                  type: 'object',
                  required: ['id', 'name', 'email'],
                  properties: { id: { type: 'string' }, name: { type: 'string' }, email: { type: 'string' } },
                },
                { type: 'null' },
              ],
              description: 'With `current`: the administrator who changed it last.',
            },
          },
        ),
      },
    },
  },
  413: errorResponse(413, 'The body is too large.'),
  415: errorResponse(415, 'The `Content-Encoding` of the body is not supported.'),
  422: errorResponse(422, 'A parameter is wrong or missing: `messages` says which, and what to do.'),
  429: {
    description: 'Too many requests, or too many at a time.',
    headers: {
      'X-Ratelimit-Limit': { description: 'How many are allowed.', schema: { type: 'integer' } },
      'X-Ratelimit-Wait': { description: 'With `wait`: in how many seconds to try again.', schema: inSeconds },
      'Retry-After': { description: 'The same.', schema: inSeconds },
    },
    content: {
      'application/json': {
        schema: errorSchema(
          { type: 'integer', const: 429 },
          {
            wait: { ...inSeconds, description: 'In how many seconds to try again: there were too many in a minute.' },
            limit: { type: 'integer', description: 'How many are allowed at a time: try again in a moment.' },
          },
        ),
      },
    },
  },
  503: errorResponse(503, 'The storage cannot be reached at the moment: try again in a few seconds.'),
  507: errorResponse(507, 'The disk of the server is nearly full: nothing was stored. Try again when there is space.'),
};

/** The OpenAPI 3.1 document of these routes. */
export function describeApi(routes: readonly DescribedRoute[], version: string, serverUrl: string): object {
  const shared = new SharedSchemas();
  const parameters = new SharedParts('parameters');
  const operations = routes.flatMap((route) => route.methods.map((method) => new Operation(route, method)));
  for (const operation of operations) operation.collectSchemas(shared);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation.describe(shared, parameters) };
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
    security: [{ header: [] }, { parameter: [] }, { cookie: [] }],
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-Account-Secret' },
        parameter: { type: 'apiKey', in: 'query', name: 'account_secret' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-usher',
          description:
            'The session of a person who has signed in; on plain HTTP within one machine its name is `usher_session`. Requests that are not GET need `Sec-Fetch-Site: same-origin`, or an `Origin` that is the one of this server. `X-User-Id` may name the `user.id` for which the client shows something: if the session is for another one by then, the response is 409 and nothing is changed.',
        },
      },
      parameters: parameters.components,
      responses: errorResponses,
      schemas: shared.components,
    },
    paths,
  };
}

class Operation {
  readonly path: string;
  readonly method: Method;
  readonly #route: DescribedRoute;
  readonly #hasBody: boolean;
  readonly #parameters: JsonSchema;

  constructor(route: DescribedRoute, method: Method) {
    this.path = route.path.replace(/:(\w+)/g, '{$1}');
    this.method = method;
    this.#route = route;
    this.#hasBody = method !== 'GET' && method !== 'DELETE';
    const schema = withoutNames(route.parameters as JsonSchema, route.pathParameters);
    const required = (schema.required ?? []).filter((name) => schema.properties?.[name]?.default === undefined);
    const { required: _, ...optional } = schema;
    this.#parameters = required.length > 0 ? { ...optional, required } : optional;
  }

  collectSchemas(shared: SharedSchemas): void {
    const id = operationId(this.#route, this.method);
    if (this.#hasBody) shared.collect(this.#parameters, `${id}_request`);
    else for (const { name, schema } of this.#query()) shared.collect(schema, name);
    for (const _ of this.#statuses()) shared.collect(this.#route.output as JsonSchema, `${id}_response`);
  }

  describe(shared: SharedSchemas, parameters: SharedParts): object {
    const { summary, path, pathParameters, pathValues, example, output } = this.#route;
    const inPath = pathParameters.map((name): Parameter => {
      const values = pathValues[name] && { enum: pathValues[name] };
      return { name, in: 'path', required: true, schema: { type: 'string', ...values } };
    });
    const inQuery = this.#hasBody ? [] : this.#query();
    const body = { schema: shared.refer(this.#parameters), ...(example && { example }) };
    const schema = shared.refer(output as JsonSchema);
    const done = { description: 'Done.', content: { 'application/json': { schema } } };
    return {
      operationId: operationId(this.#route, this.method),
      tags: [path.split('/')[3] ?? 'root'],
      summary,
      ...this.#security(),
      parameters: [...inPath, ...inQuery].map((one) =>
        parameters.refer(one.name, { ...one, schema: shared.refer(one.schema) }),
      ),
      ...(this.#hasBody && {
        requestBody: { ...(this.#parameters.required && { required: true }), content: { 'application/json': body } },
      }),
      responses: {
        ...Object.fromEntries(this.#statuses().map((status) => [status, done])),
        ...Object.fromEntries(this.#errors().map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      },
    };
  }

  /** Pages call without a secret: a token among their parameters names the account. */
  #security(): { security?: object[] } {
    const { runOpen, forSession } = this.#route;
    if (runOpen || 'needs' in this.#route) return { security: [] };
    return forSession ? { security: [{ cookie: [] }] } : {};
  }

  #statuses(): number[] {
    return [this.#route.status, ...this.#route.otherStatuses];
  }

  /** The statuses of the errors that the endpoint can respond with. */
  #errors(): number[] {
    const { pathParameters, errors, runOpen } = this.#route;
    const namesSomething =
      pathParameters.some((name) => name.endsWith('id')) || JSON.stringify(this.#parameters).includes('"format":"id"');
    const takesParameters = this.#hasBody || Object.keys(this.#parameters.properties ?? {}).length > 0;
    const all = [403, 429, 503, ...errors];
    if (!runOpen && !('needs' in this.#route)) all.push(401, 409);
    if (namesSomething) all.push(404);
    if (takesParameters) all.push(422);
    if (this.#hasBody) all.push(413, 415);
    if (growsData(this.#route, this.method)) all.push(507);
    return [...new Set(all)].sort();
  }

  #query(): Parameter[] {
    const { properties = {}, required = [] } = this.#parameters;
    const example = this.#route.example ?? {};
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      ...(name in example && { example: example[name] }),
      schema,
    }));
  }
}

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: JsonSchema;
}

/** Equal parts are described once. Different parts with the same name get a number. */
class SharedParts {
  readonly #kind: string;
  readonly #keys = new Map<string, string>();
  readonly components: Record<string, object> = {};

  constructor(kind: string) {
    this.#kind = kind;
  }

  refer(name: string, part: object): object {
    const content = JSON.stringify(part);
    let key = this.#keys.get(content);
    if (key === undefined) {
      key = name;
      for (let count = 2; key in this.components; count++) key = `${name}${count}`;
      this.#keys.set(content, key);
      this.components[key] = part;
    }
    return { $ref: `#/components/${this.#kind}/${key}` };
  }
}

/** The schema without the parameters that are in the path. */
function withoutNames(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (!schema.properties) return schema;
  const entries = Object.entries(schema.properties).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** `PATCH /v3/edit/urls/:id` is `patch_edit_urls_id`. */
function operationId({ path }: DescribedRoute, method: Method): string {
  const words = path.split(/\W+/).filter((word) => word !== '' && word !== 'v3');
  return [method.toLowerCase(), ...(words.length > 0 ? words : ['root'])].join('_');
}
