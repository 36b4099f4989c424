import { keysOf } from '../ui/keys-of.ts';
/** Something that the server has stored. */
export type Saved<Values> = Values & { updated_at: string };

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The typed fields that differ from what is saved. */
export function changedFields<Values extends object>(saved: Values, typed: Partial<Values>): Partial<Values> {
  const changed = keysOf(typed).filter((name) => !isSame(typed[name], saved[name]));
  return Object.fromEntries(changed.map((name) => [name, typed[name]])) as Partial<Values>;
}
