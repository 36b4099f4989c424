import { onTestFinished, vi } from 'vitest';

/** Lets the clock go a hundred times as fast until the end of the test, for code that gives up after seconds. */
export function speedUpClock(): void {
  const now = Date.now;
  const start = now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + (now() - start) * 100);
  onTestFinished(() => clock.mockRestore());
}
