const MAX_SHOWN = 60;
/** First strong isolate, and its end: what is between them cannot change the direction of the text around it. */
const [START, END] = ['\u2068', '\u2069'];

/** A name that somebody else has chosen, for the middle of a sentence: not too long, and isolated from its direction. */
export function shorten(name: string): string {
  const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN).toWellFormed()}…` : name;
  return `${START}${shown}${END}`;
}
