/** The characters that make a text slow to parse: Markdown characters, merge tags and line breaks. */
const signs = /[*_~`[\]!<>\\#+\n-]|\{\{/g;

/** Parsing takes up to 7 µs for each sign, so one text takes 30 ms at most. */
const MAX_SIGNS_IN_TEXT = 4000;
/** Parsing one Experience takes a third of a second at most. */
export const MAX_SIGNS_IN_EXPERIENCE = 40_000;

export function countSigns(text: string): number {
  return text.match(signs)?.length ?? 0;
}

/** Describes the problem of a text that would take too long to parse. */
export function findCostProblem(text: string): string | undefined {
  if (text.length <= MAX_SIGNS_IN_TEXT) return undefined;
  const count = countSigns(text);
  return count > MAX_SIGNS_IN_TEXT
    ? `It has ${count} line breaks and signs such as \`*\`, \`_\`, \`[\` and \`{{\`: ${MAX_SIGNS_IN_TEXT} at most can be read`
    : undefined;
}
