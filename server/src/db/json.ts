import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

type Column = Expression<unknown>;
type Scalar = string | number | boolean;

/** What can be asked of a value within a JSON column. Each engine has its own words for it. */
export interface JsonSql {
  present(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  /** Of exactly this type and value. PostgreSQL finds it by an index. */
  equals(column: Column, path: readonly string[], value: Scalar): RawBuilder<SqlBool>;
  isBoolean(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  isList(column: Column, path: readonly string[]): RawBuilder<SqlBool>;
  /** A list that has exactly this value in it. PostgreSQL finds it by an index. */
  holds(column: Column, path: readonly string[], value: Scalar): RawBuilder<SqlBool>;
  /** Whether an ID is named at one of these places. */
  names(column: Column, places: readonly NamedAt[], id: string): RawBuilder<SqlBool>;
  /** The number; null when it is none. */
  number(column: Column, path: readonly string[]): RawBuilder<number>;
  /** The text; null when it is none. */
  text(column: Column, path: readonly string[]): RawBuilder<string>;
  /** Whether a text is a time in its one written form. */
  isTimestamp(text: Expression<string | null>): RawBuilder<SqlBool>;
  /** Whether a text has another in it. */
  contains(text: Expression<string | null>, part: string): RawBuilder<SqlBool>;
  /** The same ignoring case: `part` is in lower case, with the capitals of those of its letters that are beyond A to Z. */
  containsIgnoringCase(
    text: Expression<string | null>,
    part: string,
    capitals: readonly [letter: string, capitals: string][],
  ): RawBuilder<SqlBool>;
  /** Whether a text is one of a list, which is given as JSON. */
  isAmong(text: Expression<string | null>, list: string): RawBuilder<SqlBool>;
  /** A to Z in small letters. */
  fold(text: Expression<string | null>): RawBuilder<string>;
  /** Columns as one JSON text, a list: a driver takes longer for each column than the parser for its value. */
  list(columns: readonly Column[]): RawBuilder<string>;
  /** JSON columns and texts as one JSON text, a list. */
  joined(parts: readonly Column[]): RawBuilder<string>;
  /** Rows as one JSON text: a list with a list for each, of these columns. */
  rows(columns: readonly Column[]): RawBuilder<string>;
}

/** A list of IDs; with a key, a list of objects that have an ID under it. */
export interface NamedAt {
  list: readonly string[];
  key?: string;
}

export const sqliteJson: JsonSql = {
  present: (column, path) => sql`json_type(${column}, ${pathText(path)}) is not null`,
  equals: (column, path, value) => {
    if (typeof value === 'boolean') return sql`json_type(${column}, ${pathText(path)}) = ${String(value)}`;
    const found = sql`json_extract(${column}, ${pathText(path)})`;
    const type = sql`json_type(${column}, ${pathText(path)})`;
    // The value first: it is what rules most rows out, and is read only once for both.
    if (typeof value === 'string') return sql`(${found} = ${value} and ${type} = 'text')`;
    return sql`(${real(found)} = ${value} and ${type} in ('integer', 'real'))`;
  },
  isBoolean: (column, path) => sql`json_type(${column}, ${pathText(path)}) in ('true', 'false')`,
  isList: (column, path) => sql`json_type(${column}, ${pathText(path)}) = 'array'`,
  holds: (column, path, value) => {
    const list = sql`json_each(${column}, ${pathText(path)})`;
    return sql`(json_type(${column}, ${pathText(path)}) = 'array' and exists (select 1 from ${list} as item where ${isItem(value)}))`;
  },
  names: (column, places, id) => {
    const named = places.map(({ list, key }) => {
      const value = key === undefined ? sql`item.value` : sql`json_extract(item.value, ${pathText([key])})`;
      return sql`exists (select 1 from json_each(${column}, ${pathText(list)}) as item where ${value} = ${id})`;
    });
    // Looked for in the text first: most rows are ruled out without being parsed.
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
  fold: (text) => sql`lower(${text})`,
  list: (columns) => sql`json_array(${sql.join(columns)})`,
  joined,
  rows: (columns) => sql`json_group_array(json_array(${sql.join(columns)}))`,
};

/** On SQLite, where alone writes are shared: a JSON list of lists as a table with these names. */
export function sqliteTable(list: string, names: readonly string[]): RawBuilder<Record<string, never>> {
  const columns = names.map((name, at) => sql`value ->> ${sql.lit(at)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(columns)} from json_each(${list}))`;
}

function joined(parts: readonly Column[]): RawBuilder<string> {
  const texts = parts.map((part) => sql`cast(${part} as text)`);
  return sql`'[' || ${sql.join(texts, sql` || ',' || `)} || ']'`;
}

/** As JavaScript reads it: SQLite by itself keeps digits of large whole numbers that no number of JSON has. */
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
  holds: (column, path, value) => sql`${column} @> ${nested(path, [value])}::jsonb`,
  names: (column, places, id) => {
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
  fold: (text) => sql`lower(${text})`,
  list: (columns) => sql`json_build_array(${sql.join(columns)})::text`,
  joined,
  rows: (columns) => sql`coalesce(json_agg(json_build_array(${sql.join(columns)})), '[]')::text`,
};

/** Key by key: as one path, a key of digits would count into a list. */
function at(column: Column, path: readonly string[]): RawBuilder<unknown> {
  return sql`(${column}${sql.join(
    path.map((key) => sql` -> ${key}::text`),
    sql``,
  )})`;
}

const timestampPattern = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';
const timestampGlob = 'dddd-dd-ddTdd:dd:dd.dddZ'.replaceAll('d', '[0-9]');

/** A pattern for texts that have this in them, each letter in any of its cases; SQLite by itself knows those of A to Z. */
function globOf(part: string, capitals: ReadonlyMap<string, string>): string {
  const letters = [...part].map((letter) => {
    const others = capitals.get(letter);
    return others === undefined && !/[*?[]/.test(letter) ? letter : `[${letter}${others ?? ''}]`;
  });
  return `*${letters.join('')}*`;
}

/** Keys are normalized: no quote can be in one. */
function pathText(path: readonly string[]): string {
  return `$${path.map((key) => `."${key}"`).join('')}`;
}

function nested(path: readonly string[], value: unknown): string {
  return JSON.stringify(path.reduceRight((inner, key) => ({ [key]: inner }), value));
}
