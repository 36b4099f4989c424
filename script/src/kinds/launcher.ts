import { normalizeShortcut } from '../../../domain/src/content/shortcut.ts';
import { isTask } from '../../../domain/src/kinds/task.ts';
import type { ActiveExperience } from '../active-experience.ts';
import type { Cleanup, Paint, Ui } from '../kind.ts';
import { isTyping } from '../page/focus.ts';
import { isFixed } from '../page/is-fixed.ts';
import { runAll } from '../page/run-all.ts';
import { registerModule } from '../register-module.ts';
import type { PageExperience, PageItem } from '../wire.ts';
import css from './launcher.css';

/** The values of `trigger`. Any other value shows the help icon, or the list icon of a checklist. */
const icons: Record<string, string> = {
  help: 'M9 9a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2.1M12 17.5v.1',
  list: 'M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10.5 21h3',
  chat: 'M4 5h16v11h-9l-4 4v-4H4z',
  star: 'M12 3l2 7l7 2l-7 2l-2 7l-2-7l-7-2l7-2z',
  book: 'M12 6v14M12 6q-4-3-9-2v14q5-1 9 2q4-3 9-2V4q-5-1-9 2',
  bulb: 'M9 17a6 6 0 1 1 6 0v1H9zM10 21h4',
  flag: 'M5 21V4q4-2 7 0t7 0v10q-4 2-7 0t-7 0',
  gift: 'M4 12v9h16v-9M3 8h18v4H3zM12 8v13M12 8q-5 0-5-3t3-2t2 5q0-4 2-5t3 2t-5 3',
  heart: 'M12 20l-8-8a5 5 0 0 1 8-6a5 5 0 0 1 8 6z',
  info: 'M12 11v6M12 7v.1M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18',
  play: 'M7 4v16l13-8z',
  rocket: 'M9 15q0-8 11-11q-3 11-11 11zM9 15l-3-3l3-4h3M9 15l3 3l4-3v-3M5 16l-1 4l4-1',
  user: 'M12 12a4 4 0 1 0 0-8a4 4 0 1 0 0 8M4 21q0-6 8-6t8 6',
};
const onwardIcon = 'M9 6l6 6l-6 6';
/** How many places at an edge of the window are tried for an element. */
const MAX_PLACES = 6;
const GAP = 12;
/** If an element would have less room than this, it may cover something instead. */
const MIN_ROOM = 240;
const SETTLED_MS = 100;
const PHONE_WIDTH = 480;
const doneIcon = 'M5 12.5l4.5 4.5L19 7.5';
const lockIcon = 'M7 11h10v8H7zM9 11V8a3 3 0 0 1 6 0v3';
const PIECES = 40;
const PARTY_MS = 3500;

/** A launcher is a list that the user opens: from our own icon or tab, or from an element of the page. */
const paint: Paint = (active, ui) => {
  ui.addStyle(css);
  const { experience } = active;
  const shortcut = normalizeShortcut(experience.shortcut ?? '');
  const cleanups: Cleanup[] = [];
  const listeners: Cleanup[] = [];
  const opened: Cleanup[] = [];
  let opener: HTMLElement | undefined;
  let redraw: Cleanup | undefined;

  const updateOpener = () => {
    opener?.setAttribute('aria-expanded', String(opened.length > 0));
    if (shortcut) opener?.setAttribute('aria-keyshortcuts', shortcut);
    if (!opener || experience.trigger_type === 'element') return;
    drawOpener(active, ui, opener);
    arrange(ui.root());
  };
  const close = () => {
    runAll(opened);
    updateOpener();
  };
  const open = () => {
    if (opened.length > 0 || !opener) return;
    active.report({ state: 'started' });
    active.store?.set(experience.id, 'opened');
    const list = openList(active, ui, opener, close);
    redraw = list.redraw;
    opened.push(list.stop);
    updateOpener();
  };
  const toggle = () => (opened.length > 0 ? close() : open());
  const addOpener = (element: Element) => {
    opener = element as HTMLElement;
    listeners.push(ui.on(element, 'click', toggle));
    updateOpener();
    active.report({ state: 'displayed' });
  };
  const removeOpener = () => {
    close();
    runAll(listeners);
    for (const name of ['aria-expanded', 'aria-keyshortcuts']) opener?.removeAttribute(name);
    opener = undefined;
  };

  const stop = ui.untilEnd(() => runAll(cleanups));
  cleanups.push(removeOpener);
  if (shortcut)
    ui.on(window, 'keydown', (event) => {
      if (!opener || !isPressed(shortcut, event as KeyboardEvent) || isTyping()) return;
      event.preventDefault();
      toggle();
    });
  if (experience.trigger_type === 'element') {
    const step = {
      id: '',
      elements: [{ selector: experience.trigger ?? '' }],
      position_type: 'snap_to_element' as const,
    };
    cleanups.push(ui.waitFor(step, { onFound: (target) => target && addOpener(target), onLost: removeOpener }));
  } else {
    const button = ui.create('button', { class: `open${ui.theme}`, type: 'button', ...ui.language });
    const root = ui.root();
    setSizes(button, experience);
    root.append(button);
    const position = { screen_position: experience.screen_position ?? 'bottom_right' };
    cleanups.push(ui.place(button, null, position), () => button.remove(), keepArranged(ui, root));
    active.isVisible = true;
    addOpener(button);
  }
  if (experience.celebrate) celebrate(active, ui);
  return {
    stop,
    open,
    close,
    update: (next) => {
      if (next?.items) experience.items = next.items;
      updateOpener();
      if (opened.length > 0) redraw?.();
      if (next?.celebrate) celebrate(active, ui);
    },
  };
};

