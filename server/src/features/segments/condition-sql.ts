import {
  type Age,
  ageCutoff,
  type Condition,
  comparableType,
  type Fact,
  type Field,
  firstIdAt,
  foldCase,
  type InteractionState,
  listCapitals,
  type Millis,
  type NumberComparison,
  type Order,
  type PropertyTest,
  type Scalar,
  toTimestamp,
} from '@usher/domain';
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { JsonSql } from '../../db/json.ts';
import type { Schema } from '../../db/schema.ts';

/** What the conditions are asked with. */
export interface Asking {
  accountId: string;
  json: JsonSql;
  now: Millis;
  /** The condition of a Segment, where there can be one. */
  segment?(id: string): Condition;
}

type Bool = Expression<SqlBool>;
const yes = sql<SqlBool>`1 = 1`;
const no = sql<SqlBool>`1 = 0`;

/**
 * A condition as SQL over `profiles`, joined with `companies` where `company.…` is asked for. It says the same as
 * `matches` in the domain says of one profile. Null, which is neither true nor false, can come out of a part that does
 * not hold: what negates a part turns it into false first.
 */
export function conditionSql(condition: Condition, asking: Asking): Bool {
  switch (condition.is) {
    case 'all':
      return and(...condition.of.map((part) => conditionSql(part, asking)));
    case 'any':
      return or(...condition.of.map((part) => conditionSql(part, asking)));
    case 'not':
      return not(conditionSql(condition.of, asking));
    case 'in segment':
      return conditionSql(segmentOf(condition.id, asking), asking);
    case 'property':
      return propertySql(condition.field, condition.test, asking);
    case 'event':
      return eventSql(condition, asking);
    case 'tour':
      return tourSql(condition, asking);
    case 'survey':
      return surveySql(condition, asking);
  }
}

function segmentOf(id: string, { segment }: Asking): Condition {
  if (!segment) throw new Error('Only profiles are in Segments');
  return segment(id);
}

function not(condition: Bool): Bool {
  return sql`not coalesce(${condition}, ${no})`;
}

function and(...parts: Bool[]): Bool {
  return joined(parts, sql` and `) ?? yes;
}

function or(...parts: Bool[]): Bool {
  return joined(parts, sql` or `) ?? no;
}

/** Half by half: one after the other, a thousand parts would lie a thousand levels deep, and SQLite refuses that. */
function joined(parts: Bool[], by: RawBuilder<unknown>): Bool | undefined {
  if (parts.length <= 1) return parts[0];
  const middle = parts.length >> 1;
  return sql`(${joined(parts.slice(0, middle), by)}${by}${joined(parts.slice(middle), by)})`;
}

function compare(left: Expression<unknown>, op: Order | '=' | '<>', right: Expression<unknown> | Scalar): Bool {
  return sql`${left} ${sql.raw(op)} ${right}`;
}

/** Of no type that a column could impose on it: there are more numbers than fit into one of whole numbers. */
function numeric(value: Scalar): Expression<unknown> {
  return sql`cast(${value} as numeric)`;
}

/* Properties: a value, wherever it is, is asked for the same things. */

/** The ways in which one property can be asked; null stands for what is of another type. */
interface Criterion {
  present: Bool;
  equals(value: Scalar): Bool;
  number: Expression<number | null> | undefined;
  text: Expression<string | null> | undefined;
  isBoolean: Bool;
  isList: Bool;
  holds(value: Scalar): Bool;
  /** Newer or older than a time. */
  time(op: Order | '=' | '<>', time: Millis): Bool;
  isTime: Bool;
}

function propertySql(field: Field, test: PropertyTest, asking: Asking): Bool {
  const asked = 'fact' in field ? askFact(field.of, field.fact, asking) : askCustom(field.of, field.path, asking);
  return testSql(asked, test, asking);
}

