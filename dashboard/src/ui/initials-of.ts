const LETTER = /[\p{L}\p{N}]/u;

/** "Ann Mary Lee" is AL. Only letters and digits count, of any script, so a name without them has no initials. */
export function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => LETTER.exec(word)?.[0] ?? []);
  const [first = '', ...others] = letters;
  // Some letters become two in upper case, such as ß.
  return [first, others.at(-1) ?? ''].map((letter) => [...letter.toUpperCase()][0] ?? '').join('');
}
