import { experienceKinds, joinNames, kindOfPath } from '@usher/domain';
import { withArticle } from '@usher/domain/fields';
import type { Route } from './route.ts';
import type { JsonSchema } from './shared-schemas.ts';

type RouteOfKinds = Pick<
  Route,
  'path' | 'pathParameters' | 'pathValues' | 'summary' | 'description' | 'ignored' | 'example'
> & {
  parameters: object;
  output: object;
};

/** The route for one kind of Experience, as `tours` in the path: with its own path, parameters and response. */
export function routeOfKind<R extends RouteOfKinds>(route: R, kindPath: string): R {
  const kind = kindOfPath(kindPath) ?? '';
  const withoutMeaning = route.ignored?.({ kind: kindPath }) ?? [];
  const inWords = (text: string) =>
    text
      .replace(joinNames(experienceKinds, 'or'), kind)
      .replace(/(the )?Experiences of a kind/, kindPath)
      .replace(/\ban Experience\b/, withArticle(kind));
  return {
    ...route,
    path: route.path.replace(':kind', kindPath),
    pathParameters: route.pathParameters.filter((name) => name !== 'kind'),
    pathValues: {},
    summary: inWords(route.summary),
    description: route.description && inWords(route.description),
    parameters: withoutProperties(route.parameters as JsonSchema, withoutMeaning),
    example: route.example && without(route.example, withoutMeaning),
    output: outputOfKind(route.output as JsonSchema, kind, kindPath),
  };
}

/** In a response whose key is the kind, or the plural of it, names that key. */
function outputOfKind(output: JsonSchema, kind: string, kindPath: string): JsonSchema {
  const { patternProperties, additionalProperties, ...schema } = output as JsonSchema & {
    patternProperties?: Record<string, JsonSchema>;
  };
  const [model = additionalProperties as JsonSchema] = Object.values(patternProperties ?? {});
  if (!model || typeof model !== 'object') return output;
  const [list, cursor] = (model.anyOf as JsonSchema[] | undefined) ?? [];
  const own = list?.type === 'array' && cursor ? { [kindPath]: list, cursor } : { [kind]: model };
  return {
    ...schema,
    required: Object.keys(own),
    properties: { ...own, ...schema.properties },
    additionalProperties: false,
  };
}

function withoutProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0 || !schema.properties) return schema;
  return { ...schema, properties: without(schema.properties, names) };
}

function without<Value>(record: Record<string, Value>, names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}
