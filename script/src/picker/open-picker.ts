import type { ActiveExperience } from '../active-experience.ts';
import type { Cleanup, Handle, Ui } from '../kind.ts';
import { find, SHADOW_SEPARATOR } from '../page/find.ts';
import type { PageElement } from '../wire.ts';
import { type Action, createBar } from './bar.ts';
import { describe } from './describe.ts';
import { type Answer, createExchange, type Failure, type PickInfo, type PickResult } from './exchange.ts';
import { createHighlight } from './highlight.ts';
import { isForeignFrame } from './neighbors.ts';
import { type Picking, startPicking } from './pick.ts';
import { refine } from './refine.ts';
import { createResult, findDurableAround, isDurable } from './result.ts';
import type { Candidate } from './selectors/suggest.ts';
import type { TryDependencies } from './try.ts';

/** What the picker needs from the core. */
type PickerDependencies = Parameters<typeof createExchange>[0] & TryDependencies;

const KEYS =
  'A click or Enter picks it. Arrow up and down: parent and child; left and right: neighbors. Hold Alt to use the page. Escape ends.';
const FRAME = 'The frame shows a page of another origin. Only the frame itself can be picked.';
/** What the page lists, so that its place changes. */
const ROWS = 'tr,li,[role=row],[role=listitem],[role=option],[aria-rowindex]';
const USING = 'You are using the page. Open what you need, then let go of Alt or press the button again.';

/** Opens the bar of a pick: with the key from the address, with the token of the previous page, or by asking for a code. */
export async function openPicker(deps: PickerDependencies, key: unknown): Promise<void> {
  // The page has no use for it.
  delete (window as unknown as { usher: { p?: unknown } }).usher.p;
  const renderer = await deps.experiences.loadRenderer();
  // The renderer paints the bar like an Experience, which gives it the layer and its isolation. It stops what it cannot paint.
  const active = { experience: {}, report: () => {}, stop: () => release(deps) };
  const handle: Handle = renderer.paint(active as unknown as ActiveExperience, (_, ui) => ({
    stop: runPicker(ui, deps, key, () => handle.stop()),
  }));
}

/** Starts the Experiences of the page, which have waited. They would be in the way. */
function release({ experiences, visits }: PickerDependencies): void {
  if (!experiences.isHeld) return;
  experiences.isHeld = false;
  if (visits.current) experiences.apply(visits.current.response);
}

