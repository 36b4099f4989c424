/**
 * The normalized form of a property key, event name or tag: lower case and underscored, so that `userRole`,
 * `User Role` and `user-role` are all `user_role`. Letters and digits of every script stay. Only letters with a lower case
 * (`CWL`, changes when lowercased) count as capitals: 𝐀 has none, and would be split off only the second time.
 */
export function normalizeKey(name: string): string {
  return name
    .normalize('NFC')
    .replace(/(\p{Ll}|\p{N})(\p{CWL})/gu, '$1_$2')
    .replace(/(\p{CWL})(\p{CWL}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '')
    .join('_');
}
