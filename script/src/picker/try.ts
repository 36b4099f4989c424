import { describeUrls } from '../debug/diagnose.ts';
import { findStartStep } from '../engine/plan.ts';
import type { Cleanup, Ui } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import type { EndState, PageStep } from '../wire.ts';
import type { Action, Bar } from './bar.ts';
import { shorten } from './describe.ts';
import type { Draft, Exchange, Failure, PickInfo } from './exchange.ts';
import { loadExtras, type Playing, playDraft, type TryDependencies } from './try-draft.ts';
import { letTabReach } from './try-keys.ts';
import { createNotes, findTarget } from './try-notes.ts';
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
}

const REFRESH_MS = 250;
/** Refreshing takes at most a twentieth of the time: a search for a text in thousands of rows takes long. */
const PAUSE_FACTOR = 19;
const MAX_VISIT_MS = 2000;

/** Leads an administrator through a draft on the page. Returns a function that removes everything. */
export function startTry(ui: Ui, { deps, bar, exchange, info, madeBy, end, fail }: TryOptions): Cleanup {
  const { kind } = info.experience;
  const name = nameExperience(info);
  const labels = deps.config.labels;
  const describe = createNotes(deps.parts);
  let draft: Draft | undefined;
  let playing: Playing | undefined;
  /** Counts the attempts to play, because files load meanwhile. */
  let turn = 0;
  let isElsewhere = false;
  let message = '';
  /** Why the current step does not show, for the case that it is skipped. */
  let problem = '';
  let lastKey = '';
  let lastView = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const endAction: Action = { label: 'End', onClick: end };
  const stopPlaying = () => {
    turn++;
    clearTimeout(timer);
    playing?.stop();
    playing = undefined;
  };

  const offer = () => {
    const begin = () => {
      exchange.save({ started: true });
      void load();
    };
    bar.show({
      title: `Try ${name} on this page`,
      text: describeStart(info, !!exchange.saved.real),
      note: `${madeBy}. ${NOTHING_COUNTED}`,
      actions: [{ label: 'Begin', onClick: begin, isFirst: true }, modeAction(offer), endAction],
    });
  };

  const modeAction = (onChange: () => void): Action => ({
    ...{ label: 'Real triggers', isToggle: true, isPressed: !!exchange.saved.real },
    onClick: () => {
      exchange.save({ real: !exchange.saved.real });
      onChange();
    },
  });

  /** Gets the draft anew, so that what was edited meanwhile shows. */
  const load = async () => {
    stopPlaying();
    bar.show({ title: 'Loading the draft…', actions: [endAction] });
    const attempt = turn;
    const visitToken = await findVisit(deps);
    const answer = await exchange.loadDraft(visitToken);
    if (attempt !== turn) return;
    if ('error' in answer) return fail(answer, () => void load());
    const hasExtras = await loadExtras(deps, answer).then(
      () => true,
      () => false,
    );
    if (!hasExtras) return fail({ error: 'A file of Usher could not be loaded.', canRetry: true }, () => void load());
    if (attempt !== turn) return;
    draft = answer;
    const isEmpty = !traits[kind].hasItems && !draft.experience.steps?.[0];
    const text = 'Add a step in Usher, then start again.';
    if (isEmpty) return bar.show({ title: 'This draft has no steps yet', text, actions: [againAction, endAction] });
    if (exchange.saved.ended) showEnd(exchange.saved.ended);
    else await play();
  };

  const again = () => {
    exchange.save({ step: undefined, jumped: true, ended: undefined });
    message = '';
    void load();
  };
  const againAction: Action = { label: 'Start again', onClick: again };

  /** Plays the draft from the step that was saved, else from the one of the pick. */
  const play = async () => {
    if (!draft) return;
    stopPlaying();
    const attempt = turn;
    const { experience } = draft;
    const { saved } = exchange;
    const wanted = saved.step ?? info.step?.id;
    if (wanted && !stepOf(wanted)) message = 'The step was deleted meanwhile, so it starts with the first one.';
    const hasJumped = saved.jumped ?? true;
    const goesOn = saved.step !== undefined && !hasJumped;
    const start = goesOn
      ? findStartStep({ steps: experience.steps ?? [], step_id: saved.step ?? '' }, saved.step, deps.parts.matchesPage)
      : (stepOf(wanted) ?? experience.steps?.[0]);
    deps.config.labels = draft.labels as Record<string, string>;
    isElsewhere = findElsewhere();
    lastView = problem = '';
    if (!isElsewhere) {
      const started = await playDraft(deps, draft, {
        ...{ stepId: start?.id, hasJumped, isReal: !!saved.real },
        onStep: (id) => attempt === turn && changeStep(id, start?.id),
        onShown: () => {
          problem = '';
          queueMicrotask(refresh);
        },
        onEnd: (state, snoozeHours) => attempt === turn && finish(state, snoozeHours),
        onMessage: (text) => say(text),
      }).catch(() => undefined);
      if (attempt !== turn) return started?.stop();
      if (!started) return fail({ error: 'A file of Usher could not be loaded.', canRetry: true }, () => void play());
      playing = started;
    }
    if (traits[kind].place === 'element') {
      exchange.save({ step: start?.id ?? '' });
      const target = hasJumped && findTarget(start);
      if (target) ui.scrollIntoView(target);
    }
    refresh();
  };

  const say = (text: string) => {
    message = text;
    ui.announce(text);
    // What was pressed is still at work, and may end the draft.
    queueMicrotask(() => (exchange.saved.ended ? showEnd(exchange.saved.ended) : refresh()));
  };

  const stepOf = (id: string | undefined): PageStep | undefined =>
    draft?.experience.steps?.find((step) => step.id === id);
  const indexOf = (id: string | undefined) => draft?.experience.steps?.findIndex((step) => step.id === id) ?? -1;

  /** Is called for the first step too, before there is anything to see. */
  const changeStep = (id: string, startId: string | undefined) => {
    const { step: before, jumped } = exchange.saved;
    const isFirst = !playing;
    if (!isFirst) message = describeSkipped(indexOf(before), problem);
    if (message && !isFirst) ui.announce(message);
    problem = '';
    exchange.save({ step: id, jumped: id === startId && isFirst ? (jumped ?? true) : false, ended: undefined });
    if (!isFirst) queueMicrotask(refresh);
  };

  const finish = (state: EndState, snoozeHours: number | undefined) => {
    stopPlaying();
    exchange.save({ ended: state });
    message = describeSkipped(indexOf(exchange.saved.step), problem);
    if (snoozeHours !== undefined) message = `It would come back after ${snoozeHours} hours.`;
    // The button that was pressed is still at work.
    queueMicrotask(() => {
      if (!exchange.saved.ended) return;
      showEnd(state);
      bar.focus();
    });
  };

  const showEnd = (state: EndState) => {
    const title = `The ${kind} has ended`;
    const text = describeEnd(state);
    showView(title, text, true);
    ui.announce([title, text, message, notSaved()].filter(Boolean).join('. '));
  };

  const jump = (by: number) => {
    const next = draft?.experience.steps?.[currentIndex() + by];
    if (!next) return;
    message = '';
    exchange.save({ step: next.id, jumped: true, ended: undefined });
    void play();
  };
  const currentIndex = () => Math.max(0, indexOf(exchange.saved.step));

  const notSaved = () => (traits[kind].asks ? 'Answers are not saved.' : '');

  /** Replaces the buttons only if they differ. */
  const showView = (title: string, text: string, hasEnded = false) => {
    const steps = draft?.experience.steps ?? [];
    const index = currentIndex();
    const view = [title, message, index, exchange.saved.real, hasEnded].join();
    if (view === lastView) return bar.setText(text);
    lastView = view;
    const move = (label: string, by: number): Action => ({
      ...{ label, onClick: () => jump(by), isDisabled: !steps[index + by] },
    });
    bar.show({
      ...{ title, text },
      content: message ? [ui.create('p', { class: 'pick-message' }, message)] : [],
      note: [describeUser(draft?.user), notSaved() || NOTHING_COUNTED].join(' '),
      actions: [
        ...(steps.length > 1 ? [move('Previous', -1), move('Next step', 1)] : []),
        { ...againAction, isFirst: hasEnded },
        modeAction(() => {
          if (hasEnded) return showView(title, text, true);
          exchange.save({ jumped: true });
          void play();
        }),
        endAction,
      ],
    });
  };

  const findElsewhere = () =>
    !!traits[kind].hasItems && !!exchange.saved.real && !deps.parts.matchesPage(draft?.experience.quantifier_urls);

  const refresh = () => {
    clearTimeout(timer);
    if (!draft || exchange.saved.ended || (!playing && !isElsewhere)) return;
    if (isElsewhere !== findElsewhere()) return void play();
    const startedAt = performance.now();
    if (!document.hidden) showState(draft);
    timer = setTimeout(refresh, Math.max(REFRESH_MS, (performance.now() - startedAt) * PAUSE_FACTOR));
  };

  const showState = ({ experience }: Draft) => {
    const { steps = [], quantifier_urls } = experience;
    const index = currentIndex();
    const step = steps[index];
    const stepName = step ? shorten(ui.nameOf(step), MAX_NAME) : '';
    const title = step ? `Step ${index + 1} of ${steps.length}${stepName && ` “${stepName}”`}` : `Trying ${name}`;
    const notes = playing
      ? describe(playing.active, step)
      : { key: 'url', isShowing: false, text: `Other page: it shows on ${describeUrls(quantifier_urls)}.` };
    problem = notes.isShowing ? '' : notes.text;
    showView(title, notes.text);
    // Screen readers read the step itself when it shows.
    if (notes.key !== lastKey && !notes.isShowing) ui.announce(`${title}. ${notes.text}`);
    lastKey = notes.key;
  };

  const cleanups = [ui.onEscape(end), letTabReach(ui)];
  if (exchange.saved.started) void load();
  else offer();
  return () => {
    stopPlaying();
    for (const cleanup of cleanups) cleanup();
    deps.config.labels = (deps.visits.current?.response.labels ?? labels) as Record<string, string>;
  };
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
