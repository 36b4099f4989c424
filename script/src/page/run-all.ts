import type { Cleanup } from '../kind.ts';

/** Runs cleanups and empties the list. */
export function runAll(cleanups: Cleanup[]): void {
  for (const cleanup of cleanups.splice(0)) cleanup();
}
