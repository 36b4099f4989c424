import {
  AFTER_ANONYMOUS,
  type Age,
  ANONYMOUS_PREFIX,
  ageCutoff,
  comparableType,
  type Fact,
  type Field,
  firstIdAt,
  foldCase,
  listCapitals,
  type Millis,
  type Order,
  type PropertyTest,
  type Scalar,
  toTimestamp,
} from '@usher/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { JsonSql } from '../../../db/json.ts';
import { and, type BoolSql, type Comparison, compare, never, not, numeric, or } from './bool-sql.ts';

/** What tests need of a property, wherever it is stored. An expression is null for a value of another type. */
interface PropertySql {
  present: BoolSql;
  equals(value: Scalar): BoolSql;
  number: Expression<number | null> | undefined;
  text: Expression<string | null> | undefined;
  isBoolean: BoolSql;
  isList: BoolSql;
  contains(value: Scalar): BoolSql;
  /** Newer or older than a time. */
  time(op: Comparison, time: Millis): BoolSql;
  isTime: BoolSql;
}

/** A test of one property of a profile or Company, or of what has its properties in another column. */
export function propertyTestSql(
  field: Field,
  test: PropertyTest,
  json: JsonSql,
  now: Millis,
  column = field.of === 'profile' ? 'profiles.custom' : 'companies.custom',
): BoolSql {
  const property = 'fact' in field ? factSql(field.of, field.fact, json) : customSql(column, field.path, json);
  return testSql(property, test, json, now);
}

function testSql(property: PropertySql, test: PropertyTest, json: JsonSql, now: Millis): BoolSql {
  const missing = not(property.present);
  switch (test.is) {
    case 'present':
      return property.present;
    case 'missing':
      return missing;
    case 'equal':
      return equalsOne(property, test, json);
    case 'unequal': {
      const types = [...new Set(test.to.map(comparableType))];
      return or(
        missing,
        and(or(...types.map((type) => isOfType(property, type, json))), not(equalsOne(property, test, json))),
      );
    }
    case 'ordered':
      return orderedSql(property, test.op, test.than, json);
    case 'aged':
      return agedSql(property, test, now);
    case 'containing':
      return containsOne(property, test, json);
    case 'not containing':
      return or(missing, and(isOfType(property, 'string', json), not(containsOne(property, test, json))));
    case 'holding':
      return or(...test.values.map((value) => property.contains(value)));
    case 'not holding':
      return or(missing, and(property.isList, not(or(...test.values.map((value) => property.contains(value))))));
  }
}

function equalsOne(
  property: PropertySql,
  { to, ignoringCase }: { to: Scalar[]; ignoringCase: boolean },
  json: JsonSql,
): BoolSql {
  const folded = ignoringCase ? to.filter((value) => comparableType(value) === 'string') : [];
  const exact = to.filter((value) => !folded.includes(value)).map((value) => property.equals(value));
  const { text } = property;
  if (folded.length === 0 || !text) return or(...exact);
  const alike = folded.map((value) => compare(json.fold(text), '=', foldCase(String(value))));
  return or(...exact, and(isOfType(property, 'string', json), or(...alike)));
}

/** Ingestion stores no text that is longer. */
const MAX_CHARACTERS = 768;

function containsOne(
  property: PropertySql,
  { texts, ignoringCase }: { texts: string[]; ignoringCase: boolean },
  json: JsonSql,
): BoolSql {
  const { text } = property;
  if (!text) return never;
  const parts = texts.filter((part) => part.length <= 2 * MAX_CHARACTERS);
  const contains = (part: string) =>
    ignoringCase ? json.containsIgnoringCase(text, part, listCapitals(part)) : json.contains(text, part);
  return and(isOfType(property, 'string', json), or(...parts.map(contains)));
}

function orderedSql(property: PropertySql, op: Order, than: Scalar, json: JsonSql): BoolSql {
  const type = comparableType(than);
  if (type === 'number') return property.number ? compare(property.number, op, numeric(than)) : never;
  if (type === 'timestamp') return property.time(op, Date.parse(String(than)));
  if (type === 'string' && property.text)
    return and(compare(property.text, op, than), isOfType(property, 'string', json));
  return never;
}

function agedSql(property: PropertySql, age: Age, now: Millis): BoolSql {
  return property.time(age.newer ? '>' : '<', ageCutoff(age, now));
}

