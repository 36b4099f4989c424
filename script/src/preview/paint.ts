import type { ActiveExperience } from '../active-experience.ts';
import type { Cleanup, Handle, Paint, Ui } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import type { PageStep } from '../wire.ts';
import { markTexts } from './edit-texts.ts';
import css from './layer.css';
import type { PreviewRequest } from './messages.ts';
import type { PreviewPage } from './page.ts';
import { listTextPaths } from './text-paths.ts';

/*
 * Painting is up to the renderer and the kinds, which are the files that the pages of users load. The renderer paints with the
 * functions of `Ui`. Functions that wait, send, leave the page or run code are replaced here before the kind gets them.
 */

const nothing: Cleanup = () => {};
/** Events that close a list or a hint when the user turns to something else. An author who edits it wants it to stay open. */
const closingEvents = /^(pointerleave|focusout|pointerdown)$/;

/** Wraps the code of a kind, so that it paints the step immediately and nothing of it has an effect. */
export function createPreviewPaint(paintKind: Paint, request: PreviewRequest, page: PreviewPage): Paint {
  return (active, ui) => {
    const openers = new Map<string, () => void>();
    replaceEffects(ui);
    replaceWaiting(active, ui, page, openers);
    if (request.mode !== 'try') holdStill(ui);
    markTexts(ui, listTextPaths(active.experience), request.mode);
    ui.addStyle(css);
    const handle = paintKind(active, ui);
    show(handle, request, openers);
    return handle;
  };
}

function replaceEffects(ui: Ui): void {
  const { focus, walkThrough } = ui;
  Object.assign(ui, {
    openAddress: nothing,
    runCode: nothing,
    runActions: nothing,
    scrollIntoView: nothing,
    // The frame must not take the focus from the field of the dashboard in which the author types.
    focus: (box, take) => focus(box, take && document.hasFocus()),
    // A box with thanks does not close automatically here.
    walkThrough: (options) => {
      const { onPainted } = options;
      if (!onPainted) return walkThrough(options);
      const later = () => nothing;
      return walkThrough({ ...options, onPainted: (step, walk, box) => onPainted(step, { ...walk, later }, box) });
    },
  } satisfies Partial<Ui>);
}

/** Shows a step immediately: beside its element, or beside a stand-in. */
function replaceWaiting(active: ActiveExperience, ui: Ui, page: PreviewPage, openers: Map<string, () => void>): void {
  const { on } = ui;
  let waiting: PageStep | undefined;
  ui.waitFor = (step, { onFound, onLost }) => {
    // A tour also calls this to wait for the trigger of the next step. There is no box to lose then.
    if (!onLost) return nothing;
    waiting = step;
    if (traits[active.experience.kind].place !== 'element') page.clear();
    onFound(page.findTarget(active.experience, step));
    waiting = undefined;
    return nothing;
  };
  ui.on = (target, type, handler, options) => {
    // A hint opens when its element gets the focus.
    if (type === 'focusin' && waiting) openers.set(waiting.id, () => handler(new Event(type)));
    return on(target, type, handler, options);
  };
}

/** Keeps what is open open, and announces nothing to screen readers. */
function holdStill(ui: Ui): void {
  const { on, focus } = ui;
  Object.assign(ui, {
    on: (target, type, ...others) => (closingEvents.test(type) ? nothing : on(target, type, ...others)),
    focus: (box) => focus(box, false),
    announce: () => nothing,
  } satisfies Partial<Ui>);
}

/** Opens the list or hint that users open themselves. */
function show(handle: Handle, { experience, step }: PreviewRequest, openers: Map<string, () => void>): void {
  handle.open?.();
  openers.get(experience.steps?.[step]?.id ?? '')?.();
}
