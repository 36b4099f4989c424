import { resolve } from '../../domain/src/rich-text/merge.ts';
import type { ActiveExperience } from './active-experience.ts';
import type { Config } from './config.ts';
import type { Extras } from './extras/create-extras.ts';
import { traits } from './kinds/traits.ts';
import { safely } from './page/safely.ts';
import { textAt } from './preview/edit-texts.ts';
import type { PreviewEvent, PreviewRequest } from './preview/messages.ts';
import { listOverflowing } from './preview/overflow.ts';
import { createPage } from './preview/page.ts';
import { createPreviewPaint } from './preview/paint.ts';
import { readRequest } from './preview/read-request.ts';
import type { LoadedModules } from './register-module.ts';
import type { Renderer } from './renderer.ts';
import type { PageExperience } from './wire.ts';

/*
 * Stands in for the core in the document of the preview, which the dashboard shows in a frame: the dashboard sends what to paint, and
 * nothing is sent to a server. The document has an origin of its own and a policy that allows no requests.
 */

const SHOW_AGAIN = 'Show again';
/** In a low window, the box scrolls as a whole instead of its content. */
const scrolling = '.box,.main';

type Sent<Event> = Event extends unknown ? Omit<Event, 'usher'> : never;

const modules: Partial<LoadedModules> = {};
Object.assign(window, {
  usher: { kind: (name: string, module: unknown) => Object.assign(modules, { [name]: module }) },
});

const { origin } = location;
const config = {} as Config;
const page = createPage();
let renderer: Renderer | undefined;
let request: PreviewRequest | undefined;
let active: ActiveExperience | undefined;
/** The path of the text that was clicked last. */
let clicked: string | undefined;
/** The path of the text that is marked. */
let edited: unknown;
/** Whether animations are off. Nothing moves after an edit of the author, but a step that a button leads to glides in. */
let isStill = true;

const { matchMedia } = window;
window.matchMedia = (query) =>
  isStill && query.includes('reduced-motion') ? ({ matches: true } as MediaQueryList) : matchMedia.call(window, query);

function post(event: Sent<PreviewEvent>): void {
  parent.postMessage({ usher: 'preview', ...event }, origin);
}

