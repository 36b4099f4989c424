import type { Box, BoxOptions, Cleanup, Ui } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import { handleKeys } from './focus.ts';
import { runAll } from './run-all.ts';

const closeIcon = 'M6 6l12 12M18 6L6 18';
const MAX_NAME = 100;
/** In a shorter time, the page may be scrolling to the target. */
const RETURN_DELAY_MS = 500;

/** Shows the texts of a step in a box: beside its target, at its position in the window, or inside of the page. */
export function openBox(ui: Ui, step: PageStep, target: Element | null, options: BoxOptions): Box {
  const { close, opener } = options;
  const inline = options.inline && target ? ui.insertInline(target, options.inline) : undefined;
  const backdrop = step.backdrop && !inline ? ui.create('div', { class: 'backdrop' }) : undefined;
  const isModal = !target && !!step.backdrop;
  const { box, main } = createBox(ui, step, target, options);
  if (isModal) box.setAttribute('aria-modal', 'true');

  const setInView = target ? hideWhileAway(ui, box, backdrop, target, !opener) : () => {};
  const cleanups: Cleanup[] = [() => box.remove(), () => backdrop?.remove(), () => setInView(true)];
  (inline?.root ?? ui.root()).append(...(backdrop ? [backdrop] : []), box);
  cleanups.push(
    inline?.remove ??
      ui.place(box, target, step, (rect) => {
        setInView(!!rect);
        if (rect) backdrop?.style.setProperty('clip-path', `path(evenodd,"M0 0H99999V99999H0Z${cutoutAt(rect)}")`);
      }),
  );
  // The keyboard must reach what scrolls.
  if (main.scrollHeight > main.clientHeight + 1) main.tabIndex = 0;
  cleanups.push(handleKeys(box, target, !!backdrop));
  if (!inline) {
    if (close) cleanups.push(ui.onEscape(close));
    // Don't steal the focus while the user is typing.
    const isCentral = target || (step.screen_position ?? 'center') === 'center';
    const takeFocus = options.takeFocus ?? (isModal || (isCentral && !isTyping()));
    if (takeFocus) cleanups.unshift(ui.focus(box));
    else cleanups.push(ui.announce([step.title, step.body].map(ui.toPlainText).join('\n')));
  }
  if (opener && close) {
    const isOutside = (event: Event) => event.composedPath().every((node) => node !== box && node !== opener);
    cleanups.push(ui.on(document, 'pointerdown', (event) => isOutside(event) && close(), { capture: true }));
  }
  return { element: box, hasFocus: () => box.matches(':focus-within'), stop: () => runAll(cleanups) };
}

function createBox(ui: Ui, step: PageStep, target: Element | null, options: BoxOptions) {
  const { title, body, screen_position: position } = step;
  const { content = [], footer = [], close, inline, className = '' } = options;
  const isInline = !!inline && !!target;
  const isBanner = options.banner ?? (!target && !className && (position === 'top' || position === 'bottom'));
  const main = ui.create('div', { class: 'main' });
  if (title) main.append(ui.create('h2', { class: 'title' }, ...ui.toNodes(title)));
  if (body) main.append(ui.body(body, { id: `body-${step.id}` }));
  main.append(...content);
  const box = ui.create('div', {
    class: ['box', className, isInline ? 'inline' : '', isBanner ? 'banner' : ''].join(' '),
    role: options.role ?? (isInline ? 'region' : 'dialog'),
    tabindex: '-1',
    'aria-label': ui.nameOf(step),
    // Without a title, the name says what is in a short body already.
    ...(body && ui.toPlainText(body) !== ui.nameOf(step) && { 'aria-describedby': `body-${step.id}` }),
    ...ui.language,
  });
  box.append(main);
  if (footer.length > 0) box.append(ui.create('div', { class: 'foot' }, ...footer));
  if (close && className !== 'tip') {
    const button = ui.button('x', [ui.icon(closeIcon)], close);
    button.setAttribute('aria-label', ui.label('close'));
    button.lang = ui.label('language');
    box.append(button);
  }
  return { box, main };
}

/** The name of a step for screen readers. */
export function nameOf(ui: Ui, { title, body, placeholder }: PageStep): string {
  return ui.toPlainText(title) || ui.toPlainText(body).slice(0, MAX_NAME) || ui.toPlainText(placeholder);
}

function isTyping(): boolean {
  const active = document.activeElement as HTMLElement | null;
  return !!active && (active.isContentEditable || active.matches('input,textarea,select'));
}

/**
 * Hides a box and its backdrop while the target is scrolled out of view. If the target stays away, a button leads back to it. The box gets the focus
 * back that it lost. The backdrop darkens the page except for the target; clicks on the target go through, because the clipped
 * area receives no clicks.
 */
function hideWhileAway(
  ui: Ui,
  box: HTMLElement,
  backdrop: HTMLElement | undefined,
  target: Element,
  hasButton: boolean,
): (isInView: boolean) => void {
  const button = ui.button('act first return', 'return', () => ui.scrollIntoView(target));
  let focused: HTMLElement | undefined;
  let isShown = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isInView) => {
    if (isInView === isShown) return;
    isShown = isInView;
    for (const element of [box, backdrop]) element?.style.setProperty('visibility', isShown ? '' : 'hidden');
    clearTimeout(timer);
    const root = ui.root();
    if (isShown) {
      button.remove();
      // The user may have moved the focus.
      if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
      return;
    }
    focused = box.matches(':focus-within') ? (root.activeElement as HTMLElement) : undefined;
    if (hasButton)
      timer = setTimeout(() => {
        root.append(button);
        if (focused) button.focus();
      }, RETURN_DELAY_MS);
  };
}

/** A rectangle 6 pixels around the target, with corners of 8. */
function cutoutAt({ left, top, width, height }: DOMRect): string {
  const [across, down] = [width - 4, height - 4];
  return `M${left + 2} ${top - 6}h${across}q8 0 8 8v${down}q0 8-8 8h${-across}q-8 0-8-8v${-down}q0-8 8-8`;
}
