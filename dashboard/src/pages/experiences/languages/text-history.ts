import { keyOf, type TextPlace } from './texts.ts';

interface TextChange {
  place: TextPlace;
  before: string;
  after: string;
  at: number;
}

/** The changes that can be undone and redone, the latest last. */
export interface TextHistory {
  past: readonly TextChange[];
  future: readonly TextChange[];
}

/** Letters that follow each other this quickly are undone together. */
const PAUSE_MS = 1_500;

export function canJoin(last: TextChange, next: TextChange): boolean {
  return keyOf(last.place) === keyOf(next.place) && next.at - last.at < PAUSE_MS;
}
