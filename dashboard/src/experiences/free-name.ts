import { api } from '../api/api.ts';
import * as text from '../messages/text.ts';

/** The longest copied part of a name, so that a number still fits behind it. */
const MAX_COPIED = 240;

/** The name, or the name with the first number that no other Experience has. */
export async function findFreeName(name: string): Promise<string> {
  const { experiences } = await api('GET /v3/edit/experiences', { search: name, limit: 500, fields: 'list' });
  return freeName(
    name,
    experiences.map((one) => one.name),
  );
}

/** "Copy of Welcome", then "Copy of Welcome 2". */
export function nameOfCopy(name: string): Promise<string> {
  return findFreeName([...text.ui.copyOf(name)].slice(0, MAX_COPIED).join(''));
}

export function freeName(name: string, taken: readonly string[]): string {
  const others = new Set(taken.map((one) => one.trim().toLowerCase()));
  const isFree = (one: string) => !others.has(one.toLowerCase());
  if (isFree(name)) return name;
  let number = 2;
  while (!isFree(`${name} ${number}`)) number++;
  return `${name} ${number}`;
}
