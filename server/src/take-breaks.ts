import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Other requests wait while one of them computes. */
const MAX_WORK_MS = 10;

/** Returns a function to call between small pieces of work. When they have taken long, others run before the next one. */
export function takeBreaks(maxWorkMs = MAX_WORK_MS): (isOver?: boolean) => Promise<void> | undefined {
  let since = performance.now();
  return (isOver = performance.now() - since >= maxWorkMs) => {
    if (!isOver) return undefined;
    return yieldToOthers().then(() => {
      since = performance.now();
    });
  };
}
