import type { Ui } from '../kind.ts';

const MAX_WAIT_MS = 1000;

/**
 * Waits until an element looks as it does without the pointer above it. While an invisible cover is over the page, no style for
 * `:hover` holds; then transitions come to their end.
 */
export async function waitUntilStill(ui: Ui, element: Element): Promise<void> {
  const cover = ui.create('div', { class: 'pick-shield' });
  ui.root().append(cover);
  const until = Date.now() + MAX_WAIT_MS;
  const isMoving = () =>
    element.matches(':hover') ||
    (element.getAnimations?.({ subtree: true }) ?? []).some(
      (one) => 'transitionProperty' in one && one.playState === 'running',
    );
  // A hidden page gets no frames, so this is a timer. The first wait lets the browser notice the cover.
  do await new Promise((done) => setTimeout(done, 50));
  while (isMoving() && Date.now() < until);
  cover.remove();
}
