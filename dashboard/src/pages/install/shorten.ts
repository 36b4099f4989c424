const MAX_SHOWN = 60;
/**
 * The characters "first strong isolate" and its end: the text between them cannot change the direction of the text
 * around it.
 */
const [START, END] = ['\u2068', '\u2069'];

/** Shortens a name that somebody else has chosen for the middle of a sentence, and isolates its direction. */
export function shorten(name: string): string {
  const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;
  return `${START}${shown}${END}`;
}
