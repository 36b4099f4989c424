/** JSON that is the same for two values that differ only in the order of their keys, as after PostgreSQL has stored one. */
export function jsonInKeyOrder(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