function testSql(asked: Criterion, test: PropertyTest, { json, now }: Asking): Bool {
  const missing = not(asked.present);
  switch (test.is) {
    case 'present':
      return asked.present;
    case 'missing':
      return missing;
    case 'equal':
      return equalsOne(asked, test, json);
    case 'unequal': {
      const types = [...new Set(test.to.map(comparableType))];
      return or(
        missing,
        and(or(...types.map((type) => isOfType(asked, type, json))), not(equalsOne(asked, test, json))),
      );
    }
    case 'ordered':
      return orderedSql(asked, test.op, test.than, json);
    case 'aged':
      return agedSql(asked, test, now);
    case 'containing':
      return containsOne(asked, test, json);
    case 'not containing':
      return or(missing, and(isOfType(asked, 'string', json), not(containsOne(asked, test, json))));
    case 'holding':
      return or(...test.values.map((value) => asked.holds(value)));
    case 'not holding':
      return or(missing, and(asked.isList, not(or(...test.values.map((value) => asked.holds(value))))));
  }
}

function equalsOne(
  asked: Criterion,
  { to, ignoringCase }: { to: Scalar[]; ignoringCase: boolean },
  json: JsonSql,
): Bool {
  const folded = ignoringCase ? to.filter((value) => comparableType(value) === 'string') : [];
  const exact = to.filter((value) => !folded.includes(value)).map((value) => asked.equals(value));
  const { text } = asked;
  if (folded.length === 0 || !text) return or(...exact);
  const alike = folded.map((value) => compare(json.fold(text), '=', foldCase(String(value))));
  return or(...exact, and(isOfType(asked, 'string', json), or(...alike)));
}

/** No text that is stored has more characters. */
const MAX_CHARACTERS = 768;

function containsOne(
  asked: Criterion,
  { texts, ignoringCase }: { texts: string[]; ignoringCase: boolean },
  json: JsonSql,
): Bool {
  const { text } = asked;
  if (!text) return no;
  const parts = texts.filter((part) => part.length <= 2 * MAX_CHARACTERS);
  const contains = (part: string) =>
    ignoringCase ? json.containsIgnoringCase(text, part, listCapitals(part)) : json.contains(text, part);
  return and(isOfType(asked, 'string', json), or(...parts.map(contains)));
}

function orderedSql(asked: Criterion, op: Order, than: Scalar, json: JsonSql): Bool {
  const type = comparableType(than);
  if (type === 'number') return asked.number ? compare(asked.number, op, numeric(than)) : no;
  if (type === 'timestamp') return asked.time(op, Date.parse(String(than)));
  if (type === 'string' && asked.text) return and(compare(asked.text, op, than), isOfType(asked, 'string', json));
  return no;
}

function agedSql(asked: Criterion, age: Age, now: Millis): Bool {
  return asked.time(age.newer ? '>' : '<', ageCutoff(age, now));
}

function isOfType(asked: Criterion, type: ReturnType<typeof comparableType>, json: JsonSql): Bool {
  switch (type) {
    case 'number':
      return asked.number ? sql`${asked.number} is not null` : no;
    case 'boolean':
      return asked.isBoolean;
    case 'timestamp':
      return asked.isTime;
    case 'string':
      return asked.text ? and(sql`${asked.text} is not null`, not(json.isTimestamp(asked.text))) : no;
    default:
      return no;
  }
}

function askCustom(of: Field['of'], path: string[], { json }: Asking): Criterion {
  const column = sql.ref(of === 'profile' ? 'profiles.custom' : 'companies.custom');
  const text = json.text(column, path);
  const isTime = json.isTimestamp(text);
  return {
    present: json.present(column, path),
    equals: (value) => json.equals(column, path, value),
    number: json.number(column, path),
    text,
    isBoolean: json.isBoolean(column, path),
    isList: json.isList(column, path),
    holds: (value) => json.holds(column, path, value),
    time: (op, time) => and(compare(text, op, toTimestamp(time)), isTime),
    isTime,
  };
}

function askFact(of: Field['of'], { name, type }: Fact, { json }: Asking): Criterion {
  const table = of === 'profile' ? 'profiles' : 'companies';
  if (name === 'created_at') return askCreation(sql.ref(`${table}.id`));
  const column = sql.ref(`${table}.${name === 'email' ? 'email_key' : name}`);
  const ofType = { text: 'string', number: 'number', time: 'timestamp' }[type];
  const equals = (value: Scalar) => {
    if (type === 'text') return compare(column, '=', value);
    if (comparableType(value) !== ofType) return no;
    return compare(column, '=', type === 'time' ? Date.parse(String(value)) : numeric(value));
  };
  return {
    present: sql`${column} is not null`,
    equals,
    number: type === 'number' ? sql`${column}` : undefined,
    text: type === 'text' ? sql`${column}` : undefined,
    isBoolean: no,
    isList: no,
    holds: () => no,
    time: (op, time) => {
      if (type === 'text') return and(compare(column, op, toTimestamp(time)), json.isTimestamp(sql`${column}`));
      return type === 'time' ? compare(column, op, time) : no;
    },
    isTime: type === 'time' ? sql`${column} is not null` : type === 'text' ? json.isTimestamp(sql`${column}`) : no,
  };
}

