import { experienceKinds, pathOfKind, payloadSchemas } from '@usher/domain';
import { listTags, tagOf } from './api-tags.ts';
import { takesIdempotencyKey } from './created-record.ts';
import { growsData } from './grows-data.ts';
import { routeOfKind } from './kind-routes.ts';
import { type KindWords, operationId, toWords } from './operation-id.ts';
import type { Method, Route } from './route.ts';
import { type JsonSchema, mapSchemas, SharedSchemas } from './shared-schemas.ts';

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

interface DescribeOptions {
  version: string;
  serverUrl: string;
  /** Whether there is one operation for each kind of Experience, instead of a parameter in the path. */
  byKind?: boolean;
  /** What a real server has responded, by operation ID. */
  responses?: Readonly<Record<string, unknown>>;
}

/** Whether only the dashboard calls it, for a person who signs in or has signed in. */
export function isForPersons({ forSession, runOpen }: Pick<DescribedRoute, 'forSession' | 'runOpen'>): boolean {
  return forSession === true || runOpen !== undefined;
}

/** The OpenAPI 3.1 document of these routes. */
export function describeApi(
  routes: readonly DescribedRoute[],
  { version, serverUrl, byKind = true, responses = {} }: DescribeOptions,
): object {
  const takesSecrets = !routes.every(isForPersons);
  const shared = new SharedSchemas();
  const parameters = new SharedParts('parameters');
  const operations = routes.flatMap((route) => {
    const takesKey = takesIdempotencyKey(route, routes);
    return kindsOf(route, byKind).flatMap(({ words, route }) =>
      route.methods.map((method) => new Operation(route, method, takesKey, words)),
    );
  });
  const payloads = takesSecrets ? Object.entries(payloadSchemas()) : [];
  for (const operation of operations) operation.collectSchemas(shared);
  for (const [topic, schema] of payloads) shared.collect(schema as JsonSchema, `${topic}_payload`);
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { path, method, id } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation.describe(shared, parameters, responses[id]) };
  }
  const webhooks = payloads.map(([topic, schema]) => [
    topic,
    { post: describeWebhook(topic, shared.refer(schema as JsonSchema)) },
  ]);
  const used = JSON.stringify(paths);
  const inUse = (parts: Record<string, object>, kind: string) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => used.includes(`"#/components/${kind}/${name}"`)));
  return {
    openapi: '3.1.0',
    info: {
      title: takesSecrets ? 'Usher v3' : 'Usher dashboard',
      version,
      description:
        'Parameters may come in the path, the query and the body, as JSON or as a form; they are one set. Errors are `{code, messages}`, with `errors` for the parameters that are wrong.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: takesSecrets ? [{ header: [] }, { parameter: [] }, { cookie: [] }] : [{ cookie: [] }],
    tags: listTags(new Set(operations.map(({ tag }) => tag))),
    components: {
      securitySchemes: takesSecrets ? { ...secretSchemes, ...cookieScheme } : cookieScheme,
      parameters: parameters.components,
      headers: inUse({ ...commonHeaders, ...repeatHeaders }, 'headers'),
      responses: inUse(errorResponses, 'responses'),
      schemas: shared.components,
    },
    paths,
    ...(takesSecrets && { webhooks: Object.fromEntries(webhooks) }),
  };
}

const secretSchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Account-Secret' },
  parameter: { type: 'apiKey', in: 'query', name: 'account_secret' },
};
const cookieScheme = {
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-usher',
    description:
      'The session of a person who has signed in; on plain HTTP within one machine its name is `usher_session`. Requests that are not GET need `Sec-Fetch-Site: same-origin`, or an `Origin` that is the one of this server. `X-User-Id` may name the `user.id` for which the client shows something: if the session is for another one by then, the response is 409 and nothing is changed.',
  },
};

export const anyKind: KindWords = { one: 'Experience', many: 'Experiences', path: ':kind' };

/** A route with a kind in its path is one for each of its kinds. */
export function kindsOf(route: DescribedRoute, byKind: boolean): { words: KindWords; route: DescribedRoute }[] {
  const { kind: paths } = route.pathValues;
  if (!paths || !byKind) return [{ words: anyKind, route }];
  return experienceKinds
    .filter((kind) => paths.includes(pathOfKind(kind)))
    .map((kind) => {
      const path = pathOfKind(kind);
      return { words: { one: toWords(kind), many: toWords(path), path }, route: routeOfKind(route, path) };
    });
}

const webhookHeaders = [
  ['X-Usher-Id', 'What identifies the item: the same for every webhook and every attempt.'],
  ['X-Usher-Signature', 'The lowercase hex HMAC-SHA256 of the raw body, with the whole secret as the key.'],
  ['webhook-id', 'The same as `X-Usher-Id`.'],
  ['webhook-timestamp', 'When it was sent, in Unix seconds.'],
  ['webhook-signature', 'Signatures as in Standard Webhooks: `v1,` and base64, separated by spaces.'],
] as const;

