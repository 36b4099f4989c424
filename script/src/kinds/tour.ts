import type { Paint } from '../kind.ts';
import { registerModule } from '../register-module.ts';

/** A tour is a sequence of steps: beside elements, in the center, in a corner or along an edge of the window. */
const paint: Paint = (_active, ui) =>
  ui.walkThrough({
    state: 'started',
    canBeHotspot: true,
    draw: (step, walk) => ({
      footer: walk.footer(step),
      close: () => walk.end('exited'),
    }),
  });

registerModule('tour', paint);