function isOfType(property: PropertySql, type: ReturnType<typeof comparableType>, json: JsonSql): BoolSql {
  switch (type) {
    case 'number':
      return property.number ? sql`${property.number} is not null` : never;
    case 'boolean':
      return property.isBoolean;
    case 'timestamp':
      return property.isTime;
    case 'string':
      // Without a text this is null, which counts as false. A test for null would read the JSON again.
      return property.text ? sql`not (${json.isTimestamp(property.text)})` : never;
    default:
      return never;
  }
}

/** A custom property, which is JSON of any type. */
function customSql(name: string, path: string[], json: JsonSql): PropertySql {
  const column = sql.ref(name);
  const text = json.text(column, path);
  const isTime = json.isTimestamp(text);
  return {
    present: json.present(column, path),
    equals: (value) => json.equals(column, path, value),
    number: json.number(column, path),
    text,
    isBoolean: json.isBoolean(column, path),
    isList: json.isList(column, path),
    contains: (value) => json.listContains(column, path, value),
    time: (op, time) => and(compare(text, op, toTimestamp(time)), isTime),
    isTime,
  };
}

/** A property with a column of its own. */
function factSql(of: Field['of'], { name, type }: Fact, json: JsonSql): PropertySql {
  if (name === 'anonymous') return anonymousSql();
  const table = of === 'profile' ? 'profiles' : 'companies';
  if (name === 'created_at') return creationSql(sql.ref(`${table}.id`), sql.ref(`${table}.created_at`));
  const column = sql.ref(`${table}.${name === 'email' ? 'email_key' : name}`);
  const wantedType = { text: 'string', number: 'number', time: 'timestamp', boolean: 'boolean' }[type];
  const equals = (value: Scalar) => {
    if (type === 'text') return compare(column, '=', value);
    if (comparableType(value) !== wantedType) return never;
    return compare(column, '=', type === 'time' ? Date.parse(String(value)) : numeric(value));
  };
  return {
    present: sql`${column} is not null`,
    equals,
    number: type === 'number' ? sql`${column}` : undefined,
    text: type === 'text' ? sql`${column}` : undefined,
    isBoolean: never,
    isList: never,
    contains: () => never,
    time: (op, time) => {
      if (type === 'text') return and(compare(column, op, toTimestamp(time)), json.isTimestamp(sql`${column}`));
      return type === 'time' ? compare(column, op, time) : never;
    },
    isTime: type === 'time' ? sql`${column} is not null` : type === 'text' ? json.isTimestamp(sql`${column}`) : never,
  };
}

/** The uid says whether a user has not signed in, so that the index of uids finds all of them. */
function anonymousSql(): PropertySql {
  const uid = sql.ref('profiles.uid');
  const isAnonymous = and(compare(uid, '>=', ANONYMOUS_PREFIX), compare(uid, '<', AFTER_ANONYMOUS));
  return {
    present: sql`${uid} is not null`,
    equals: (value) => (typeof value === 'boolean' ? (value ? isAnonymous : not(isAnonymous)) : never),
    number: undefined,
    text: undefined,
    isBoolean: sql`${uid} is not null`,
    isList: never,
    contains: () => never,
    time: () => never,
    isTime: never,
  };
}

/** An ID contains its time of creation, so a comparison of times is one of IDs. What came from another service has a time of its own. */
function creationSql(id: RawBuilder<unknown>, createdAt: RawBuilder<unknown>): PropertySql {
  const time = (op: Comparison, at: Millis): BoolSql =>
    sql`(case when ${createdAt} is null then ${idTime(op, at)} else ${compare(createdAt, op, at)} end)`;
  const idTime = (op: Comparison, at: Millis): BoolSql => {
    const [start, end] = [firstIdAt(at), firstIdAt(at + 1)];
    if (op === '>') return compare(id, '>=', end);
    if (op === '>=') return compare(id, '>=', start);
    if (op === '<') return compare(id, '<', start);
    if (op === '<=') return compare(id, '<', end);
    return and(compare(id, '>=', start), compare(id, '<', end));
  };
  return {
    present: sql`${id} is not null`,
    equals: (value) => (comparableType(value) === 'timestamp' ? time('=', Date.parse(String(value))) : never),
    number: undefined,
    text: undefined,
    isBoolean: never,
    isList: never,
    contains: () => never,
    time,
    isTime: sql`${id} is not null`,
  };
}
