import type { Paint } from '../kind.ts';
import { register } from '../page/register.ts';
import { footOf, walkThrough } from '../page/walk.ts';

/** A way through a product, step by step: beside elements, in the middle, in a corner or along an edge of the window. */
const paint: Paint = (shown, page) =>
  walkThrough(shown, page, {
    state: 'started',
    draw: (step, walk) => ({
      foot: footOf(page, walk, step),
      close: () => walk.end('exited'),
      inline: step.position_type === 'inline' ? 'beforeend' : undefined,
    }),
  });

register('tour', paint);
