import { describeUrls } from '../debug/diagnose.ts';
import type { Cleanup, Ui } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import type { EndState, Kind } from '../wire.ts';
import type { Action, Bar } from './bar.ts';
import { shorten } from './describe.ts';
import type { Draft, Exchange, Failure, PickInfo } from './exchange.ts';
import { loadExtras, type Playing, playDraft, type TryDependencies } from './try-draft.ts';
import { letTabReach } from './try-keys.ts';
import { createNotes, findTarget } from './try-notes.ts';
import { chooseStart, isForOtherPages, saveStep } from './try-start.ts';
import {
  describeEnd,
  describeSkipped,
  describeStart,
  describeUser,
  MAX_NAME,
  NOTHING_COUNTED,
  nameExperience,
} from './try-words.ts';

export type { TryDependencies };

interface TryOptions {
  deps: TryDependencies;
  bar: Bar;
  exchange: Exchange;
  info: PickInfo;
  /** Who made the pick, in words. */
  madeBy: string;
  end(): void;
  fail(failure: Failure, retry: () => void): void;
  /** Runs work that waits for something. An unexpected error is shown in the bar. */
  run(work: () => Promise<unknown>): void;
}

const REFRESH_MS = 250;
/** Refreshing takes at most a twentieth of the time: a search for a text in thousands of rows takes long. */
const PAUSE_FACTOR = 19;
const MAX_VISIT_MS = 2000;
const FILE_MISSING: Failure = { error: 'A file of Usher could not be loaded.', canRetry: true };

/** A draft that is being tried: what the screens share. */
interface Trying extends TryOptions {
  readonly ui: Ui;
  readonly kind: Kind;
  readonly describe: ReturnType<typeof createNotes>;
  readonly endAction: Action;
  draft?: Draft;
  playing?: Playing | undefined;
  /** Counts the attempts to play, because files load meanwhile. */
  turn: number;
  /** Whether the launcher is for other pages, so that it does not play here. */
  isElsewhere: boolean;
  message: string;
  /** Why the current step does not show, in case the administrator skips it. */
  problem: string;
  lastKey: string;
  lastView: string;
  timer?: ReturnType<typeof setTimeout>;
}

/** Leads an administrator through a draft on the page. Returns a function that removes everything. */
export function startTry(ui: Ui, options: TryOptions): Cleanup {
  const { deps, end } = options;
  const { labels } = deps.config;
  const trying: Trying = {
    ...{ ...options, ui, kind: options.info.experience.kind, describe: createNotes(deps.scriptModules) },
    endAction: { label: 'End', onClick: end },
    ...{ turn: 0, isElsewhere: false, message: '', problem: '', lastKey: '', lastView: '' },
  };
  const cleanups = [ui.onEscape(end), letTabReach(ui)];
  if (options.exchange.saved.started) load(trying);
  else offer(trying);
  return () => {
    stopPlaying(trying);
    for (const cleanup of cleanups) cleanup();
    deps.config.labels = (deps.visits.current?.response.labels ?? labels) as Record<string, string>;
    deps.config.themes = deps.visits.current?.response.themes;
  };
}

function stopPlaying(trying: Trying): void {
  trying.turn++;
  clearTimeout(trying.timer);
  trying.playing?.stop();
  trying.playing = undefined;
}

/** Says what is to be tried, and waits for a click. */
function offer(trying: Trying): void {
  const { bar, exchange, info, madeBy, endAction } = trying;
  const begin = () => {
    exchange.save({ started: true });
    load(trying);
  };
  bar.show({
    title: `Try ${nameExperience(info)} on this page`,
    text: describeStart(info, !!exchange.saved.real),
    note: `${madeBy}. ${NOTHING_COUNTED}`,
    actions: [{ label: 'Begin', onClick: begin, isFirst: true }, modeAction(trying, () => offer(trying)), endAction],
  });
}

function modeAction({ exchange }: Trying, onChange: () => void): Action {
  return {
    ...{ label: 'Real triggers', isToggle: true, isPressed: !!exchange.saved.real },
    onClick: () => {
      exchange.save({ real: !exchange.saved.real });
      onChange();
    },
  };
}

function againAction(trying: Trying): Action {
  return {
    label: 'Start again',
    onClick: () => {
      trying.exchange.save({ step: undefined, jumped: true, ended: undefined });
      trying.message = '';
      load(trying);
    },
  };
}

