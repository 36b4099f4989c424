import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

type Column = Expression<unknown>;
type Scalar = string | number | boolean;

/** Builds SQL about values within JSON columns, which each engine writes in its own way. */
export interface JsonSql {
  present(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  /** Whether the type and the value are exactly these. PostgreSQL uses an index for it. */
  equals(column: Column, path: readonly string[], value: Scalar): RawBuilder<SqlBool>;
  isBoolean(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  isList(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  /** Whether it is a list that is not empty. */
  hasItems(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  /** Whether it is a list that contains exactly this value. PostgreSQL uses an index for it. */
  listContains(column: Column, path: readonly string[], value: Scalar): RawBuilder<SqlBool>;
  /** Whether an ID is in one of these lists. */
  listsId(column: Column, places: readonly ListPath[], id: string): RawBuilder<SqlBool>;
  /** The number, or null for another type. */
  number(column: Column, path: readonly string[]): RawBuilder<number>;
  /** The text, or null for another type. */
  text(column: Column, path: readonly string[]): RawBuilder<string>;
  /** Whether a text is a timestamp, as the API writes it. */
  isTimestamp(text: Expression<string | null>): RawBuilder<SqlBool>;
  /** Whether a text contains another one. */
  contains(text: Expression<string | null>, part: string): RawBuilder<SqlBool>;
  /** Like `contains`, but ignores case. `part` is in lower case. `capitals` has the capitals of its letters beyond A to Z. */
  containsIgnoringCase(
    text: Expression<string | null>,
    part: string,
    capitals: readonly [letter: string, capitals: string][],
  ): RawBuilder<SqlBool>;
  /** Whether a text is in a list, which is passed as JSON. */
  isAmong(text: Expression<string | null>, list: string): RawBuilder<SqlBool>;
  /** The items of a list in a text column, as rows `item` with a `value`; none if it is null. */
  items(text: Expression<string | null>): RawBuilder<unknown>;
  /** The text with A to Z in lower case. */
  fold(text: Expression<string | null>): RawBuilder<string>;
}

/** A list of IDs; with a key, a list of objects that have an ID under it. */
export interface ListPath {
  list: readonly string[];
  key?: string;
}

export const sqliteJson: JsonSql = {
  present: (column, path) => sql`json_type(${column}, ${pathText(path)}) is not null`,
  equals: (column, path, value) => {
    if (typeof value === 'boolean') return sql`json_type(${column}, ${pathText(path)}) = ${String(value)}`;
    const found = sql`json_extract(${column}, ${pathText(path)})`;
    const type = sql`json_type(${column}, ${pathText(path)})`;
    // The value is compared first, because it excludes most rows. SQLite reads it only once for both.
    if (typeof value === 'string') return sql`(${found} = ${value} and ${type} = 'text')`;
    return sql`(${real(found)} = ${value} and ${type} in ('integer', 'real'))`;
  },
  isBoolean: (column, path) => sql`json_type(${column}, ${pathText(path)}) in ('true', 'false')`,
  isList: (column, path) => sql`json_type(${column}, ${pathText(path)}) = 'array'`,
  hasItems: (column, path) => sql`json_array_length(${column}, ${pathText(path)}) > 0`,
  listContains: (column, path, value) => {
    const list = sql`json_each(${column}, ${pathText(path)})`;
    return sql`(json_type(${column}, ${pathText(path)}) = 'array' and exists (select 1 from ${list} as item where ${isItem(value)}))`;
  },
  listsId: (column, places, id) => {
    const named = places.map(({ list, key }) => {
      const value = key === undefined ? sql`item.value` : sql`json_extract(item.value, ${pathText([key])})`;
      return sql`exists (select 1 from json_each(${column}, ${pathText(list)}) as item where ${value} = ${id})`;
    });
    // The ID is searched in the text first, so most rows are excluded without parsing them.
    return sql`(instr(${column}, ${id}) > 0 and (${sql.join(named, sql` or `)}))`;
  },
  number: (column, path) =>
    sql`case when json_type(${column}, ${pathText(path)}) in ('integer', 'real') then ${real(sql`json_extract(${column}, ${pathText(path)})`)} end`,
  text: (column, path) =>
    sql`case when json_type(${column}, ${pathText(path)}) = 'text' then json_extract(${column}, ${pathText(path)}) end`,
  isTimestamp: (text) => sql`${text} glob ${timestampGlob}`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  containsIgnoringCase: (text, part, capitals) =>
    capitals.length === 0
      ? sql`instr(lower(${text}), ${part}) > 0`
      : sql`lower(${text}) glob ${globOf(part, new Map(capitals))}`,
  isAmong: (text, list) => sql`${text} in (select value from json_each(${list}))`,
  items: (text) => sql`json_each(${text}) as item`,
  fold: (text) => sql`lower(${text})`,
};

/** Converts as JavaScript does: SQLite would keep digits of large whole numbers that a JavaScript number cannot have. */
function real(value: RawBuilder<unknown>): RawBuilder<number> {
  return sql`cast(${value} as real)`;
}

function isItem(value: Scalar): RawBuilder<SqlBool> {
  if (typeof value === 'boolean') return sql`item.type = ${String(value)}`;
  if (typeof value === 'string') return sql`item.value = ${value} and item.type = 'text'`;
  return sql`${real(sql`item.value`)} = ${value} and item.type in ('integer', 'real')`;
}

export const postgresJson: JsonSql = {
  present: (column, path) => sql`${at(column, path)} is not null`,
  equals: (column, path, value) => sql`${column} @> ${nested(path, value)}::jsonb`,
  isBoolean: (column, path) => sql`jsonb_typeof(${at(column, path)}) = 'boolean'`,
  isList: (column, path) => sql`jsonb_typeof(${at(column, path)}) = 'array'`,
  hasItems: (column, path) =>
    sql`case when jsonb_typeof(${at(column, path)}) = 'array' then jsonb_array_length(${at(column, path)}) > 0 else false end`,
  listContains: (column, path, value) => sql`${column} @> ${nested(path, [value])}::jsonb`,
  listsId: (column, places, id) => {
    const named = places.map(({ list, key }) => nested(list, [key === undefined ? id : { [key]: id }]));
    return sql`(${sql.join(
      named.map((part) => sql`${column} @> ${part}::jsonb`),
      sql` or `,
    )})`;
  },
  number: (column, path) => {
    const value = at(column, path);
    return sql`case when jsonb_typeof(${value}) = 'number' then (${value} #>> '{}')::numeric end`;
  },
  text: (column, path) => {
    const value = at(column, path);
    return sql`case when jsonb_typeof(${value}) = 'string' then (${value} #>> '{}') collate "C" end`;
  },
  isTimestamp: (text) => sql`${text} ~ ${timestampPattern}`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  containsIgnoringCase: (text, part, capitals) => {
    if (capitals.length === 0) return sql`strpos(lower(${text}), ${part}) > 0`;
    const from = capitals.map(([, others]) => others).join('');
    const to = capitals.map(([letter, others]) => letter.repeat([...others].length)).join('');
    return sql`strpos(translate(lower(${text}), ${from}, ${to}), ${part}) > 0`;
  },
  isAmong: (text, list) => sql`${text} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`,
  items: (text) => sql`jsonb_array_elements(${text}::jsonb) as item(value)`,
  fold: (text) => sql`lower(${text})`,
};

/** Uses one operator for each key: in a path, a key of digits would be taken for the index of a list. */
function at(column: Column, path: readonly string[]): RawBuilder<unknown> {
  return sql`(${column}${sql.join(
    path.map((key) => sql` -> ${key}::text`),
    sql``,
  )})`;
}

const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
const timestampGlob = 'dddd-dd-ddTdd:dd:dd.dddZ'.replaceAll('d', '[0-9]');

/** Returns a pattern for texts that contain `part`, each letter in any case. `lower` of SQLite converts only A to Z. */
function globOf(part: string, capitals: ReadonlyMap<string, string>): string {
  const letters = [...part].map((letter) => {
    const others = capitals.get(letter);
    return others === undefined && !/[*?[]/.test(letter) ? letter : `[${letter}${others ?? ''}]`;
  });
  return `*${letters.join('')}*`;
}

/** Needs no escaping, because keys are normalized and contain no quotes. */
function pathText(path: readonly string[]): string {
  return `$${path.map((key) => `."${key}"`).join('')}`;
}

function nested(path: readonly string[], value: unknown): string {
  return JSON.stringify(path.reduceRight((inner, key) => ({ [key]: inner }), value));
}
