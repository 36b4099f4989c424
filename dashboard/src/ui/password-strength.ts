/** The server accepts no shorter one. */
export const MIN_PASSWORD_LENGTH = 8;

/**
 * From 0 (too short) to 4. Length is what counts: rules about digits and symbols make people choose worse passwords. Only repeated
 * characters are not counted, so that `aaaaaaaaaaaa` is not called good.
 */
export function passwordStrength(password: string): 0 | 1 | 2 | 3 | 4 {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH) return 0;
  const length = Math.min(characters.length, new Set(characters).size * 2);
  if (length < 10) return 1;
  if (length < 13) return 2;
  return length < 17 ? 3 : 4;
}
