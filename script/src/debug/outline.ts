import type { Cleanup, Ui } from '../kind.ts';
import { rectOf } from '../page/place.ts';

/** Outlines elements of the page with elements of the script, and follows them. */
export function createOutline(ui: Ui): {
  show(targets: () => Element[], name: string): void;
  hide: Cleanup;
} {
  let frame = 0;
  let outlines: HTMLElement[] = [];
  const hide = () => {
    cancelAnimationFrame(frame);
    for (const outline of outlines) outline.remove();
    outlines = [];
  };
  return {
    hide,
    show: (targets, name) => {
      hide();
      const draw = () => {
        targets().forEach((target, index) => {
          outlines[index] ??= ui.create(
            'div',
            { class: 'debug-outline', 'aria-hidden': 'true' },
            ui.create('span', {}, name),
          );
          const outline = outlines[index];
          if (!outline.isConnected) ui.root().append(outline);
          const { left, top, width, height } = rectOf(target);
          for (const [property, value] of Object.entries({ left, top, width, height }))
            outline.style.setProperty(property, `${value}px`);
        });
        frame = requestAnimationFrame(draw);
      };
      draw();
    },
  };
}
