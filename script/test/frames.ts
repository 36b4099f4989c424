import type { Page } from 'playwright-core';

/** Waits until the browser has painted this many frames. The script acts once in a frame, and there are at most 60 in a second. */
export function afterFrames(page: Page, count: number): Promise<void> {
  return page.evaluate(
    (count) =>
      new Promise<void>((done) => {
        const next = () => (count-- > 0 ? requestAnimationFrame(next) : done());
        next();
      }),
    count,
  );
}

/**
 * Sends two events, one after the other. An event waits longer than a visit that follows a change of the route. So when the second
 * event is sent, the page has also sent every visit that was due.
 */
export async function afterEvents(page: Page): Promise<void> {
  for (const name of ['first', 'second'])
    await Promise.all([
      page.waitForResponse(/\/observe\/events$/),
      page.evaluate((name) => (window as never as { usher: { track(name: string): void } }).usher.track(name), name),
    ]);
}
