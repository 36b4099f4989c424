/**
 * The normalized form of a property key, event name or tag: lower case and underscored, so that `userRole`,
 * `User Role` and `user-role` are all `user_role`. Letters and digits of every script stay.
 */
export function normalizeKey(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((word) => word !== '')
    .join('_');
}
