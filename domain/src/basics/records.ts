/** The names of the properties, with their type. The object has no others, as it was written or parsed with that type. */
export function keysOf<Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  return Object.keys(record) as Key[];
}

/** An object with a value for each name. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  toValue: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, toValue(key)])) as Record<Key, Value>;
}

export function isOneOf<Word>(words: readonly Word[], value: unknown): value is Word {
  return words.some((word) => word === value);
}