function listRoots(): ShadowRoot[] {
  return [...document.querySelectorAll('usher-layer')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
}

function findPainted<Found extends Element>(selector: string): Found[] {
  return listRoots().flatMap((root) => [...root.querySelectorAll<Found>(selector)]);
}

function stop(): void {
  active?.handle?.stop();
  active = undefined;
  page.clear();
  document.querySelector('.again')?.remove();
}

function paint(next: PreviewRequest): void {
  const scrolled = findPainted(scrolling).map(({ scrollTop }) => scrollTop);
  const isSame = request?.experience.id === next.experience.id && request.step === next.step;
  const focused = findPainted<HTMLElement>(':focus')[0]?.dataset.path;
  isStill = true;
  stop();
  request = next;
  const { style, dir } = document.documentElement;
  style.colorScheme = next.scheme;
  if (dir !== next.direction) document.documentElement.dir = next.direction;
  const { experience, labels, theme } = next;
  Object.assign(config, { labels, themes: theme && { [experience.theme_id ?? 'default']: theme } });
  renderer ??= modules.renderer?.({ config, matchesPage: () => true, scheduleVisit: () => {} });
  const paintKind = modules[next.experience.kind];
  if (!renderer || !paintKind) return;
  const { kind, steps = [] } = next.experience;
  // Hints show together, each at its own element, and a sketch has one.
  const isAlone = traits[kind].place !== 'element' || steps.length === 1;
  page.showSketch(isAlone ? next.sketch : undefined, steps[next.step]?.id);
  const started = createActive(next);
  active = started;
  started.handle = renderer.paint(started, createPreviewPaint(paintKind, next, page));
  for (const { host } of listRoots()) host.toggleAttribute('data-still', true);
  if (isSame) for (const [at, element] of findPainted(scrolling).entries()) element.scrollTop = scrolled[at] ?? 0;
  // This comes after the microtask in which the texts are marked.
  queueMicrotask(() => {
    if (document.hasFocus()) focusText(focused);
    markText(edited);
    isStill = next.still;
  });
  requestAnimationFrame(reportBox);
}

function createActive({ experience, step, mode }: PreviewRequest): ActiveExperience {
  const created: ActiveExperience = {
    ...{ experience, hasStarted: false, isVisible: false, hasSlot: true },
    startStepId: experience.steps?.[step]?.id,
    media: modules.media?.(experience),
    tourExtras: modules.tour_extras?.(experience),
    // An author edits the step, and not the hotspot that opens it.
    skipTriggers: mode !== 'try',
    // Values of a Delivery are not known, so their fallbacks show. Answers are known once they are given.
    extras: {
      resolveText: (text) =>
        resolve(text, (source, path) => (source === 'answer' ? created.questions?.answerTo(path) : undefined)),
    } as Partial<Extras> as Extras,
    requestSlot: () => true,
    stop: () => {},
    beforeStep: () => undefined,
    saveStep: (id) => moveTo(experience, id),
    report: () => {},
    end: (state) => {
      if (active !== created) return;
      post({ event: 'end', state });
      // The click on the button is still being handled.
      queueMicrotask(() => safely(() => request && (request.mode === 'try' ? offerAgain() : paint(request))));
    },
    show: () => {},
  };
  created.questions = modules.questions?.(created);
  return created;
}

function moveTo({ steps = [] }: PageExperience, id: string): void {
  const step = steps.findIndex((one) => one.id === id);
  if (!request || step < 0 || step === request.step) return;
  request = { ...request, step };
  for (const { host } of listRoots()) host.toggleAttribute('data-still', isStill);
  post({ event: 'step', step });
  requestAnimationFrame(reportBox);
}

function offerAgain(): void {
  stop();
  const button = document.createElement('button');
  button.className = 'again';
  button.textContent = SHOW_AGAIN;
  button.addEventListener('click', () => request && paint({ ...request, step: 0 }));
  document.body.append(button);
  if (document.hasFocus()) button.focus();
}

/** Reports the smallest rectangle around what is painted. */
function reportBox(): void {
  if (!request) return;
  const rects = findPainted('.box:not([inert]),.open,.hint,.hotspot').map((element) => element.getBoundingClientRect());
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const width = Math.max(...rects.map((rect) => rect.right)) - left;
  const height = Math.max(...rects.map((rect) => rect.bottom)) - top;
  const overflow = listOverflowing(findPainted('[data-path]'));
  post({
    ...{ event: 'painted', step: request.step, overflow },
    box: rects.length > 0 ? { left, top, width, height } : null,
  });
}

addEventListener('message', ({ source, origin: sender, data }) => {
  // Only the window that shows the frame may say what to paint.
  if (source !== parent || sender !== origin) return;
  const next = readRequest(data);
  if (next) safely(() => paint(next));
  // A mark does not paint again: that would replace the text between the press and the release of the mouse, and its
  // click would be lost.
  else if (data?.usher === 'preview') markText(data.edited);
});

addEventListener('resize', () => {
  // A sketch has the size of the window.
  if (request?.sketch) safely(() => request && paint(request));
  else reportBox();
});

/* These listeners see an event before the listeners of the renderer, because they are the first ones of the window. */

function findText(event: Event): ReturnType<typeof textAt> {
  // The arrow keys press buttons, too. That is not a click on their text.
  return request?.mode === 'edit' && event.isTrusted ? textAt(event, request.step) : undefined;
}

function editText(event: Event): void {
  const text = findText(event);
  if (!text) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  clicked = text.path;
  post({ event: 'text', path: clicked, box: text.element.getBoundingClientRect().toJSON() });
}

function focusText(path: string | undefined): void {
  const isIt = ({ dataset }: HTMLElement) => dataset.path === path;
  findPainted<HTMLElement>('[data-path]').find(isIt)?.focus({ preventScroll: true });
}

function markText(path: unknown): void {
  edited = path;
  for (const element of findPainted<HTMLElement>('[data-path]'))
    element.toggleAttribute('data-edited', element.dataset.path === path);
}

function leadNowhere(event: Event): void {
  if (event.composedPath().some((node) => node instanceof HTMLAnchorElement)) event.preventDefault();
}

addEventListener('click', leadNowhere, true);
addEventListener('auxclick', leadNowhere, true);
addEventListener('dragstart', leadNowhere, true);
addEventListener('click', editText, true);
addEventListener(
  'mousedown',
  // Without this, the browser would open the list of a dropdown.
  (event) => findText(event)?.path.includes('dropdown') && event.preventDefault(),
  true,
);
addEventListener(
  'keydown',
  (event) => {
    // The renderer keeps Tab inside of a box with a backdrop. The dashboard is outside of it.
    if (event.key === 'Tab') event.stopImmediatePropagation();
    if (event.key === 'Enter') editText(event);
  },
  true,
);

// The dashboard gives the focus back after the text was edited. Painting has replaced the element of the text meanwhile.
addEventListener('focus', () => {
  focusText(clicked);
  clicked = undefined;
});

// At this event, the other files have run.
addEventListener('DOMContentLoaded', () => post({ event: 'ready' }));
