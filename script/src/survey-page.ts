import { type Lookup, resolve, resolveAddress } from '../../domain/src/rich-text/merge.ts';
import type { ActiveExperience } from './active-experience.ts';
import type { Config } from './config.ts';
import type { Extras } from './extras/create-extras.ts';
import { listen } from './page/listen.ts';
import { createStore } from './page/store.ts';
import type { LoadedModules } from './register-module.ts';
import { createSender, type PageTexts } from './survey-page/create-sender.ts';
import { createPagePaint } from './survey-page/paint.ts';
import type { PageExperience, PageTheme } from './wire.ts';

/*
 * Stands in for the core on the public page of a survey. The server has put into the page what to paint. Nothing is sent before the first
 * answer.
 */

interface SurveyPage {
  experience: PageExperience;
  /** Names this browser, and when the page was opened. */
  page: string;
  texts: PageTexts;
  labels?: Record<string, string>;
  themes?: Record<string, PageTheme>;
}

const modules: Partial<LoadedModules> = {};
Object.assign(window, {
  usher: { kind: (name: string, module: unknown) => Object.assign(modules, { [name]: module }) },
});

/** The survey is the only thing on the page, so nothing is waited for and nothing is beside an element. */
const pageFields = ['id', 'title', 'body', 'preset', 'question', 'next', 'buttons', 'placeholder', 'dismiss_text'];
const moreFields = /^(label_|dropdown_|other_|picture|video|media)/;
const DONE = 'done';

function start(): void {
  const data: SurveyPage = JSON.parse(document.querySelector('#survey')?.textContent ?? '');
  const { experience, texts, labels, themes } = data;
  const { pathname } = location;
  const main = document.querySelector('main') as HTMLElement;
  const params = new URLSearchParams(location.search);
  const link = params.get('link') ?? undefined;
  const store = createStore();
  const name = `survey:${pathname.slice(pathname.lastIndexOf('/') + 1)}`;
  // A signed link answers once on every browser, so it needs no storage.
  const stored = link === undefined ? store.get(name, true) : undefined;
  let isAnswered = false;

  const say = (...lines: string[]) => {
    const paragraphs = lines.map((text) => Object.assign(document.createElement('p'), { textContent: text }));
    main.replaceChildren(...paragraphs);
    main.tabIndex = -1;
    main.focus();
  };
  const stop = (...lines: string[]) => {
    active.handle?.stop();
    say(...lines);
  };
  const sender = createSender({
    ...{ texts, link, main, stop },
    page: data.page,
    storedPage: stored,
    keep: (value, isDone) => link === undefined && store.set(name, isDone ? DONE : value, true),
  });
  const lookup: Lookup = (source, path) => (source === 'answer' ? active.questions?.answerTo(path) : undefined);
  const config = { labels, themes } as Config;
  // The addresses of pictures begin at the server, which may be below a path. This writes them into the steps, which are copied below.
  const media = modules.media?.(experience, pathname.replace(/\/s\/[^/]*$/, ''));
  const active: ActiveExperience = {
    experience: { ...experience, steps: experience.steps?.map(toPageStep) ?? [] },
    ...{ hasStarted: false, isVisible: false, hasSlot: true, skipTriggers: true },
    media,
    tourExtras: modules.tour_extras?.(experience),
    // There is no Delivery, so its values have their fallbacks. Answers are known once they are given.
    extras: {
      resolveText: (text) => resolve(text, lookup),
      resolveAddress: (address) => resolveAddress(address, 'href', lookup),
    } as Partial<Extras> as Extras,
    requestSlot: () => true,
    beforeStep: () => undefined,
    saveStep: () => {},
    report: (item) => {
      isAnswered ||= item.response !== undefined;
      sender.add(item);
    },
    end: (state, item) => {
      active.report({ ...item, state });
      stop(...(isAnswered ? [texts.thanks] : []), texts.close);
    },
    stop: () => stop(texts.closed),
    show: () => {},
  };
  active.questions = modules.questions?.(active);
  if (stored === DONE) {
    say(texts.answered);
    return;
  }
  listen(window, 'pagehide', sender.close);
  const renderer = modules.renderer?.({ config, matchesPage: () => true, scheduleVisit: () => {} });
  const { survey } = modules;
  if (renderer && survey) active.handle = renderer.paint(active, createPagePaint(survey, main, params.get('score')));
}

type Step = NonNullable<PageExperience['steps']>[number];

function toPageStep(step: Step): Step {
  const kept = Object.entries(step).filter(([name]) => pageFields.includes(name) || moreFields.test(name));
  return Object.fromEntries(kept) as unknown as Step;
}

// At this event, the other files have run.
addEventListener('DOMContentLoaded', start);
