import type { ActiveExperience } from '../active-experience.ts';
import type { Cleanup, Paint, Ui } from '../kind.ts';
import { isFixed } from '../page/is-fixed.ts';
import { runAll } from '../page/run-all.ts';
import { registerModule } from '../register-module.ts';
import type { PageStep } from '../wire.ts';
import css from './embed.css';

/** The placement of the step says where the embed is: around the element, or inside of it. */
const insertPositions: Record<NonNullable<PageStep['placement']>, InsertPosition> = {
  auto: 'beforeend',
  top: 'beforebegin',
  bottom: 'afterend',
  left: 'afterbegin',
  right: 'beforeend',
};

/** An embed is a part of the page itself: a banner, which can be closed, or a card. */
const paint: Paint = (active, ui) => {
  ui.addStyle(css);
  const { experience } = active;
  const isBanner = experience.style !== 'card';
  const cleanups: Cleanup[] = [];
  ui.untilEnd(() => runAll(cleanups));
  return ui.walkThrough({
    state: 'displayed',
    isInline: true,
    draw: (step, walk) => {
      // The room that the page has reserved goes away before the banner takes its place: measuring in between would count as a shift.
      if (experience.reserved_height) (window as { usher?: { r?: Cleanup } }).usher?.r?.();
      return {
        footer: [...walk.dismissButton(step), ...walk.buttonRow(walk.stepButtons(step.buttons))],
        banner: isBanner,
        inline: insertPositions[(isBanner && edgeOf(step)) || (step.placement ?? 'auto')],
        ...(isBanner && experience.dismissible !== false && { close: () => walk.end('exited') }),
      };
    },
    onPainted: (step, _walk, box) => {
      runAll(cleanups);
      hostOf(box).dataset.embed = '';
      const edge = isBanner && edgeOf(step);
      if (edge) cleanups.push(keepAtEdge(active, ui, edge, box));
    },
  });
};

/**
 * Returns the edge of the page at which a banner is. Such a banner is beside the body and not in it, so it is as wide as the window
 * whatever margins and layout the body has.
 */
function edgeOf({ elements = [], placement = 'right' }: PageStep): 'top' | 'bottom' | undefined {
  const [element] = elements;
  if (element?.selector !== 'body' || element.text || elements[1]) return undefined;
  return placement === 'left' ? 'top' : /right|auto/.test(placement) ? 'bottom' : undefined;
}

function hostOf(box: HTMLElement): HTMLElement {
  return (box.getRootNode() as ShadowRoot).host as HTMLElement;
}

/** Makes room for a banner at an edge of the page, and keeps it beside fixed bars of the page. */
function keepAtEdge(
  { experience, store }: ActiveExperience,
  ui: Ui,
  edge: 'top' | 'bottom',
  box: HTMLElement,
): Cleanup {
  const { sticky, reserved_height } = experience;
  const isTop = edge === 'top';
  const root = document.documentElement;
  const host = hostOf(box);
  // The room of a banner that does not take any in the page.
  const room = ui.create('div');
  const variable = `--usher-${edge}`;
  let { overlay } = experience;
  let frame = 0;

  const update = () => {
    frame = 0;
    const height = host.isConnected && !overlay ? box.getBoundingClientRect().height : 0;
    if (sticky) room.style.height = `${height}px`;
    const shift = isTop || sticky ? findBar(isTop, sticky ? undefined : /fixed/) : 0;
    // A page can make room for a banner with this variable: `header {top: var(--usher-top, 0px)}`. The boxes of other Experiences use
    // it at the bottom.
    const used = isTop ? height : sticky && host.isConnected ? box.offsetHeight + shift : 0;
    root.style.setProperty(variable, used ? `${used}px` : '');
    box.style.translate = `0 ${overlay && !sticky && !isTop ? '-100%' : `${isTop ? shift : -shift}px`}`;
    return height;
  };
  const updateSoon = () => {
    frame ||= requestAnimationFrame(update);
  };

  box.classList.add('edge', edge);
  box.style.setProperty('--reserved', `${reserved_height ?? 0}px`);
  if (sticky) {
    box.classList.add('sticky');
    box.before(room);
  }
  // A page that fills the window exactly, and does not scroll, would lose what is pushed out of the window.
  if (!overlay && update() && isCut(root)) overlay = true;
  if (overlay) box.classList.add('over');
  const height = update();
  // The next page reserves this height before the script is there.
  if (reserved_height && isTop) store?.set('reserve', `${height}`);
  const observer = new ResizeObserver(updateSoon);
  observer.observe(box);
  observer.observe(document.body);
  const cleanups = [
    ui.on(window, 'resize', updateSoon),
    sticky ? ui.on(document, 'scroll', updateSoon, { capture: true, passive: true }) : () => {},
    () => observer.disconnect(),
    () => cancelAnimationFrame(frame),
    () => {
      root.style.removeProperty(variable);
      if (!root.getAttribute('style')) root.removeAttribute('style');
      if (reserved_height && isTop) store?.set('reserve', '0');
    },
  ];
  return () => runAll(cleanups);
}

function isCut(root: HTMLElement): boolean {
  const isLocked = [root, document.body].some((element) => /hidden|clip/.test(getComputedStyle(element).overflowY));
  return isLocked && root.scrollHeight > innerHeight;
}

/** Returns how far the fixed bars of the page at an edge of the window reach into it. */
function findBar(isTop: boolean, positions?: RegExp): number {
  const y = isTop ? 1 : innerHeight - 2;
  const bars = [0.1, 0.5, 0.9]
    .flatMap((part) => document.elementsFromPoint(part * innerWidth, y))
    .filter((element) => isFixed(element, positions))
    .map((element) => element.getBoundingClientRect());
  return Math.max(0, ...bars.map(({ top, bottom }) => (isTop ? bottom : innerHeight - top)));
}

registerModule('embed', paint);
