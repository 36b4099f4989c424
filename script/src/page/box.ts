import type { Cleanup, Page, PageStep } from '../kind.ts';
import { cross, icon } from './icon.ts';

export interface BoxParts {
  /** What stands below the texts. */
  middle?: Node[];
  foot?: Node[];
  close?(): void;
  /** In the page itself, at the target. */
  inline?: InsertPosition | undefined;
  banner?: boolean;
  /** Whether the focus goes into it; by what the step is, unless given. */
  enter?: boolean | undefined;
  /** What it was opened from: it has no veil, and a click beside both closes it. */
  opener?: Element;
  /** `list`, or `tip`, which has nothing to close it by. */
  name?: 'list' | 'tip';
  role?: string;
}

export interface Box {
  element: HTMLElement;
  /** Whether the user is in it. */
  isEntered(): boolean;
  stop: Cleanup;
}

/** The texts of a step in a box: beside its target, at its place of the window, or in the page. */
export function openBox(page: Page, step: PageStep, target: Element | null, parts: BoxParts): Box {
  const { close, foot = [], opener, name = '' } = parts;
  const { title, body, screen_position: at = 'center' } = step;
  const place = parts.inline && target ? page.inline(target, parts.inline) : undefined;
  const isModal = !target && !!step.backdrop;
  const isBanner = parts.banner ?? (!target && !name && (at === 'top' || at === 'bottom'));

  const main = page.make('div', { class: 'main' });
  if (title) main.append(page.make('h2', { class: 'title' }, ...page.write(title)));
  if (body) main.append(page.make('div', { class: 'body' }, ...page.write(body)));
  main.append(...(parts.middle ?? []));
  const box = page.make('div', {
    class: ['box', name, place ? 'inline' : '', isBanner ? 'banner' : ''].join(' '),
    role: parts.role ?? (place ? 'region' : 'dialog'),
    tabindex: '-1',
    'aria-label': nameOf(page, step),
  });
  box.append(main);
  if (isModal) box.setAttribute('aria-modal', 'true');
  if (foot.length > 0) box.append(page.make('div', { class: 'foot' }, ...foot));
  if (close && name !== 'tip') {
    const button = press(page, 'x', [icon(cross)], close);
    button.setAttribute('aria-label', page.t('close'));
    box.append(button);
  }

  const stops: Cleanup[] = [() => box.remove()];
  if (step.backdrop && !place) stops.push(openVeil(page, target));
  (place?.root ?? page.root()).append(box);
  stops.push(place?.remove ?? page.place(box, target, step));
  // What scrolls has to be reached by the keyboard.
  if (main.scrollHeight > main.clientHeight + 1) main.tabIndex = 0;
  if (!place) {
    if (close) stops.push(page.escape(close));
    const enter = parts.enter ?? (isModal || ((target || at === 'center') && !isTyping()));
    if (enter) stops.unshift(page.focus(box, isModal));
    else page.say([title, body].map(page.words).join('\n'));
  }
  if (opener && close) {
    const isOutside = (event: Event) => event.composedPath().every((node) => node !== box && node !== opener);
    stops.push(page.on(document, 'pointerdown', (event) => isOutside(event) && close(), { capture: true }));
  }
  return { element: box, isEntered: () => box.matches(':focus-within'), stop: () => stopAll(stops) };
}

export function stopAll(stops: Cleanup[]): void {
  for (const stop of stops.splice(0)) stop();
}

export function press(page: Page, name: string, content: (Node | string)[], run: () => void): HTMLElement {
  const button = page.make('button', { class: name, type: 'button' }, ...content);
  page.on(button, 'click', run);
  return button;
}

const LONGEST_NAME = 100;

export function nameOf(page: Page, { title, body, placeholder }: PageStep): string {
  return page.words(title) || page.words(body).slice(0, LONGEST_NAME) || page.words(placeholder);
}

/** Nobody who writes is torn away. */
function isTyping(): boolean {
  const active = document.activeElement as HTMLElement | null;
  return !!active && (active.isContentEditable || active.matches('input,textarea,select'));
}

/** Darkens the page but for the target. Clicks go through the hole, since what is clipped away is not hit. */
function openVeil(page: Page, target: Element | null): Cleanup {
  const veil = page.make('div', { class: 'veil' });
  page.root().append(veil);
  const stop =
    target &&
    page.follow(target, (rect) => {
      const hole = rect ? holeAt(rect) : '';
      veil.style.setProperty('clip-path', `path(evenodd,"M0 0H99999V99999H0Z${hole}")`);
    });
  return () => {
    stop?.();
    veil.remove();
  };
}

/** 6 pixels around the target, with corners of 8. */
function holeAt({ left, top, width, height }: DOMRect): string {
  const [across, down] = [width - 4, height - 4];
  return `M${left + 2} ${top - 6}h${across}q8 0 8 8v${down}q0 8-8 8h${-across}q-8 0-8-8v${-down}q0-8 8-8`;
}
