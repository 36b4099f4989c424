/**
 * The properties that name a person or a Company: the first that is there, or the last two together. Customers name their
 * users as they like; these are the usual keys.
 */
export const wholeNameKeys = ['name', 'full_name'] as const;
export const nameParts = ['first_name', 'last_name'] as const;

/** The name in the properties of a profile or Company, or null. A search in the database must use the same rule. */
export function nameOf(custom: Readonly<Record<string, unknown>>): string | null {
  const texts = (keys: readonly string[]) =>
    keys.map((key) => custom[key]).filter((value) => typeof value === 'string' && value !== '');
  const [whole] = texts(wholeNameKeys);
  if (whole !== undefined) return whole as string;
  const parts = texts(nameParts);
  return parts.length > 0 ? parts.join(' ') : null;
}