/** Leads through a pick. Returns a function that removes everything. */
function runPicker(ui: Ui, deps: PickerDependencies, key: unknown, close: () => void): () => void {
  const exchange = createExchange(deps);
  let picking: Picking | undefined;
  let stopTrying: Cleanup | undefined;
  let isClosed = false;
  /** Removes the outline of an element that waits for a decision. */
  let unmark: Cleanup | undefined;
  const end = () => {
    exchange.end();
    close();
  };
  const bar = createBar(ui, {
    moved: !!exchange.saved.moved,
    onMove: (moved) => exchange.save({ moved }),
    onEscape: end,
  });
  const endAction: Action = { label: 'End', onClick: end };

  const connect = async (ask: () => Promise<Answer>) => {
    bar.show({ title: 'Connecting to Usher…', actions: [endAction] });
    const answer = await ask();
    // Somebody has ended it meanwhile.
    if (isClosed) return exchange.end();
    if ('error' in answer) return fail(answer, () => void connect(ask));
    if (answer.pick.purpose === 'try') return void tryDraft(answer.pick);
    if (exchange.saved.started) pick(answer.pick);
    else offer(answer.pick);
    bar.focus();
  };

  const tryDraft = async (info: PickInfo) => {
    const start = await deps.parts.load('try').catch(() => undefined);
    if (isClosed) return;
    const error = 'A file of Usher could not be loaded.';
    if (!start) return fail({ error, canRetry: true }, () => void tryDraft(info));
    stopTrying = start(ui, { ...{ deps, bar, exchange, info, end, fail }, madeBy: nameMaker(info) });
    bar.focus();
  };

  const fail = ({ error, canRetry }: Failure, retry: () => void) => {
    if (!canRetry) release(deps);
    const again: Action = { label: 'Try again', onClick: retry, isFirst: true };
    const title = canRetry ? 'Usher cannot be reached' : 'This pick is over';
    bar.show({ title, text: error, actions: canRetry ? [again, endAction] : [{ ...endAction, label: 'Close' }] });
    ui.announce(`${title}. ${error}`);
  };

  /** The address is the one that the script talks to, and not one that a link could have brought. */
  const nameMaker = ({ administrator, account }: PickInfo) =>
    `Asked for by ${administrator.name || 'an administrator'} (${account.name}) on ${hostOf(deps.config.url)}`;

  const askForCode = (problem = '', typed = '') => {
    const input = ui.create('input', {
      ...{ 'aria-label': 'Code', autocomplete: 'off', spellcheck: 'false', maxlength: '20' },
      ...{ placeholder: 'K7QM-2XDP', 'data-focus': '' },
    });
    // One letter may be wrong, so it stays to be corrected.
    input.value = typed;
    const form = ui.create('form', { class: 'pick-code' }, input);
    const message = ui.create('p', { class: 'pick-message' }, problem);
    const submit = async () => {
      const code = input.value.trim();
      if (!code) return input.focus();
      const answer = await exchange.open({ code });
      if ('error' in answer && !isClosed) return askForCode(answer.error, code);
      await connect(async () => answer);
    };
    ui.on(form, 'submit', (event) => {
      event.preventDefault();
      void submit();
    });
    bar.show({
      ...{ title: 'Enter the code that Usher shows', content: problem ? [message, form] : [form] },
      actions: [{ label: 'Continue', onClick: () => void submit(), isFirst: true }, endAction],
    });
    if (problem) ui.announce(problem);
    bar.focus();
  };

  const offer = (info: PickInfo) => {
    bar.show({
      title: 'Pick an element of this page',
      text: `For ${nameStep(info)}.`,
      note: nameMaker(info),
      actions: [{ label: 'Start picking', onClick: () => pick(info, true), isFirst: true }, endAction],
    });
  };

  const pick = (info: PickInfo, showsOld = false) => {
    unmark?.();
    exchange.save({ started: true });
    const chosen = ui.create('span', { class: 'pick-chosen' }, 'Nothing yet');
    const chooser = ui.create(
      'div',
      // With this role, screen readers pass the arrow keys on.
      { role: 'application', tabindex: '0', 'data-focus': '', 'aria-label': 'Choose an element with the arrow keys' },
      chosen,
    );
    const use: Action = {
      ...{ label: 'Use the page', isToggle: true },
      onClick: ({ ariaPressed }) => picking?.usePage(ariaPressed === 'true'),
    };
    bar.show({
      ...{ title: `Point at the element for ${nameStep(info)}`, content: [chooser], note: KEYS },
      actions: [use, { label: 'Write a selector', onClick: () => write(info) }, endAction],
    });
    picking = startPicking(ui, {
      onChoose: (element, byKey) => {
        chosen.textContent = element ? describe(element) : 'Nothing yet';
        if (!element) return;
        const note = isForeignFrame(element) ? FRAME : KEYS;
        bar.setNote(note);
        if (byKey) ui.announce(note === FRAME ? `${describe(element)}. ${FRAME}` : describe(element));
      },
      onUse: (isUsed) => bar.setNote(isUsed ? USING : KEYS),
      onPick: (element) => check(info, element),
      onEnd: end,
    });
    // The element that the step has now, so that it can be seen and corrected.
    const old = showsOld && info.step?.elements?.[0] ? find(info.step.elements) : undefined;
    if (old && 'element' in old) picking.choose(old.element);
  };

  /** Lets the administrator write the selector, beginning with that of what was picked. */
  const write = (info: PickInfo, element?: Element, { selector = '', shadow_selector }: PageElement = {}) => {
    picking?.stop();
    unmark?.();
    unmark = refine(ui, bar, {
      ...{ element, selector: shadow_selector ? `${selector}${SHADOW_SEPARATOR}${shadow_selector}` : selector },
      onUse: (chosen, own) => {
        unmark?.();
        check(info, chosen, own);
      },
      others: [{ label: 'Pick another', onClick: () => pick(info) }, endAction],
    });
  };

  /** Sends what was picked. What has only its place may soon be another element, so that needs a decision. */
  const check = (info: PickInfo, element: Element, own: Candidate[] = []) => {
    const words = describe(element);
    const result = createResult(element, own);
    const refineAction: Action = {
      label: 'Refine',
      onClick: () => write(info, element, result?.elements[0]),
    };
    if (!result) {
      bar.setNote(`Usher cannot find this ${words} again. Pick the element around it with Arrow up.`);
      return void ui.announce('This element cannot be picked. Pick the element around it.');
    }
    picking?.stop();
    if (result.candidates.some(isDurable)) return void send(info, words, result, refineAction);
    const around = findDurableAround(element);
    const outer = around && createResult(around);
    const mark = createHighlight(ui, () => mark.hide());
    unmark = mark.hide;
    mark.show(around ?? element);
    const title = `Usher can find ${words} only by its place`;
    const why = element.closest(ROWS)
      ? 'It is in a row: when rows are sorted or filtered, another one is in its place.'
      : 'It breaks when the page changes.';
    const text = `${why}${around ? ` The element around it can be found again: ${describe(around)}.` : ''}`;
    bar.show({
      ...{ title, text },
      actions: [
        ...(outer
          ? [
              {
                ...{ label: 'Pick the element around it', isFirst: true },
                onClick: () => void send(info, describe(around), outer, refineAction),
              },
            ]
          : []),
        { label: 'Pick it anyway', onClick: () => void send(info, words, result, refineAction) },
        refineAction,
        { label: 'Pick another', onClick: () => pick(info) },
        endAction,
      ],
    });
    ui.announce(`${title}. ${text}`);
  };

  const send = async (info: PickInfo, words: string, result: PickResult, refineAction: Action) => {
    unmark?.();
    exchange.save({ started: false });
    bar.show({ title: `Sending ${words}…`, actions: [endAction] });
    const failure = await exchange.send(result);
    if (isClosed) return;
    if (failure) return fail(failure, () => void send(info, words, result, refineAction));
    const title = `Picked ${words}`;
    const text = 'Go back to the tab with Usher to use it.';
    const again: Action = {
      label: 'Pick another',
      onClick: () => {
        exchange.save({ started: true });
        // The pick is over once it was used in Usher.
        void connect(exchange.resume);
      },
    };
    bar.show({ title, text, actions: [again, refineAction, endAction] });
    ui.announce(`${title}. ${text}`);
  };

  if (typeof key === 'string') void connect(() => exchange.open({ key }));
  else if (exchange.saved.token) void connect(exchange.resume);
  else askForCode();
  return () => {
    isClosed = true;
    picking?.stop();
    unmark?.();
    stopTrying?.();
    bar.stop();
    release(deps);
  };
}

function nameStep({ experience, step }: PickInfo): string {
  const of = `the ${experience.kind} “${experience.name}”`;
  return step ? `step ${step.number}${step.title ? ` “${step.title}”` : ''} of ${of}` : of;
}

function hostOf(url = ''): string {
  return new URL(url, location.href).host;
}
