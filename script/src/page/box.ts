import type { Box, BoxOptions, Cleanup, Ui } from '../kind.ts';
import type { PageStep } from '../wire.ts';
import { handleKeys, isTyping } from './focus.ts';
import { glide } from './motion.ts';
import { isInWindow } from './place.ts';
import { runAll } from './run-all.ts';

const closeIcon = 'M6 6l12 12M18 6L6 18';
/** A target that is out of view for a shorter time may only be scrolling into view. */
const RETURN_DELAY_MS = 500;

/** Shows the texts of a step in a box: beside its target, at its position in the window, or inside of the page. */
export function openBox(ui: Ui, step: PageStep, target: Element | null, options: BoxOptions): Box {
  const { close, opener } = options;
  const isInline = target && (options.inline || (step.position_type === 'inline' && !opener));
  const inline = isInline ? ui.insertInline(target, options.inline ?? 'beforeend') : undefined;
  const backdrop = step.backdrop && !inline ? ui.create('div', { class: 'backdrop' }) : undefined;
  // The ring marks the target. With a backdrop, its shadow dims the rest of the page.
  const hasRing = backdrop || (target && !inline && !opener);
  const ring = hasRing ? ui.create('div', { class: backdrop ? 'ring dim' : 'ring' }) : undefined;
  const isModal = !target && !!step.backdrop;
  const { box, main } = createBox(ui, step, target, !!inline, options);
  if (isModal) box.setAttribute('aria-modal', 'true');

  const elements = [backdrop, ring, box].filter((element) => !!element);
  for (const element of elements) element.className += ui.theme;
  const setInView = target ? hideWhileAway(ui, box, elements, target, !opener) : () => {};
  const cleanups: Cleanup[] = [() => ui.remove(elements), () => setInView(true)];
  const stop = ui.untilEnd(() => runAll(cleanups));
  const root = inline?.root ?? ui.root();
  root.append(...elements);
  cleanups.push(
    inline?.remove ??
      ui.place(box, target, step, (rect) => {
        setInView(!!rect);
        if (target && rect && ring) moveRing(ring, backdrop, target, rect);
      }),
  );
  // A box that the user opens appears at its place, instead of gliding there from the previous box.
  if (!opener && (!target || isInWindow(target))) glide(root, elements);
  // The content gets a tab stop, so that the keyboard can scroll it.
  if (main.scrollHeight > main.clientHeight + 1) main.tabIndex = 0;
  cleanups.push(handleKeys(box, target, !!backdrop));
  if (!inline) {
    if (close) cleanups.push(ui.onEscape(close));
    // Don't steal the focus while the user is typing.
    const isCentral = target || (step.screen_position ?? 'center') === 'center';
    const takeFocus = options.takeFocus ?? (isModal || (isCentral && !isTyping()));
    cleanups.unshift(ui.focus(box, takeFocus));
    if (!takeFocus) cleanups.push(ui.announce([step.title, step.body].map(ui.toPlainText).join('\n')));
  }
  if (opener && close) {
    const isOutside = (event: Event) => event.composedPath().every((node) => node !== box && node !== opener);
    cleanups.push(ui.on(document, 'pointerdown', (event) => isOutside(event) && close(), { capture: true }));
  }
  return { element: box, stop };
}

function createBox(ui: Ui, step: PageStep, target: Element | null, isInline: boolean, options: BoxOptions) {
  const { title, body, screen_position: position } = step;
  const { content = [], footer = [], close, className = '' } = options;
  const isBanner = options.banner ?? (!target && !className && (position === 'top' || position === 'bottom'));
  const main = ui.create('div', { class: 'main' });
  if (title) main.append(ui.create('h2', { class: 'title' }, ...ui.toNodes(title)));
  if (body) main.append(ui.body(body, { id: `body-${step.id}` }));
  main.append(...content);
  const box = ui.create('div', {
    class: `box ${className}${isInline ? ' inline' : ''}${isBanner ? ' banner' : ''}`,
    role: options.role ?? (isInline ? 'region' : 'dialog'),
    tabindex: '-1',
    'aria-label': ui.nameOf(step),
    // Without a title, a short body is the name of the box, so it is not also the description.
    ...(body && ui.toPlainText(body) !== ui.nameOf(step) && { 'aria-describedby': `body-${step.id}` }),
    ...ui.language,
  });
  box.append(main);
  ui.media?.(ui, step, box, main);
  if (footer.length > 0) box.append(ui.create('div', { class: 'foot' }, ...footer));
  if (close && className !== 'tip') {
    const button = ui.button('x', 'close', close);
    button.setAttribute('aria-label', ui.label('close'));
    button.replaceChildren(ui.icon(closeIcon));
    box.append(button);
  }
  return { box, main };
}

/**
 * Hides a box, its ring and its backdrop while the target is scrolled out of view. If the target stays away, a button
 * leads back to it. When the target is back, the box gets the focus that it had before.
 */
function hideWhileAway(
  ui: Ui,
  box: HTMLElement,
  elements: HTMLElement[],
  target: Element,
  hasButton: boolean,
): (isInView: boolean) => void {
  let focused: HTMLElement | undefined;
  let isShown = true;
  let removeButton: Cleanup | undefined;
  return (isInView) => {
    if (isInView === isShown) return;
    isShown = isInView;
    for (const { style } of elements) style.visibility = isShown ? '' : 'hidden';
    if (isShown) {
      removeButton?.();
      // The user may have moved the focus.
      if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
      return;
    }
    focused = box.matches(':focus-within') ? (ui.root().activeElement as HTMLElement) : undefined;
    if (hasButton) removeButton = offerReturn(ui, () => ui.scrollIntoView(target), !!focused);
  };
}

/** Shows a button that leads back to the step, if the target stays away. */
export function offerReturn(ui: Ui, goBack: () => void, takeFocus: boolean): Cleanup {
  const button = ui.button(`act first return${ui.theme}`, 'return', goBack);
  const timer = setTimeout(() => {
    ui.root().append(button);
    if (takeFocus) button.focus();
  }, RETURN_DELAY_MS);
  return () => {
    clearTimeout(timer);
    button.remove();
  };
}

/** Moves the ring around the target. Clicks on the target go through the backdrop: the clipped area receives no clicks. */
function moveRing({ style }: HTMLElement, backdrop: HTMLElement | undefined, target: Element, rect: DOMRect): void {
  const { left, top, width, height } = rect;
  // The style sheet adds 4 pixels at each side.
  const radius = getComputedStyle(target).borderRadius.replace(/[\d.]+px/g, 'calc($& + 4px)');
  style.cssText = `transform:translate(${left}px,${top}px);width:${width}px;height:${height}px;border-radius:${radius}`;
  if (backdrop)
    backdrop.style.clipPath = `path(evenodd,"M0 0H99999V99999H0ZM${left} ${top}h${width}v${height}h${-width}z")`;
}
