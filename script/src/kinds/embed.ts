import type { PageStep, Paint } from '../kind.ts';
import { register } from '../page/register.ts';
import { ownButtons, rowOf, walkThrough, wayOut } from '../page/walk.ts';

/** Where it stands, by the placement of the step: around the element, or inside it. */
const places: Record<NonNullable<PageStep['placement']>, InsertPosition> = {
  auto: 'beforeend',
  top: 'beforebegin',
  bottom: 'afterend',
  left: 'afterbegin',
  right: 'beforeend',
};

/** A part of the page itself: a banner, which can be closed, or a card. */
const paint: Paint = (shown, page) => {
  const isBanner = shown.experience.style !== 'card';
  return walkThrough(shown, page, {
    state: 'displayed',
    draw: (step, walk) => ({
      foot: [...wayOut(page, walk, step), ...rowOf(page, ownButtons(page, walk, step.buttons))],
      banner: isBanner,
      inline: places[step.placement ?? 'auto'],
      ...(isBanner && { close: () => walk.end('exited') }),
    }),
  });
};

register('embed', paint);