function describeWebhook(topic: string, schema: object): object {
  return {
    operationId: `on${toWords(topic.replaceAll('.', '_'))}`,
    tags: ['Webhooks'],
    summary: `The topic \`${topic}\``,
    description: 'Respond with a status from 200 to 299 within 7 seconds. After any other response it is sent again.',
    security: [],
    parameters: webhookHeaders.map(([name, description]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It has arrived, and is not sent again.' } },
  };
}

class Operation {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  readonly method: Method;
  readonly #route: DescribedRoute;
  readonly #hasBody: boolean;
  readonly #parameters: JsonSchema;
  readonly #takesKey: boolean;

  constructor(route: DescribedRoute, method: Method, takesKey: boolean, kind: KindWords) {
    this.#takesKey = takesKey;
    this.id = operationId(route, method, kind);
    this.path = route.path.replace(/:(\w+)/g, '{$1}');
    this.tag = tagOf(this.path, 'needs' in route);
    this.method = method;
    this.#route = route;
    this.#hasBody = method !== 'GET' && method !== 'DELETE';
    this.#parameters = withOptionalDefaults(withoutNames(route.parameters as JsonSchema, route.pathParameters));
  }

  collectSchemas(shared: SharedSchemas): void {
    if (this.#hasBody) shared.collect(this.#parameters, `${this.id}_request`);
    else for (const { name, schema } of this.#query()) shared.collect(schema, name);
    for (const _ of this.#statuses()) shared.collect(this.#route.output as JsonSchema, `${this.id}_response`);
  }

  describe(shared: SharedSchemas, parameters: SharedParts, response: unknown): object {
    const { summary, description, permission, pathParameters, pathValues, output, mediaTypes } = this.#route;
    const inPath = pathParameters.map((name): Parameter => {
      const values = pathValues[name] && { enum: pathValues[name] };
      return { name, in: 'path', required: true, schema: { type: 'string', ...values } };
    });
    const inQuery = this.#hasBody ? [] : this.#query();
    const content = {
      schema: shared.refer(output as JsonSchema),
      ...(response !== undefined && { example: response }),
    };
    const isPageLoad = this.#route.logsAs === 'identify';
    const headers = { ...(!isPageLoad && referTo(commonHeaders)), ...(this.#takesKey && referTo(repeatHeaders)) };
    const done = {
      description: 'Done.',
      headers,
      content: Object.fromEntries(mediaTypes.map((type) => [type, type === 'application/json' ? content : aFile])),
    };
    const needed = 'needs' in this.#route || permission === null ? '' : `Needs the permission \`${permission}\`.`;
    const whole = [description, needed].filter(Boolean).join(' ');
    return {
      operationId: this.id,
      tags: [this.tag],
      summary,
      ...(whole && { description: whole }),
      ...this.#security(),
      parameters: [...inPath, ...inQuery, ...(this.#takesKey ? [idempotencyKey] : [])].map((one) =>
        parameters.refer(one.name, { ...one, schema: shared.refer(one.schema) }),
      ),
      ...(this.#hasBody && {
        requestBody: {
          ...((this.#parameters.required || this.#route.takesFiles) && { required: true }),
          content: this.#requestContent(shared),
        },
      }),
      responses: {
        ...Object.fromEntries(this.#statuses().map((status) => [status, done])),
        ...Object.fromEntries(this.#errors().map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      },
    };
  }

  #requestContent(shared: SharedSchemas): object {
    const { example, takesFiles } = this.#route;
    const json = { 'application/json': { schema: shared.refer(this.#parameters), ...(example && { example }) } };
    if (!takesFiles) return json;
    const { properties, required } = this.#parameters;
    const file = { type: 'string', format: 'binary' };
    const form = {
      type: 'object',
      ...(required && { required }),
      properties: { ...properties, file, 'files[]': { type: 'array', items: file } },
    };
    // What has an example works without a file, too.
    return { ...(example && json), 'multipart/form-data': { schema: form } };
  }

  /** Pages call without a secret: a token among their parameters names the account. */
  #security(): { security?: object[] } {
    const { runOpen } = this.#route;
    return runOpen || 'needs' in this.#route ? { security: [] } : {};
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

const aFile = { schema: { type: 'string' } };

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

/** A parameter with a default can be left out, also inside of another one. */
function withOptionalDefaults(schema: JsonSchema): JsonSchema {
  const known = schemasWithOptionalDefaults.get(schema);
  if (known) return known;
  const { required: all = [], ...rest } = mapSchemas(schema, '', withOptionalDefaults);
  const required = all.filter((name) => rest.properties?.[name]?.default === undefined);
  const changed = required.length > 0 ? { ...rest, required } : rest;
  schemasWithOptionalDefaults.set(schema, changed);
  return changed;
}

/** The steps of an Experience are in the parameters of twenty operations. */
const schemasWithOptionalDefaults = new WeakMap<JsonSchema, JsonSchema>();

/** The schema without the parameters that are in the path. */
function withoutNames(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (!schema.properties) return schema;
  const entries = Object.entries(schema.properties).filter(([name]) => !names.includes(name));
  const required = schema.required?.filter((name) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(entries), ...(required && { required }) };
}
