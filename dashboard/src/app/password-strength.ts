import { findPasswordProblem } from '@usher/domain';

/**
 * Rates a password from 0 (the server does not accept it) to 4. Repeated characters are not counted, and above the
 * minimum only length counts.
 */
export function passwordStrength(password: string, about: readonly string[]): 0 | 1 | 2 | 3 | 4 {
  if (findPasswordProblem(password, about)) return 0;
  const characters = [...password];
  const length = Math.min(characters.length, new Set(characters).size * 2);
  if (length < 10) return 1;
  if (length < 13) return 2;
  return length < 17 ? 3 : 4;
}
