/*
 * A file has the key of a record instead of its ID: its folder and its name, such as `tours/welcome`. Parts of an Experience have
 * keys too, such as `hello`, and `hello/next` for a button.
 */

const MAX_KEY = 60;
export const KEY_PATTERN = '[a-z0-9][a-z0-9_-]{0,79}';
const keyPattern = new RegExp(`^${KEY_PATTERN}$`);

export function isFileKey(text: unknown): text is string {
  return typeof text === 'string' && keyPattern.test(text);
}

/** "Welcome to Usher!" becomes `welcome-to-usher`. */
export function toFileKey(text: string, otherwise: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\{\{.*?\}\}|\p{M}/gsu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_KEY)
    .replace(/^-+|-+$/g, '');
  return words || otherwise;
}

/** Gives each record a key that no other has. Known keys stay, and the others follow from the names. */
export function assignKeys<R extends { id: string; name: string }>(
  records: readonly R[],
  known: ReadonlyMap<string, string>,
  otherwise: string,
): Map<string, string> {
  const keys = new Map(records.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id) as string]] : [])));
  const taken = new Set(known.values());
  for (const { id, name } of records.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    if (keys.has(id)) continue;
    const wanted = toFileKey(name, otherwise);
    let key = wanted;
    for (let next = 2; taken.has(key); next++) key = `${wanted}-${next}`;
    taken.add(key);
    keys.set(id, key);
  }
  return keys;
}
