import type { Cleanup } from '../kind.ts';
import { safely } from './safely.ts';

/** Runs cleanups and empties the list. An error in one does not keep the others from running. */
export function runAll(cleanups: Cleanup[]): void {
  cleanups.splice(0).forEach(safely);
}
