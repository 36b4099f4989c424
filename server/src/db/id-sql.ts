import { type RawBuilder, sql } from 'kysely';

/** Builds SQL about the time in an ID, which each engine writes in its own way. */
export interface IdSql {
  /** The time in the ID that an expression has, in milliseconds. */
  time(id: string): RawBuilder<number>;
  /** The beginning of all IDs of a time: an ID is at or after the time if it is not less. */
  at(time: RawBuilder<number>): RawBuilder<string>;
}

export const sqliteId: IdSql = {
  time: (id) => sql.raw(sqliteMillisOfId(id)),
  at: (time) => sql`printf('%08x%03x', ${time} / 1000, ${time} % 1000)`,
};

export const postgresId: IdSql = {
  time: (id) => sql.raw(postgresMillisOfId(id)),
  at: (time) => sql`(lpad(to_hex(${time} / 1000), 8, '0') || lpad(to_hex(${time} % 1000), 3, '0'))`,
};

export function sqliteMillisOfId(id: string): string {
  return `(${hexToNumber(id, 1, 8)} * 1000 + ${hexToNumber(id, 9, 3)})`;
}

export function postgresMillisOfId(id: string): string {
  return `(('x' || substr(${id}, 1, 8))::bit(32)::bigint * 1000 + ('x00000' || substr(${id}, 9, 3))::bit(32)::bigint)`;
}

/** Converts digit by digit, because SQLite has no function that parses a hexadecimal text. */
function hexToNumber(text: string, start: number, digits: number): string {
  const places = Array.from({ length: digits }, (_, at) => {
    const digit = `(instr('0123456789abcdef', substr(${text}, ${start + at}, 1)) - 1)`;
    return `${digit} * ${16 ** (digits - 1 - at)}`;
  });
  return `(${places.join(' + ')})`;
}
