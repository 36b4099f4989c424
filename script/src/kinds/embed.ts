import type { Paint } from '../kind.ts';
import { registerModule } from '../register-module.ts';
import type { PageStep } from '../wire.ts';

/** The placement of the step says where the embed is: around the element, or inside of it. */
const insertPositions: Record<NonNullable<PageStep['placement']>, InsertPosition> = {
  auto: 'beforeend',
  top: 'beforebegin',
  bottom: 'afterend',
  left: 'afterbegin',
  right: 'beforeend',
};

/** An embed is a part of the page itself: a banner, which can be closed, or a card. */
const paint: Paint = ({ experience }, ui) => {
  const isBanner = experience.style !== 'card';
  return ui.walkThrough({
    state: 'displayed',
    isInline: true,
    draw: (step, walk) => ({
      footer: [...walk.dismissButton(step), ...walk.buttonRow(walk.stepButtons(step.buttons))],
      banner: isBanner,
      inline: insertPositions[step.placement ?? 'auto'],
      ...(isBanner && { close: () => walk.end('exited') }),
    }),
  });
};

registerModule('embed', paint);
