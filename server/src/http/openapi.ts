import { takesIdempotencyKey } from './created-record.ts';
import { growsData } from './grows-data.ts';
import type { Method, Route } from './route.ts';
import { type JsonSchema, SharedSchemas } from './shared-schemas.ts';

/** A route of the API, or a route that pages call: only routes of pages have `needs`. */
type DescribedRoute = Omit<Route, 'run' | 'forSession'> & {
  needs?: string;
  logsAs?: string | undefined;
  forSession?: boolean;
};

const inSeconds = { type: 'integer', minimum: 1 };
const errorProperties = {
  code: { type: 'integer' },
  messages: { type: 'array', items: { type: 'string' } },
};
/** In the errors that can be about parameters. */
const paramErrors = {
  errors: {
    type: 'array',
    description: 'Which parameters are wrong, if the messages are about parameters.',
    items: {
      type: 'object',
      required: ['param', 'problem'],
      properties: { param: { type: 'string', examples: ['steps[0].title'] }, problem: { type: 'string' } },
    },
  },
};
/** The headers of every response of the API except that of a page load, and what a client may send. */
const commonHeaders = {
  'X-Request-Id': {
    description:
      'The `X-Request-Id` of the request if it has 1 to 128 letters, digits, `.`, `_` or `-`, otherwise a new ID. The log has it too.',
    schema: { type: 'string' },
  },
  'X-Ratelimit-Limit': { description: 'How many requests a secret may make in a minute.', schema: { type: 'integer' } },
  'X-Ratelimit-Remaining': { description: 'How many of them are left now.', schema: { type: 'integer' } },
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'With a secret only: 1 to 255 printable ASCII characters. A repeat of the request within 24 hours creates nothing: it gets the same status, the record as it is now, and `Idempotency-Replayed: true`. With other parameters it is 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
const repeatHeaders = {
  'Idempotency-Replayed': {
    description: '`true` in the response to a repeat.',
    schema: { type: 'string', const: 'true' },
  },
};

function errorSchema(code: object, more: object = {}): object {
  return { type: 'object', required: ['code', 'messages'], properties: { ...errorProperties, code, ...more } };
}

function errorResponse(status: number, description: string, more: object = {}): object {
  return { description, content: { 'application/json': { schema: errorSchema({ const: status }, more) } } };
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
  404: errorResponse(404, 'Something that the request names is not in this account.', paramErrors),
  409: {
    description: 'The request conflicts with what is there.',
    content: {
      'application/json': {
        schema: errorSchema(
          { const: 409 },
          {
            ...paramErrors,
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
  422: errorResponse(422, 'A parameter is wrong or missing: `messages` says which, and what to do.', paramErrors),
  429: {
    description: 'Too many requests, or too many at a time.',
    headers: {
      'X-Ratelimit-Limit': { description: 'How many are allowed.', schema: { type: 'integer' } },
      'X-Ratelimit-Wait': { description: 'With `wait`: in how many seconds to try again.', schema: inSeconds },
      'Retry-After': { description: 'The same.', schema: inSeconds },
      'X-Retry-After': { description: 'In how many seconds to try again; 1 if there is no `wait`.', schema: inSeconds },
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
  const takingKeys = new Set(routes.filter((route) => takesIdempotencyKey(route, routes)));
  const operations = routes.flatMap((route) =>
    route.methods.map((method) => new Operation(route, method, takingKeys.has(route))),
  );
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
        'Parameters may come in the path, the query and the body, as JSON or as a form; they are one set. Errors are `{code, messages}`, with `errors` for the parameters that are wrong.',
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
      headers: { ...commonHeaders, ...repeatHeaders },
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
  readonly #takesKey: boolean;

  constructor(route: DescribedRoute, method: Method, takesKey: boolean) {
    this.#takesKey = takesKey;
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
    const isPageLoad = this.#route.logsAs === 'identify';
    const headers = { ...(!isPageLoad && referTo(commonHeaders)), ...(this.#takesKey && referTo(repeatHeaders)) };
    const done = { description: 'Done.', headers, content: { 'application/json': { schema } } };
    return {
      operationId: operationId(this.#route, this.method),
      tags: [path.split('/')[3] ?? 'root'],
      summary,
      ...this.#security(),
      parameters: [...inPath, ...inQuery, ...(this.#takesKey ? [idempotencyKey] : [])].map((one) =>
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
    // What a key has created may be deleted.
    if (namesSomething || this.#takesKey) all.push(404);
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
  in: string;
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

/** References to headers that are described once. */
function referTo(headers: object): object {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
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
