/* This file is part of the browser script. */

export type TaskKind = 'tour' | 'survey';

/** Returns whether users can complete an item of a list: it starts a tour or survey. */
export function isTask({ kind }: { kind?: string }): boolean {
  return kind === 'tour' || kind === 'survey';
}
