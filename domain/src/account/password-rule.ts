/*
 * Which passwords people may choose, for the server and for the forms of the dashboard. Length is what counts: rules about
 * digits and symbols make people choose worse passwords. Common passwords are rejected, because attackers try them first.
 */

export const MIN_PASSWORD = 8;

/** Why a password is rejected: it is too short, it is common, or it is the email or the name of the person. */
export type PasswordProblem = 'short' | 'common' | 'personal';

/**
 * Common passwords, without the digits and signs that people add in front and at the end. Every list of leaked passwords has
 * them.
 */
const common =
  ' password passwort passw pass admin administrator root login user guest test testing default secret changeme letmein ' +
  'welcome hello iloveyou monkey dragon football baseball basketball master superman batman sunshine princess shadow ' +
  'michael jessica ashley charlie jordan daniel summer winter spring autumn freedom whatever trustno starwars computer ' +
  'internet google facebook samsung liverpool chelsea arsenal cheese pokemon naruto killer flower lovely access usher ' +
  'qwerty qwertz azerty qwertyuiop qwertzuiop azertyuiop asdfghjkl asdfgh zxcvbnm qazwsx qazwsxedc passwordpassword ';

/** Sequences of the alphabet, of numbers and of keyboards. */
const sequence = 'abcdefghijklmnopqrstuvwxyz 012345678901234567890 qwertyuiop qwertzuiop asdfghjkl zxcvbnm';

/** A password with fewer different characters than this is a pattern, such as `abababab`. */
const MIN_DIFFERENT = 4;

/** Finds why a password is too weak. `about` is what others know of the person: their email and their name. */
export function findPasswordProblem(password: string, about: readonly string[] = []): PasswordProblem | undefined {
  if ([...password].length < MIN_PASSWORD) return 'short';
  const bare = bareOf(password);
  if (isCommon(password.toLowerCase(), bare)) return 'common';
  const known = about.flatMap((text) => [text, ...text.split(/[@\s]+/)]).map(bareOf);
  return known.includes(bare) ? 'personal' : undefined;
}

function isCommon(password: string, bare: string): boolean {
  if (new Set(password).size < MIN_DIFFERENT) return true;
  // `p@ssw0rd` is as well known as `password`.
  const plain = bareOf(password.replace(/[@4310$5]/g, (sign) => letters[sign] ?? sign));
  if ([bare, plain].some((word) => common.includes(` ${word} `))) return true;
  return [password, bare].some(
    (text) => text.length >= 4 && (sequence.includes(text) || sequence.includes(reverse(text))),
  );
}

const letters: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '0': 'o', $: 's', '5': 's' };

function reverse(text: string): string {
  return [...text].reverse().join('');
}

/** Returns a password in lower case, without separators, and without the digits and signs in front and at the end. */
function bareOf(text: string): string {
  const lower = text.toLowerCase().normalize('NFKC');
  const joined = lower.replace(/[\s._+-]/g, '');
  return joined.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '') || joined;
}

const explanations: Record<PasswordProblem, string> = {
  short: `must have ${MIN_PASSWORD} characters or more`,
  common:
    'is a common password, which is guessed first: choose another one, such as four words that do not belong together',
  personal: 'must not be your email or your name: choose another one, such as four words that do not belong together',
};

/** Completes a sentence that begins with the name of the parameter or setting. */
export function explainPasswordProblem(problem: PasswordProblem): string {
  return explanations[problem];
}
