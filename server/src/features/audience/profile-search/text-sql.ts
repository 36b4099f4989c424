import { listCapitals, lowerCase, nameParts, wholeNameKeys } from '@usher/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { JsonSql } from '../../../db/json.ts';
import { and, type BoolSql, compare, or } from '../filters/bool-sql.ts';

/** Sorts after every text that begins with the text before it. */
const LAST_LETTER = '\u{10ffff}';

/** Whether a column begins with a text: as a range, so that an index finds it. */
export function startsWith(column: Expression<unknown>, text: string): BoolSql {
  return and(compare(column, '>=', text), compare(column, '<', text + LAST_LETTER));
}

/** The ways to write a text whose case is not known. Each is a range of an index, which finds no mixed case. */
export function casesOf(text: string): string[] {
  return [...new Set([text, text.toLowerCase(), text.toUpperCase()])];
}

/** Whether the name contains a text, regardless of case. The name is that of `nameOf`. */
export function nameContains(custom: Expression<unknown>, text: string, json: JsonSql): BoolSql {
  const part = lowerCase(text);
  return or(json.containsIgnoringCase(nameSql(custom, json), part, listCapitals(part)));
}

function nameSql(custom: Expression<unknown>, json: JsonSql): RawBuilder<string | null> {
  const texts = (keys: readonly string[]) => keys.map((key) => sql`nullif(${json.text(custom, [key])}, '')`);
  const [first, last] = texts(nameParts);
  return sql`coalesce(${sql.join([...texts(wholeNameKeys), sql`${first} || ' ' || ${last}`, first, last])})`;
}