/** The ID holds the time of creation, so a time is a place among the IDs. */
function askCreation(id: RawBuilder<unknown>): Criterion {
  const time = (op: Order | '=' | '<>', at: Millis): Bool => {
    const [start, end] = [firstIdAt(at), firstIdAt(at + 1)];
    if (op === '>') return compare(id, '>=', end);
    if (op === '>=') return compare(id, '>=', start);
    if (op === '<') return compare(id, '<', start);
    if (op === '<=') return compare(id, '<', end);
    return and(compare(id, '>=', start), compare(id, '<', end));
  };
  return {
    present: sql`${id} is not null`,
    equals: (value) => (comparableType(value) === 'timestamp' ? time('=', Date.parse(String(value))) : no),
    number: undefined,
    text: undefined,
    isBoolean: no,
    isList: no,
    holds: () => no,
    time,
    isTime: sql`${id} is not null`,
  };
}

/* What users did is in tables of its own: one row of each is looked up for each profile. */

function compareNumber(left: Expression<unknown>, { op, to }: NumberComparison): Bool {
  return compare(left, op, numeric(to));
}

function ageOf(column: Expression<unknown>, age: Age, now: Millis): Bool {
  return compare(column, age.newer ? '>' : '<', ageCutoff(age, now));
}

function eventSql({ name, count, last }: Extract<Condition, { is: 'event' }>, asking: Asking): Bool {
  const found = expressionBuilder<Schema & { profiles: Schema['profiles'] }, 'profiles'>()
    .selectFrom('profile_events')
    .where('profile_events.account_id', '=', asking.accountId)
    .whereRef('profile_events.profile_id', '=', 'profiles.id')
    .where('profile_events.name', '=', name);
  const counted = compareNumber(sql`coalesce(${found.select('profile_events.count')}, 0)`, count);
  if (!last) return counted;
  return and(counted, ageOf(sql`${found.select('profile_events.last_at')}`, last, asking.now));
}

function tourSql({ id, state, age }: Extract<Condition, { is: 'tour' }>, asking: Asking): Bool {
  const column = sql.ref(`interactions.${state ? (`${state}_at` as `${InteractionState}_at`) : 'updated_at'}`);
  const found = expressionBuilder<Schema, 'profiles'>()
    .selectFrom('interactions')
    .select(sql`1`.as('one'))
    .where('interactions.account_id', '=', asking.accountId)
    .whereRef('interactions.profile_id', '=', 'profiles.id')
    .where('interactions.experience_id', '=', id)
    .where(age ? ageOf(column, age, asking.now) : sql<SqlBool>`${column} is not null`);
  return sql`exists ${found}`;
}

function surveySql({ id, answer }: Extract<Condition, { is: 'survey' }>, asking: Asking): Bool {
  const index = sql.ref('answers.button_index');
  const found = expressionBuilder<Schema, 'profiles'>()
    .selectFrom('answers')
    .select(sql`1`.as('one'))
    .where('answers.account_id', '=', asking.accountId)
    .whereRef('answers.profile_id', '=', 'profiles.id')
    .where('answers.experience_id', '=', id)
    .where(answer ? compareNumber(index, answer) : yes);
  return sql`exists ${found}`;
}

/** Whether a condition asks for something of the Company. */
export function asksCompany(condition: Condition, segment: (id: string) => Condition): boolean {
  switch (condition.is) {
    case 'all':
    case 'any':
      return condition.of.some((part) => asksCompany(part, segment));
    case 'not':
      return asksCompany(condition.of, segment);
    case 'in segment':
      return asksCompany(segment(condition.id), segment);
    case 'property':
      return condition.field.of === 'company';
    default:
      return false;
  }
}
