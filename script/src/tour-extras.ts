import { listSnoozeHours } from '../../domain/src/content/snooze-hours.ts';
import type { ActiveExperience } from './active-experience.ts';
import type { Cleanup, TourExtras, Ui } from './kind.ts';
import { parentOf } from './page/find.ts';
import { keepInline } from './page/keep-inline.ts';
import { runAll } from './page/run-all.ts';
import css from './page/tour-extras.css';
import { createTrigger } from './page/wait-for-trigger.ts';
import { registerModule } from './register-module.ts';
import type { PageStep } from './wire.ts';

/*
 * What few tours need: triggers, banners, inline steps, slideouts, a hotspot to begin with, a choice of times to be reminded, and the look of lists, quotes
 * and code.
 */

/** The dot keeps this distance to the edges of the window, so that its pulse is not cut off. */
const MARGIN = 14;

/** Shows a pulsing dot at the element of a step. Nothing is reported until the user opens or dismisses it. */
const showHotspot: TourExtras['showHotspot'] = (active, ui, step, open) => {
  const cleanups: Cleanup[] = [];
  const remove = () => runAll(cleanups);
  const stopWaiting = ui.waitFor(
    { ...step, position_type: 'snap_to_element' },
    {
      isPassive: true,
      onLost: remove,
      onFound: (target) => {
        remove();
        // Publishing requires an element. The preview may have none yet.
        if (target) cleanups.push(addDot(active, ui, step, target, open));
        else open();
      },
    },
  );
  return () => runAll([stopWaiting, remove]);
};

function addDot(active: ActiveExperience, ui: Ui, step: PageStep, target: Element, open: () => void): Cleanup {
  const dot = ui.button(`hotspot${ui.theme}`, [], open);
  for (const [name, value] of Object.entries({
    ...ui.language,
    'aria-label': ui.nameOf(step),
    'aria-haspopup': 'dialog',
  }))
    dot.setAttribute(name, value);
  ui.on(dot, 'keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') active.end('exited');
  });
  ui.root().append(dot);
  const stop = ui.place(dot, target, {}, (rect) => moveDot(dot, target, rect));
  return ui.untilEnd(() => {
    stop();
    dot.remove();
  });
}

/** Moves the dot to the upper corner at the end of what can be seen of the target. */
function moveDot({ style }: HTMLElement, target: Element, rect: DOMRect | undefined): true {
  const seen = rect && clip(target, rect);
  style.visibility = seen ? '' : 'hidden';
  if (seen) {
    const end = getComputedStyle(target).direction === 'rtl' ? seen.left : seen.right;
    const within = (place: number, size: number) => Math.max(MARGIN, Math.min(place, size - MARGIN));
    const { clientWidth } = document.documentElement;
    style.transform = `translate(${within(end, clientWidth)}px,${within(seen.top, innerHeight)}px)`;
  }
  return true;
}

/** Returns the part of a target that its scroll containers show; undefined if they show nothing of it. */
function clip(target: Element, { left, top, right, bottom }: DOMRect) {
  const seen = { left, top, right, bottom };
  // The containers in a frame have positions of that frame.
  if (target.ownerDocument === document)
    for (let outer = parentOf(target); outer && outer !== document.body; outer = parentOf(outer)) {
      if (getComputedStyle(outer).overflow === 'visible') continue;
      const edge = outer.getBoundingClientRect();
      seen.left = Math.max(seen.left, edge.left);
      seen.top = Math.max(seen.top, edge.top);
      seen.right = Math.min(seen.right, edge.right);
      seen.bottom = Math.min(seen.bottom, edge.bottom);
    }
  return seen.left < seen.right && seen.top < seen.bottom ? seen : undefined;
}

/** Ends a step for the time that the user chooses. The times are in a menu at the end of the box. */
const snooze: TourExtras['snooze'] = (ui, step, box, end) => {
  const times = listSnoozeHours(step);
  if (times.length < 2) return end(times[0]);
  const open = box.querySelector('.times');
  // The box of an inline step is in a shadow root of its own.
  const root = box.getRootNode() as ShadowRoot;
  const opener = root.activeElement as HTMLElement | null;
  if (open) return open.remove();
  const language = ui.label('language');
  const items = times.map((hours) => {
    const item = ui.button('time', [nameTime(hours, language)], () => end(hours));
    item.role = 'menuitem';
    return item;
  });
  const name = { 'aria-label': ui.label('snooze'), lang: language };
  const menu = ui.create('div', { class: 'times', role: 'menu', ...name }, ...items);
  ui.on(menu, 'keydown', (event) => {
    const { key } = event as KeyboardEvent;
    if (!/^(Arrow|Escape)/.test(key)) return;
    // An arrow key must not press a button that leads to another step, and Escape must not end the tour.
    event.preventDefault();
    const at = items.indexOf(root.activeElement as HTMLElement);
    if (key === 'ArrowDown') items.at((at + 1) % items.length)?.focus();
    if (key === 'ArrowUp') items.at(at - 1)?.focus();
    if (key === 'Escape') {
      menu.remove();
      opener?.focus();
    }
  });
  box.append(menu);
  items[0]?.focus();
};

/** "in 4 hours", "tomorrow", "in 2 weeks". */
function nameTime(hours: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: hours === 24 ? 'auto' : 'always' });
  if (hours % 168 === 0) return format.format(hours / 168, 'week');
  if (hours % 24 === 0) return format.format(hours / 24, 'day');
  return hours < 1 ? format.format(Math.round(hours * 60), 'minute') : format.format(hours, 'hour');
}

registerModule('tour_extras', ({ steps = [] }) => {
  // The user can use the page beside a slideout, so nothing dims it.
  for (const step of steps) if (step.screen_position?.startsWith('slideout')) delete step.backdrop;
  return { css, createTrigger, keepInline, showHotspot, snooze };
});
