import { fromJson, isRecord, toList } from '../basics/input.ts';

/** The part of JSON Schema that defines which keys there are. */
interface Schema {
  anyOf?: readonly Schema[];
  format?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
}

/** Adds the path of each key that the schema does not have. */
type Finder = (input: unknown, path: string, found: string[]) => void;

/**
 * Finds the parameters that reading drops: keys that the schema does not have, also within objects and lists. The keys in
 * `known` are read elsewhere.
 */
export function compileUnknownParamFinder(
  schema: object,
  known: readonly string[],
): (input: Record<string, unknown>, found: string[]) => void {
  const { properties, ...rest } = schema as Schema;
  const others = Object.fromEntries(known.map((name) => [name, {}]));
  const find = compile({ ...rest, properties: { ...others, ...properties } });
  return (input, found) => find?.(input, '', found);
}

/** Undefined when nothing inside can be unknown. */
function compile(schema: Schema): Finder | undefined {
  const [choice] = schema.anyOf ?? [];
  if (choice) return compile(choice);
  if (schema.items) return inList(schema.items);
  return schema.properties && !schema.additionalProperties ? inObject(schema.properties) : undefined;
}

function inObject(properties: Record<string, Schema>): Finder {
  const finders = new Map(Object.entries(properties).map(([name, schema]) => [name, compile(schema)]));
  const find: Finder = (input, path, found) => {
    const source = typeof input === 'string' ? fromJson(input) : input;
    if (!isRecord(source)) return;
    for (const name of Object.keys(source)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (finders.has(name)) finders.get(name)?.(source[name], at, found);
      else found.push(at);
    }
  };
  // A group of filters contains filters, but the schema does not repeat what they contain.
  if (properties.filters && properties.prop) finders.set('filters', eachOf(find));
  return find;
}

function inList(items: Schema): Finder | undefined {
  const find = compile(items);
  return find && eachOf(find);
}

function eachOf(find: Finder): Finder {
  return (input, path, found) => {
    for (const [index, item] of (toList(input, false) ?? []).entries()) find(item, `${path}[${index}]`, found);
  };
}