/** Loads the draft again, so that it has the latest edits. */
function load(trying: Trying): void {
  trying.run(() => loadAndPlay(trying));
}

async function loadAndPlay(trying: Trying): Promise<void> {
  const { deps, bar, exchange, fail, endAction, kind } = trying;
  stopPlaying(trying);
  bar.show({ title: 'Loading the draft…', actions: [endAction] });
  const attempt = trying.turn;
  const answer = await exchange.loadDraft(await findVisit(deps));
  if (attempt !== trying.turn) return;
  if ('error' in answer) return fail(answer, () => load(trying));
  const hasExtras = await loadExtras(deps, answer).then(
    () => true,
    () => false,
  );
  if (!hasExtras) return fail(FILE_MISSING, () => load(trying));
  if (attempt !== trying.turn) return;
  trying.draft = answer;
  const isEmpty = !traits[kind].hasItems && !answer.experience.steps?.[0];
  const text = 'Add a step in Usher, then start again.';
  if (isEmpty) bar.show({ title: 'This draft has no steps yet', text, actions: [againAction(trying), endAction] });
  else if (exchange.saved.ended) showEnd(trying, exchange.saved.ended);
  else await play(trying);
}

/** Plays the draft from the saved step, else from the step of the pick. */
async function play(trying: Trying): Promise<void> {
  const { ui, deps, draft, exchange, info, fail, run, kind } = trying;
  if (!draft) return;
  stopPlaying(trying);
  const attempt = trying.turn;
  const { saved } = exchange;
  const { step, hasJumped, isDeleted } = chooseStart(
    draft.experience,
    saved,
    info.step?.id,
    deps.scriptModules.matchesPage,
  );
  if (isDeleted) trying.message = 'The step was deleted meanwhile, so it starts with the first one.';
  deps.config.labels = draft.labels as Record<string, string>;
  deps.config.themes = draft.themes;
  trying.isElsewhere = isForOtherPages(draft.experience, saved, deps.scriptModules.matchesPage);
  trying.lastView = trying.problem = '';
  if (!trying.isElsewhere) {
    const started = await playDraft(deps, draft, {
      ...{ stepId: step?.id, hasJumped, isReal: !!saved.real },
      onStep: (id) => attempt === trying.turn && changeStep(trying, id, step?.id),
      onShown: () => {
        trying.problem = '';
        queueMicrotask(() => refresh(trying));
      },
      onEnd: (state, snoozeHours) => attempt === trying.turn && finish(trying, state, snoozeHours),
      onMessage: (text) => say(trying, text),
    }).catch(() => undefined);
    if (attempt !== trying.turn) return started?.stop();
    if (!started) return fail(FILE_MISSING, () => run(() => play(trying)));
    trying.playing = started;
  }
  if (traits[kind].place === 'element') {
    exchange.save({ step: step?.id ?? '' });
    const target = hasJumped && findTarget(step);
    if (target) ui.scrollIntoView(target);
  }
  refresh(trying);
}

/** Shows in the bar what would happen to a user. */
function say(trying: Trying, text: string): void {
  const { ui, exchange } = trying;
  trying.message = text;
  ui.announce(text);
  // The click that led here is still being handled, and may end the draft.
  queueMicrotask(() => (exchange.saved.ended ? showEnd(trying, exchange.saved.ended) : refresh(trying)));
}

/** Is called for each step, also for the first one before anything is painted. */
function changeStep(trying: Trying, id: string, startId: string | undefined): void {
  const { ui, exchange } = trying;
  const { saved } = exchange;
  const isFirst = !trying.playing;
  if (!isFirst) trying.message = describeSkipped(indexOf(trying, saved.step), trying.problem);
  if (trying.message && !isFirst) ui.announce(trying.message);
  trying.problem = '';
  exchange.save(saveStep(id, startId, isFirst, saved));
  if (!isFirst) queueMicrotask(() => refresh(trying));
}

function finish(trying: Trying, state: EndState, snoozeHours: number | undefined): void {
  const { bar, exchange } = trying;
  stopPlaying(trying);
  exchange.save({ ended: state });
  trying.message = describeSkipped(indexOf(trying, exchange.saved.step), trying.problem);
  if (snoozeHours !== undefined) trying.message = `It would come back after ${snoozeHours} hours.`;
  // The click on the button is still being handled.
  queueMicrotask(() => {
    if (!exchange.saved.ended) return;
    showEnd(trying, state);
    bar.focus();
  });
}

