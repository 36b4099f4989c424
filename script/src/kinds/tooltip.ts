import type { Cleanup, Page, PageStep, Paint, Shown } from '../kind.ts';
import { type Box, nameOf, openBox, press, stopAll } from '../page/box.ts';
import { icon } from '../page/icon.ts';
import { register } from '../page/register.ts';

const css = `
:host([data-hint]){display:inline-block!important;vertical-align:middle!important;margin-inline:4px!important}
.hint{padding:3px;border-radius:50%;color:var(--accent)}
.hint svg{width:18px;height:18px}
.hint:hover{background:var(--tint)}
.tip.box{width:max-content;max-width:min(300px,100vw - 32px);font-size:14px;--pad:12px}
.tip .title{font-size:14px;line-height:inherit}
.tip .title+*{margin-top:0}`;

const info = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 11.5v5M12 7.8v.1';
const OPEN_AFTER_MS = 120;
/** So that the pointer can get from the target into the box. */
const CLOSE_AFTER_MS = 250;

/** Hints at elements, each for itself. */
const paint: Paint = (shown, page) => {
  page.style(css);
  const stops = (shown.experience.steps ?? []).map((step) => hintAt(shown, page, step));
  return () => stopAll(stops);
};

function hintAt(shown: Shown, page: Page, { secondary_trigger: opensAt, ...step }: PageStep): Cleanup {
  const isIcon = step.position_type === 'inline';
  const stops: Cleanup[] = [];
  const lost = () => stopAll(stops);
  const found = (target: Element | null) => {
    lost();
    if (!target) return;
    const opener = isIcon ? addIcon(page, step, target, stops) : target;
    stops.push(listen(shown, page, step, opener, opensAt === 'click'));
    shown.report({ state: 'displayed', step_id: step.id });
  };
  // Click and hover are what opens it, not what it waits for.
  const waits = opensAt && !/click|hover/.test(opensAt) && { secondary_trigger: opensAt };
  const wait = page.waitFor({ ...step, ...waits, position_type: 'snap_to_element' }, found, lost);
  return () => stopAll([wait, lost]);
}

const holdsNothing = /^(input|select|textarea|img|video|iframe|canvas|svg|button|a)$/;

function addIcon(page: Page, step: PageStep, target: Element, stops: Cleanup[]): HTMLElement {
  const { root, remove } = page.inline(target, holdsNothing.test(target.localName) ? 'afterend' : 'beforeend');
  (root.host as HTMLElement).dataset.hint = '';
  const name = `${page.t('more')}: ${nameOf(page, step)}`;
  const button = page.make('button', { class: 'hint', type: 'button', 'aria-label': name }, icon(info));
  root.append(button);
  stops.push(remove);
  return button;
}

/** Opens at the pointer, the focus and a click, or at a click alone. */
function listen(shown: Shown, page: Page, step: PageStep, target: Element, byClick: boolean): Cleanup {
  const stops: Cleanup[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => clearTimeout(timer);
  let isClosing = false;
  const close = () => {
    hold();
    // The focus goes back to the target, which is no reason to open again.
    isClosing = true;
    stopAll(stops);
    isClosing = false;
  };
  const soon = (run: () => void, after: number) => () => {
    hold();
    timer = setTimeout(run, after);
  };
  const release = soon(close, CLOSE_AFTER_MS);
  const hear = (of: EventTarget, handlers: Record<string, (event: Event) => void>) =>
    Object.entries(handlers).map(([name, run]) => page.on(of, name, run));
  const isUsed = !!step.buttons || JSON.stringify(step.body ?? '').includes('["a",');
  const open = (enter = false) => {
    if (isUsed && enter) close();
    hold();
    if (stops.length > 0 || isClosing) return;
    shown.report({ state: 'started', step_id: step.id });
    const { element, stop } = openTip(shown, page, step, target, close, { isUsed, enter });
    stops.push(stop);
    // The pointer and the focus may go into it.
    if (!byClick)
      stops.push(...hear(element, { pointerenter: hold, focusin: hold, pointerleave: release, focusout: release }));
  };
  const heard = hear(
    target,
    byClick
      ? { click: () => (stops.length > 0 ? close() : open(true)) }
      : {
          ...{ pointerenter: soon(open, OPEN_AFTER_MS), pointerleave: release },
          ...{ focusin: () => open(), focusout: release, click: () => open(true) },
        },
  );
  return () => stopAll([...heard, close]);
}

function openTip(
  shown: Shown,
  page: Page,
  { backdrop: _, ...step }: PageStep,
  opener: Element,
  close: () => void,
  { isUsed, enter }: { isUsed: boolean; enter: boolean },
): Box {
  const buttons = (step.buttons ?? []).map((button, index) =>
    press(page, index > 0 ? 'act' : 'act first', page.write(button.text), () => {
      shown.report({ button_id: button.id, step_id: step.id });
      close();
      if (button.tour_action === 'exit') shown.end('exited', { step_id: step.id });
      shown.run(button);
    }),
  );
  const foot = buttons.length > 0 ? [page.make('div', { class: 'acts' }, ...buttons)] : [];
  const role = isUsed ? 'dialog' : 'tooltip';
  // What can be used is entered at a click; anything else is only said.
  return openBox(page, step, opener, { name: 'tip', role, foot, close, opener, enter: isUsed && enter });
}

register('tooltip', paint);
