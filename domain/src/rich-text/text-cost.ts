/** What makes a text long to read: signs of Markdown, merge tags and lines. */
const signs = /[*_~`[\]!<>\\#+\n-]|\{\{/g;

/** Reading takes up to 7 µs for each of them, so one text takes 30 ms at most. */
const MAX_SIGNS_IN_TEXT = 4000;
/** One Experience takes a third of a second at most. */
export const MAX_SIGNS_IN_EXPERIENCE = 40_000;

/** How many signs a text has that may mean something. */
export function countSigns(text: string): number {
  return text.match(signs)?.length ?? 0;
}

/** What is wrong with a text that would take long to read. */
export function findCostProblem(text: string): string | undefined {
  if (text.length <= MAX_SIGNS_IN_TEXT) return undefined;
  const count = countSigns(text);
  return count > MAX_SIGNS_IN_TEXT
    ? `It has ${count} line breaks and signs such as \`*\`, \`_\`, \`[\` and \`{{\`: ${MAX_SIGNS_IN_TEXT} at most can be read`
    : undefined;
}