function showEnd(trying: Trying, state: EndState): void {
  const { ui, kind, message } = trying;
  const title = `The ${kind} has ended`;
  const text = describeEnd(state);
  showView(trying, title, text, true);
  ui.announce([title, text, message, notSaved(kind)].filter(Boolean).join('. '));
}

function jump(trying: Trying, by: number): void {
  const { draft, exchange, run } = trying;
  const next = draft?.experience.steps?.[currentIndex(trying) + by];
  if (!next) return;
  trying.message = '';
  exchange.save({ step: next.id, jumped: true, ended: undefined });
  run(() => play(trying));
}

/** Replaces the buttons only if they differ. */
function showView(trying: Trying, title: string, text: string, hasEnded = false): void {
  const { ui, bar, exchange, draft, kind, message, run, endAction } = trying;
  const steps = draft?.experience.steps ?? [];
  const index = currentIndex(trying);
  const view = [title, message, index, exchange.saved.real, hasEnded].join();
  if (view === trying.lastView) return void bar.setText(text);
  trying.lastView = view;
  const move = (label: string, by: number): Action => ({
    ...{ label, onClick: () => jump(trying, by), isDisabled: !steps[index + by] },
  });
  bar.show({
    ...{ title, text },
    content: message ? [ui.create('p', { class: 'pick-message' }, message)] : [],
    note: [describeUser(draft?.user), notSaved(kind) || NOTHING_COUNTED].join(' '),
    actions: [
      ...(steps.length > 1 ? [move('Previous', -1), move('Next step', 1)] : []),
      { ...againAction(trying), isFirst: hasEnded },
      modeAction(trying, () => {
        if (hasEnded) return showView(trying, title, text, true);
        exchange.save({ jumped: true });
        run(() => play(trying));
      }),
      endAction,
    ],
  });
}

/** Updates the notes about what shows or what the step waits for, while the draft plays. */
function refresh(trying: Trying): void {
  const { deps, draft, exchange, playing, isElsewhere, run } = trying;
  clearTimeout(trying.timer);
  if (!draft || exchange.saved.ended || (!playing && !isElsewhere)) return;
  if (isElsewhere !== isForOtherPages(draft.experience, exchange.saved, deps.scriptModules.matchesPage))
    return void run(() => play(trying));
  const startedAt = performance.now();
  if (!document.hidden) showState(trying, draft);
  const pause = (performance.now() - startedAt) * PAUSE_FACTOR;
  trying.timer = setTimeout(() => refresh(trying), Math.max(REFRESH_MS, pause));
}

function showState(trying: Trying, { experience }: Draft): void {
  const { ui, info, playing } = trying;
  const { steps = [], quantifier_urls } = experience;
  const index = currentIndex(trying);
  const step = steps[index];
  const stepName = step ? shorten(ui.nameOf(step), MAX_NAME) : '';
  const title = step
    ? `Step ${index + 1} of ${steps.length}${stepName && ` “${stepName}”`}`
    : `Trying ${nameExperience(info)}`;
  const notes = playing
    ? trying.describe(playing.active, step)
    : { key: 'url', isShowing: false, text: `Other page: it shows on ${describeUrls(quantifier_urls)}.` };
  trying.problem = notes.isShowing ? '' : notes.text;
  showView(trying, title, notes.text);
  // A step that shows is not announced, because screen readers read the step itself.
  if (notes.key !== trying.lastKey && !notes.isShowing) ui.announce(`${title}. ${notes.text}`);
  trying.lastKey = notes.key;
}

function notSaved(kind: Kind): string {
  return traits[kind].asks ? 'Answers are not saved.' : '';
}

function indexOf({ draft }: Trying, id: string | undefined): number {
  return draft?.experience.steps?.findIndex((step) => step.id === id) ?? -1;
}

/** The position of the step that shows or waits. A step that is not known counts as the first. */
function currentIndex(trying: Trying): number {
  return Math.max(0, indexOf(trying, trying.exchange.saved.step));
}

/** Resolves to the token of the visit of this page, or to undefined if there is none soon. */
function findVisit({ visits }: TryDependencies): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_VISIT_MS);
    visits.whenVisited(({ token }) => {
      clearTimeout(timer);
      resolve(token);
    });
  });
}
