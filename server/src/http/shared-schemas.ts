import * as domain from '@usher/domain';

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  [keyword: string]: unknown;
}

/** A shorter schema takes no more room where it stands than a reference to it. */
const MIN_SHARED = 56;
/** The same for scalars that only their field names: below it, the many names cost the reader more than they save. */
const MIN_FIELD = 100;
const mapsOfSchemas = new Set(['properties', 'patternProperties']);
const listsOfSchemas = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const singleSchemas = new Set(['items', 'additionalProperties', 'not']);

/**
 * Schemas that stand in several places of a document are written once, as components, and referred to. They are recognized
 * by their content. Collect all of them first, then take the references.
 */
export class SharedSchemas {
  /** By content: from how many places it is referred to, and what it is called. */
  readonly #places = new Map<string, { count: number; name: string | undefined }>();
  readonly #names = new Map<string, string>();
  readonly components: Record<string, JsonSchema> = {};

  /** The hint becomes its name, unless the domain has one. */
  collect(schema: JsonSchema, hint: string): void {
    const content = JSON.stringify(schema);
    const own = nameOf(schema) ?? (schema.properties && toName(hint));
    const name = own ?? (content.length < MIN_FIELD ? undefined : toName(hint));
    const place = this.#places.get(content);
    if (!place) this.#places.set(content, { count: 1, name });
    else {
      place.count += 1;
      // A scalar that fields of several names happen to share has no name that fits.
      if (own === undefined && place.name !== name) place.name = undefined;
    }
    // What is inside of a shared schema stands in one place, however often that is referred to.
    if (place?.name !== undefined && content.length >= MIN_SHARED) return;
    mapSchemas(schema, hint, (inner, innerHint) => {
      this.collect(inner, innerHint);
      return inner;
    });
  }

  /** The schema with references for all that is shared; itself one, where it is. */
  refer(schema: JsonSchema): JsonSchema {
    const content = JSON.stringify(schema);
    const place = this.#places.get(content);
    if (place?.name === undefined || place.count < 2 || content.length < MIN_SHARED)
      return this.#withReferences(schema);
    let name = this.#names.get(content);
    if (name === undefined) {
      name = this.#freeName(place.name);
      this.#names.set(content, name);
      // The name is taken before what is inside, so that the outer one gets the plain name.
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
      const free = count === 1 ? name : `${name}${count}`;
      if (!(free in this.components)) return free;
    }
  }
}

/** The domain's name for it, or one made of that for what is in it. */
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

/** A copy of a schema with each schema directly inside it replaced. */
function mapSchemas(
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

let known: Map<string, string> | undefined;

/** The names that the domain has for schemas, by their content. */
function domainNames(): Map<string, string> {
  known ??= new Map(
    Object.entries(domain).flatMap(([name, value]): [string, string][] =>
      /^[A-Z]/.test(name) && typeof value === 'object' && value !== null ? [[JSON.stringify(value), name]] : [],
    ),
  );
  return known;
}

/** `url_group` is `UrlGroup`. */
function toName(hint: string): string {
  return hint
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
