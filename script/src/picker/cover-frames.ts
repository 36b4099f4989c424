import type { Cleanup, Ui } from '../kind.ts';
import { rectOf } from '../page/place.ts';
import { moveTo } from './highlight.ts';

/** Covers of the frames of the page, which follow them. */
export interface FrameCovers {
  /** Covers a frame that is in a shadow root. */
  add(frame: Element): void;
  has(target: EventTarget | undefined): boolean;
  stop: Cleanup;
}

/**
 * Covers all frames: the page does not receive the pointer events inside of a frame, so the picker could not block
 * them.
 */
export function coverFrames(ui: Ui): FrameCovers {
  const covers = new Map<Element, HTMLElement>();
  let request = 0;
  const add = (frame: Element) => {
    if (covers.has(frame)) return;
    const cover = ui.create('div', { class: 'pick-cover', 'aria-hidden': 'true' });
    covers.set(frame, cover);
    ui.root().prepend(cover);
  };
  const update = () => {
    document.querySelectorAll('iframe').forEach(add);
    for (const [frame, cover] of covers) {
      if (frame.isConnected) moveTo(cover, rectOf(frame));
      else {
        cover.remove();
        covers.delete(frame);
      }
    }
    request = requestAnimationFrame(update);
  };
  update();
  return {
    add,
    has: (target) => [...covers.values()].some((cover) => cover === target),
    stop: () => {
      cancelAnimationFrame(request);
      for (const cover of covers.values()) cover.remove();
    },
  };
}
