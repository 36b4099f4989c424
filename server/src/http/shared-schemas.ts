import * as domain from '@usher/domain';

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

/** A schema with less JSON than this is not shared, because a reference to it would be as long. */
const MIN_SHARED_LENGTH = 56;
/** A scalar that has no name in the domain must be longer: many small components would make the document harder to read. */
const MIN_SCALAR_LENGTH = 100;
const mapsOfSchemas = new Set(['properties', 'patternProperties']);
const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singleSchemas = new Set(['items', 'additionalProperties', 'not']);

/**
 * Turns each schema that occurs several times in a document into one component, and its occurrences into references. Two
 * schemas are the same if their JSON is the same. Collect all schemas first, then call `refer` for each.
 */
export class SharedSchemas {
  /** How many places use a schema, and its name, by its JSON. */
  readonly #uses = new Map<string, { count: number; name: string | undefined }>();
  readonly #names = new Map<string, string>();
  readonly components: Record<string, JsonSchema> = {};

  /** Counts a schema and the schemas inside it. The hint becomes its name, unless the domain has a name for it. */
  collect(schema: JsonSchema, hint: string): void {
    const content = JSON.stringify(schema);
    const ownName = nameOf(schema) ?? (schema.properties && toName(hint));
    const name = ownName ?? (content.length < MIN_SCALAR_LENGTH ? undefined : toName(hint));
    const use = this.#uses.get(content);
    if (!use) this.#uses.set(content, { count: 1, name });
    else {
      use.count += 1;
      // Fields with different names have the same scalar, so no name fits all of them.
      if (ownName === undefined && use.name !== name) use.name = undefined;
    }
    // The schemas inside a shared schema are written once, however often it is referred to.
    if (use?.name !== undefined && content.length >= MIN_SHARED_LENGTH) return;
    mapSchemas(schema, hint, (inner, innerHint) => {
      this.collect(inner, innerHint);
      return inner;
    });
  }

  /** Returns a reference if the schema is shared, otherwise the schema with references to the shared ones inside it. */
  refer(schema: JsonSchema): JsonSchema {
    const content = JSON.stringify(schema);
    const use = this.#uses.get(content);
    if (use?.name === undefined || use.count < 2 || content.length < MIN_SHARED_LENGTH)
      return this.#withReferences(schema);
    let name = this.#names.get(content);
    if (name === undefined) {
      name = this.#freeName(use.name);
      this.#names.set(content, name);
      // The name is taken before those of the inner schemas, so that the outer schema gets the name without a number.
      this.components[name] = {};
      this.components[name] = this.#withReferences(schema);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #withReferences(schema: JsonSchema): JsonSchema {
    return mapSchemas(schema, '', (inner) => this.refer(inner));
  }

  #freeName(name: string): string {
    for (let count = 1; ; count++) {
      const candidate = count === 1 ? name : `${name}${count}`;
      if (!(candidate in this.components)) return candidate;
    }
  }
}

/** Returns the name that the domain has for a schema, or one built from the name of the inner schema. */
function nameOf(schema: JsonSchema): string | undefined {
  const { anyOf, items } = schema as { anyOf?: JsonSchema[]; items?: JsonSchema };
  const known = domainNames().get(JSON.stringify(schema));
  if (known !== undefined) return known;
  const [first, second, ...more] = anyOf ?? [];
  const isNullable = first && second?.type === 'null' && more.length === 0;
  const inner = isNullable ? nameOf(first) : undefined;
  const item = items && schema.type === 'array' ? nameOf(items) : undefined;
  return inner ? `Nullable${inner}` : item && `ListOf${item}`;
}

/** Copies a schema and replaces each schema directly inside it. */
export function mapSchemas(
  schema: JsonSchema,
  hint: string,
  replace: (inner: JsonSchema, hint: string) => JsonSchema,
): JsonSchema {
  const copy: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (mapsOfSchemas.has(keyword)) {
      const entries = Object.entries(value as Record<string, JsonSchema>);
      copy[keyword] = Object.fromEntries(
        entries.map(([name, inner]) => [name, replace(inner, keyword === 'properties' ? name : hint)]),
      );
    } else if (listsOfSchemas.has(keyword)) {
      copy[keyword] = (value as JsonSchema[]).map((inner) => replace(inner, hint));
    } else if (singleSchemas.has(keyword) && typeof value === 'object') {
      copy[keyword] = replace(value as JsonSchema, keyword === 'items' ? hint.replace(/s$/, '') : hint);
    } else copy[keyword] = value;
  }
  return copy;
}

let namesByJson: Map<string, string> | undefined;

/** The names that the domain has for schemas, by their JSON. */
function domainNames(): Map<string, string> {
  namesByJson ??= new Map(
    Object.entries(domain).flatMap(([name, value]): [string, string][] =>
      /^[A-Z]/.test(name) && typeof value === 'object' && value !== null ? [[JSON.stringify(value), name]] : [],
    ),
  );
  return namesByJson;
}

/** Turns `url_group` into `UrlGroup`. */
function toName(hint: string): string {
  return hint
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
