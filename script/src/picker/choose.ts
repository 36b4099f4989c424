import type { Cleanup } from '../kind.ts';
import { find, SHADOW_SEPARATOR } from '../page/find.ts';
import { safely } from '../page/safely.ts';
import { isOn } from '../page-events/is-on.ts';
import type { PageElement } from '../wire.ts';
import type { Action } from './bar.ts';
import { describe } from './describe.ts';
import type { PickInfo, PickResult } from './exchange.ts';
import { type Flow, fail, run } from './flow.ts';
import { createHighlight } from './highlight.ts';
import { describeDoubt, nameMaker, nameStep } from './pick-words.ts';
import { point } from './point.ts';
import { refine } from './refine.ts';
import { createResult, findDurableAround } from './result.ts';
import type { Candidate } from './selectors/suggest.ts';
import { isDurable } from './selectors/suggest.ts';

/* The screens in which an administrator chooses an element, in their order. */

/** Says what is to be picked, and waits for a click. */
export function offer(flow: Flow, info: PickInfo): void {
  flow.bar.show({
    title: 'Pick an element of this page',
    text: `For ${nameStep(info)}.`,
    note: nameMaker(info, flow.deps.config.url),
    actions: [{ label: 'Start picking', onClick: () => pick(flow, info, true), isFirst: true }, flow.endAction],
  });
}

/** Lets the administrator point at an element. `showsOld` begins with the element that the step has now. */
export function pick(flow: Flow, info: PickInfo, showsOld = false): void {
  flow.unmark?.();
  flow.exchange.save({ started: true });
  point(flow, {
    title: `Point at the element for ${nameStep(info)}`,
    actions: [{ label: 'Write a selector', onClick: () => write(flow, info) }],
    onPick: (element) => check(flow, info, element),
  });
  // The current element of the step is chosen first, so that the administrator can see and correct it.
  const known = info.step?.elements ?? info.event_name?.elements;
  const old = showsOld && known?.[0] ? find(known) : undefined;
  if (old && 'element' in old) flow.picking?.choose(old.element);
}

/** Lets the administrator write the selector, beginning with the selector of the picked element. */
function write(
  flow: Flow,
  info: PickInfo,
  element?: Element,
  { selector = '', shadow_selector }: PageElement = {},
): void {
  flow.picking?.stop();
  flow.unmark?.();
  flow.unmark = refine(flow.ui, flow.bar, {
    ...{ element, selector: shadow_selector ? `${selector}${SHADOW_SEPARATOR}${shadow_selector}` : selector },
    onUse: (chosen, own) => {
      flow.unmark?.();
      check(flow, info, chosen, own);
    },
    others: [{ label: 'Pick another', onClick: () => pick(flow, info) }, flow.endAction],
  });
}

/**
 * Sends the picked element. If an element is known only by its place, another element may soon be there, so the
 * administrator decides about it.
 */
function check(flow: Flow, info: PickInfo, element: Element, own: Candidate[] = []): void {
  const { ui, bar } = flow;
  const words = describe(element);
  const result = createResult(element, own);
  if (!result) {
    bar.setNote(`Usher cannot find this ${words} again. Pick the element around it with Arrow up.`);
    return void ui.announce('This element cannot be picked. Pick the element around it.');
  }
  const refineAction: Action = { label: 'Refine', onClick: () => write(flow, info, element, result.elements[0]) };
  flow.picking?.stop();
  const picked = { words, result, refineAction, isEvent: !!info.event_name };
  if (result.candidates.some(isDurable)) run(flow, () => send(flow, picked));
  else doubt(flow, info, element, picked);
}

/** The picked element as a result, and its name for people. */
interface Picked {
  words: string;
  result: PickResult;
  refineAction: Action;
  /** Whether it is for clicks that are counted. */
  isEvent: boolean;
}

/** Asks what to do with an element that is known only by its place. */
function doubt(flow: Flow, info: PickInfo, element: Element, picked: Picked): void {
  const { ui, bar, endAction } = flow;
  const around = findDurableAround(element);
  const outer = around && createResult(around);
  const mark = createHighlight(ui, () => mark.hide());
  flow.unmark = mark.hide;
  mark.show(around ?? element);
  const title = `Usher can find ${picked.words} only by its place`;
  const text = describeDoubt(element, around);
  const sendOuter = (result: PickResult): Action => ({
    ...{ label: 'Pick the element around it', isFirst: true },
    onClick: () => run(flow, () => send(flow, { ...picked, result, words: describe(around as Element) })),
  });
  bar.show({
    ...{ title, text },
    actions: [
      ...(outer ? [sendOuter(outer)] : []),
      { label: 'Pick it anyway', onClick: () => run(flow, () => send(flow, picked)) },
      picked.refineAction,
      { label: 'Pick another', onClick: () => pick(flow, info) },
      endAction,
    ],
  });
  ui.announce(`${title}. ${text}`);
}

async function send(flow: Flow, picked: Picked): Promise<void> {
  const { ui, bar, exchange, endAction } = flow;
  flow.unmark?.();
  exchange.save({ started: false });
  bar.show({ title: `Sending ${picked.words}…`, actions: [endAction] });
  const failure = await exchange.send(picked.result);
  if (flow.isClosed) return;
  if (failure) return fail(flow, failure, () => run(flow, () => send(flow, picked)));
  const title = `Picked ${picked.words}`;
  const back = 'Go back to the tab with Usher to use it.';
  const text = picked.isEvent ? `Click it now to test it. ${back}` : back;
  const again: Action = {
    label: 'Pick another',
    onClick: () => {
      exchange.save({ started: true });
      // The pick ends when Usher has used its result.
      flow.reconnect();
    },
  };
  bar.show({ title, text, actions: [again, picked.refineAction, endAction] });
  ui.announce(`${title}. ${text}`);
  if (picked.isEvent) flow.unmark = watchClicks(flow, picked.result.elements);
}

/** Says that a click would count. Returns a function that stops this. */
function watchClicks({ ui, bar }: Flow, elements: readonly PageElement[]): Cleanup {
  let seen = 0;
  const onClick = (event: Event) => {
    if (!event.isTrusted || !safely(() => isOn(event.composedPath(), elements))) return;
    seen += 1;
    const note = `Click seen${seen > 1 ? ` ${seen} times` : ''}: it will count.`;
    bar.setNote(note);
    ui.announce(note);
  };
  window.addEventListener('click', onClick, true);
  return () => window.removeEventListener('click', onClick, true);
}