/** Arranges the icons, tabs and boxes at the edges again when one comes or goes, and when the page has moved below them. */
function keepArranged(ui: Ui, root: ShadowRoot): Cleanup {
  const arrangeNow = () => arrange(root);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arrangeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(arrangeNow, SETTLED_MS);
  };
  const observer = new MutationObserver(arrangeNow);
  observer.observe(root, { childList: true });
  ui.on(window, 'resize', arrangeNow);
  ui.on(document, 'scroll', arrangeSoon, { capture: true, passive: true });
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

/** Passes the distances from the edges of the window, and the size of the icon, to the style sheet. */
function setSizes({ style }: HTMLElement, { offset_x, offset_y, icon_size }: PageExperience): void {
  for (const [name, pixels] of Object.entries({ '--dx': offset_x, '--dy': offset_y, '--icon': icon_size }))
    if (pixels !== undefined) style.setProperty(name, `${pixels}px`);
}

/** Returns whether the user presses a shortcut, such as `Alt+H`, that the page has not handled. */
function isPressed(shortcut: string, event: KeyboardEvent): boolean {
  const { altKey, ctrlKey, metaKey, shiftKey, code } = event;
  if (metaKey || event.repeat || event.isComposing || event.defaultPrevented) return false;
  // With Alt, a Mac types another character, and so does a keyboard of another script. Then the place of the key counts.
  const key = event.key.toUpperCase();
  const name = /^[A-Z0-9]$/.test(key) ? key : code.replace(/Key|Digit/, '');
  return [ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift', name].filter(Boolean).join('+') === shortcut;
}

/** Returns the content of the badge; undefined without a badge. A dot is an empty text. */
function badgeOf({ experience, store }: ActiveExperience, ui: Ui, openTasks: number): string | undefined {
  const { badge = 'count', badge_text, id, list_type } = experience;
  if (badge === 'count') return openTasks ? `${openTasks}` : undefined;
  // The badge of a checklist goes away when everything is done, that of other lists when the user has opened the list.
  const isNews = list_type === 'checklist' ? openTasks : !store?.get(id);
  if (badge === 'none' || !isNews) return undefined;
  return badge === 'text' ? ui.toPlainText(badge_text) : '';
}

/** Draws the icon or tab with its badge. */
function drawOpener(active: ActiveExperience, ui: Ui, button: HTMLElement): void {
  const { experience } = active;
  const { trigger = '', trigger_text } = experience;
  const tasks = listTasks(experience);
  const isTab = experience.trigger_type === 'tab';
  const openTasks = tasks.filter(({ completed }) => !completed).length;
  const name = ui.toPlainText(experience.title) || ui.label('open');
  const badge = badgeOf(active, ui, openTasks);
  if (!isTab) button.setAttribute('aria-label', badge ? `${name} ${badge}` : name);
  const path = (Object.hasOwn(icons, trigger) && icons[trigger]) || (tasks[0] ? icons.list : icons.help) || '';
  button.replaceChildren(...(isTab ? [...ui.toNodes(trigger_text), ' '] : [ui.icon(path)]));
  if (badge !== undefined) button.append(ui.create('span', { class: badge ? 'left' : 'left dot' }, badge));
}

/**
 * Moves the elements at the edges of the window, so that none covers another: first the icons and tabs, away from boxes
 * beside elements and from fixed elements of the page, then the boxes at an edge.
 */
function arrange(root: ParentNode): void {
  const list = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
  const placed = list('.box[data-side]:not(.tip,.list,[inert])').map(boxOf);
  for (const selector of ['.open', '.box[data-at]:not([data-at=center],[inert])'])
    for (const element of list(selector)) placed.push(findRoom(element, placed));
}

function findRoom(element: HTMLElement, placed: Box[]): Box {
  const isTop = element.dataset.at?.startsWith('top');
  let lift = 0;
  for (let turn = 0; ; turn++) {
    element.style.setProperty('--lift', `${lift}px`);
    const box = boxOf(element);
    const other = placed.find((candidate) => overlap(box, candidate)) ?? (isBox(element) ? undefined : fixedAt(box));
    const next = other && lift + GAP + (isTop ? other.bottom - box.top : box.bottom - other.top);
    if (!next || turn === MAX_PLACES || next > innerHeight - MIN_ROOM) return box;
    lift = next;
  }
}

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** The place of an element without its entry animation. */
function boxOf({ offsetLeft, offsetTop, offsetWidth, offsetHeight, style }: HTMLElement): Box {
  const { e, f } = new DOMMatrix(style.transform);
  const [left, top] = [offsetLeft + e, offsetTop + f];
  return { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isBox({ classList }: Element): boolean {
  return classList.contains('box');
}

/** Returns the elements of the page that are fixed at this place of the window. */
function fixedAt({ left, top, right, bottom }: Box): Box | undefined {
  return [0, 0.5, 1]
    .flatMap((part) => document.elementsFromPoint(left + part * (right - left), top + part * (bottom - top)))
    .find((element) => isFixed(element))
    ?.getBoundingClientRect();
}

/** Lists the items of a checklist that can be completed. Without such items, the launcher shows a list of links. */
function listTasks({ list_type, items = [] }: PageExperience): PageItem[] {
  return list_type === 'checklist' ? items.filter(isTask) : [];
}

/** Lets confetti fall, once, and says that all is done. */
function celebrate({ experience }: ActiveExperience, ui: Ui): void {
  if (!experience.celebration) return;
  experience.celebrate = false;
  ui.announce(`${ui.toPlainText(experience.title)}: ${ui.label('completed')}`);
  if (ui.isReduced()) return;
  const pieces = Array.from({ length: PIECES }, (_, at) => {
    const piece = ui.create('i');
    piece.style.cssText = `left:${Math.random() * 100}%;--hue:${at * 47};--late:${Math.random()}s;--turn:${Math.random() * 3}turn`;
    return piece;
  });
  const party = ui.create('div', { class: 'party', 'aria-hidden': 'true' }, ...pieces);
  ui.root().append(party);
  const timer = setTimeout(() => party.remove(), PARTY_MS);
  ui.untilEnd(() => {
    clearTimeout(timer);
    party.remove();
  });
}

/** The progress and the items of the list. */
function drawContent(active: ActiveExperience, ui: Ui, close: () => void): Node[] {
  const { title, items = [], empty_state_content } = active.experience;
  const tasks = listTasks(active.experience);
  const rows = items.flatMap((item) => drawItem(active, ui, item, tasks, close) ?? []);
  return [
    ...(tasks.length > 0 ? [drawProgress(ui, tasks, ui.toPlainText(title))] : []),
    rows.length > 0 ? ui.create('ul', { class: 'items' }, ...rows) : ui.body(empty_state_content),
  ];
}

function openList(
  active: ActiveExperience,
  ui: Ui,
  opener: Element,
  close: () => void,
): { stop: Cleanup; redraw: Cleanup } {
  const { id, title, description, ...experience } = active.experience;
  let content = drawContent(active, ui, close);
  const step = {
    id,
    title: title ?? experience.trigger_text ?? [ui.label('open')],
    ...(description && { body: description }),
    screen_position: experience.screen_position ?? 'bottom_right',
    // A list opens below what opens it, as menus do.
    placement: 'bottom' as const,
  };
  // On a phone, the list is a sheet at the bottom.
  const target = experience.position_type === 'snap_to_trigger' && innerWidth > PHONE_WIDTH ? opener : null;
  const { element, stop } = ui.openBox(step, target, { className: 'list', content, close, opener, takeFocus: true });
  setSizes(element, active.experience);
  const redraw = () => {
    const focused = content.findIndex((node) => node.contains((element.getRootNode() as ShadowRoot).activeElement));
    const links = () => [...element.querySelectorAll<HTMLElement>('.go')];
    const at = focused < 0 ? -1 : links().findIndex((link) => link.matches(':focus'));
    const old = content as ChildNode[];
    content = drawContent(active, ui, close);
    old[0]?.before(...content);
    for (const node of old) node.remove();
    links()[at]?.focus();
  };
  return { stop, redraw };
}

function drawProgress(ui: Ui, tasks: PageItem[], name: string): HTMLElement {
  const done = tasks.filter(({ completed }) => completed).length;
  const values = { 'aria-valuenow': `${done}`, 'aria-valuemin': '0', 'aria-valuemax': `${tasks.length}` };
  const bar = ui.create('div', { class: 'bar', role: 'progressbar', 'aria-label': name, ...values }, ui.create('i'));
  bar.style.setProperty('--done', `${(100 * done) / tasks.length}%`);
  return ui.create('div', { class: 'done' }, bar, ui.create('span', {}, `${done} / ${tasks.length}`));
}

function drawItem(
  active: ActiveExperience,
  ui: Ui,
  item: PageItem,
  tasks: readonly PageItem[],
  close: () => void,
): HTMLElement | undefined {
  const { kind, completed, description } = item;
  if (kind === 'divider') return ui.create('li', { class: 'gap', 'aria-hidden': 'true' });
  const link = drawLink(ui, item);
  if (!link) return undefined;
  link.classList.add('go');
  const isTask = tasks.includes(item);
  // A task that was completed on this page unlocks the next one before the server says so.
  const isLocked = !!item.locked && tasks.slice(0, tasks.indexOf(item)).some((task) => !task.completed);
  if (isLocked) link.setAttribute('aria-disabled', 'true');
  ui.on(link, 'click', (event) => {
    if (isLocked) return event.preventDefault();
    active.report({ button_id: item.id });
    // With these keys, the browser itself opens the link in a new tab or window.
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!kind && (ctrlKey || metaKey || shiftKey)) return;
    event.preventDefault();
    close();
    runItem(active, ui, item);
  });
  const isDone = isTask && completed;
  if (isDone) link.setAttribute('aria-label', `${ui.toPlainText(item.title)} (${ui.label('completed')})`);
  const mark = ui.create('span', { class: isTask ? 'mark' : 'mark to' });
  if (isDone || isLocked || !isTask) mark.append(ui.icon(isLocked ? lockIcon : isTask ? doneIcon : onwardIcon));
  const texts = ui.create('div', {}, link);
  if (description) texts.append(ui.body(description));
  return ui.create('li', { class: `item${isDone ? ' is' : ''}${isLocked ? ' off' : ''}` }, mark, texts);
}

/** Draws a link for an item that leads to a page, else a button. Returns undefined if the address is not allowed. */
function drawLink(ui: Ui, { kind, url, title = [] }: PageItem): HTMLElement | undefined {
  if (kind) return ui.create('button', { type: 'button' }, ...ui.toNodes(title));
  const [link] = url ? ui.toNodes([['a', { href: url }, ...title]]) : [];
  return link instanceof HTMLElement ? link : undefined;
}

function runItem(active: ActiveExperience, ui: Ui, { kind, url, campaign_id, action_script }: PageItem): void {
  if (kind === 'script') ui.runCode(action_script ?? '');
  else if (kind) active.show(campaign_id ?? '', { group_kind: 'launcher', group_id: active.experience.id });
  else if (url) ui.openAddress(url);
}

registerModule('launcher', paint);
