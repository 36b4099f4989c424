/** Returns whether users can complete an item of a list: it starts a tour or survey. This file is part of the browser script. */
export function isTask({ kind }: { kind?: string }): boolean {
  return kind === 'tour' || kind === 'survey';
}
