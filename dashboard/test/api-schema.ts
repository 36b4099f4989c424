/** The parts of an OpenAPI document that become types. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Operation {
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: { requestBody: Content } }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

/** The TypeScript types of all endpoints and of what they send. */
export function writeApiSchema({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // PUT does the same as PATCH.
      .filter(([method]) => method !== 'put' || !methods.patch)
      .map(([method, operation]) => {
        const params = paramsOf(operation, components);
        const response = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
        return `  '${method.toUpperCase()} ${path}': {\n    params: ${typeOf(params)};\n    response: ${typeOf(jsonOf(response))};\n  };`;
      }),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)};`);
  return [
    '// Written by `npm run schema` from the OpenAPI document of the server. Do not edit it.',
    `export interface Schemas {\n${schemas.sort().join('\n')}\n}`,
    '/** Each endpoint with its params, wherever in the request they are, and its response. */',
    `export interface Operations {\n${operations.sort().join('\n')}\n}`,
    '',
  ].join('\n\n');
}

/** The TypeScript types of what webhooks receive, by topic. */
export function writeWebhookSchema({ webhooks = {} }: Document): string {
  const topics = Object.entries(webhooks).map(
    ([topic, { post }]) => `  '${topic}': ${typeOf(jsonOf(post.requestBody))};`,
  );
  return `/** What webhooks receive, by topic. */\nexport interface Webhooks {\n${topics.join('\n')}\n}\n`;
}

/** The params of an endpoint. They may come in the path, the query and the body, and form one set. */
function paramsOf({ parameters, requestBody }: Operation, { parameters: shared }: Document['components']): Schema {
  const all = parameters.map((one) => (one.$ref ? (shared[nameIn(one.$ref)] as Parameter) : one));
  const listed = all.filter((one) => one.in !== 'header');
  const own: Schema = {
    type: 'object',
    properties: Object.fromEntries(listed.map(({ name, schema }) => [name, schema])),
    required: listed.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const body = jsonOf(requestBody) ?? fieldsOf(requestBody);
  if (!body) return own;
  return listed.length === 0 ? body : { allOf: [own, body] };
}

/** The params that are sent together with files. */
function fieldsOf(content: Content | undefined): Schema | undefined {
  const { schema } = content?.content?.['multipart/form-data'] ?? {};
  if (!schema) return undefined;
  const { file: _, 'files[]': __, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json']?.schema;
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
const unique = (types: string[]) => [...new Set(types)];

function typeOf(schema: Schema | undefined): string {
  if (!schema) return 'unknown';
  if (schema.$ref) return `Schemas['${nameIn(schema.$ref)}']`;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return unique(schema.enum.map(literal)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return unique(alternatives.map(typeOf)).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => wrapped(typeOf(one))).join(' & ');
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return unique(types.map((type) => plainType(type, schema))).join(' | ');
}

const wrapped = (type: string) => (type.includes(' | ') ? `(${type})` : type);

function plainType(type: string | undefined, schema: Schema): string {
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return `${wrapped(typeOf(schema.items))}[]`;
  if (type === 'object' || schema.properties) return objectType(schema);
  return 'unknown';
}

function objectType({ properties = {}, required = [], additionalProperties, patternProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[\w$]+$/.test(name) ? name : `'${name}'`;
    return `${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`;
  });
  const [pattern] = Object.values(patternProperties ?? {});
  const rest = pattern ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
  if (rest && fields.length === 0) return `Record<string, ${typeOf(rest)}>`;
  // Profiles and Companies have properties of their own.
  if (fields.length > 0 && additionalProperties === true) fields.push('[key: string]: unknown');
  if (fields.length === 0) return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
  return `{ ${fields.join('; ')} }`;
}
