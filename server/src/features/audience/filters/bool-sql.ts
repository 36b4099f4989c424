import type { Order, Scalar } from '@usher/domain';
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';

export type BoolSql = Expression<SqlBool>;
export type Comparison = Order | '=' | '<>';

export const always = sql<SqlBool>`1 = 1`;
export const never = sql<SqlBool>`1 = 0`;

/** A comparison with a missing value is null, which is neither true nor false: it counts as false. */
export function not(condition: BoolSql): BoolSql {
  return sql`not coalesce(${condition}, ${never})`;
}

export function and(...parts: BoolSql[]): BoolSql {
  return join(parts, sql` and `) ?? always;
}

export function or(...parts: BoolSql[]): BoolSql {
  return join(parts, sql` or `) ?? never;
}

/**
 * A condition for raw SQL that names tables. The account guard reads what is in these parentheses apart: an OR in them cannot undo a
 * condition around them.
 */
export function inParens(condition: BoolSql): BoolSql {
  return expressionBuilder<Schema>().parens(condition);
}

/** Joins in halves: one by one, a thousand parts would nest a thousand levels deep, which SQLite rejects. */
function join(parts: BoolSql[], operator: RawBuilder<unknown>): BoolSql | undefined {
  if (parts.length <= 1) return parts[0];
  const middle = parts.length >> 1;
  return sql`(${join(parts.slice(0, middle), operator)}${operator}${join(parts.slice(middle), operator)})`;
}

export function compare(left: Expression<unknown>, op: Comparison, right: Expression<unknown> | Scalar): BoolSql {
  return sql`${left} ${sql.raw(op)} ${right}`;
}

/** The cast keeps the type of a column off the value: an integer column would reject larger numbers. */
export function numeric(value: Scalar): Expression<unknown> {
  return sql`cast(${value} as numeric)`;
}
