import type { ActiveExperience } from '../active-experience.ts';
import type { Modules } from '../core/modules.ts';
import { describeUrls, diagnose, diagnoseStep } from '../debug/diagnose.ts';
import { traits } from '../kinds/traits.ts';
import { find } from '../page/find.ts';
import type { PageStep } from '../wire.ts';

/** The notes of the bar about a step of a draft. */
interface Notes {
  text: string;
  isShowing: boolean;
  /** A key that stays the same while only the seconds change. */
  key: string;
}

const userTriggers = /click|hover|input|custom_trigger/;
const ON_SCREEN = 'On the screen.';

/** Says what shows, or what a step waits for, with the functions of the debug panel. */
export function createNotes({ matchesPage }: Pick<Modules, 'matchesPage'>) {
  const page = { matchesPage, nameOfOther: () => undefined };
  let delayKey = '';
  let delayFrom = 0;
  const secondsLeft = (key: string, delayMs: number) => {
    if (delayKey !== key) [delayKey, delayFrom] = [key, performance.now()];
    return Math.max(1, Math.ceil((delayMs + delayFrom - performance.now()) / 1000));
  };

  /** The step of the draft with all its triggers, also if they are skipped. */
  return (active: ActiveExperience, step: PageStep | undefined): Notes => {
    const { state, notes, delayMs } = diagnose(active, page);
    const isShowing = state === 'showing';
    const found = notes.join('. ');
    const key = `${step?.id} ${found}`;
    if (isShowing || delayMs === undefined) delayKey = '';
    if (isShowing) return { key, isShowing, text: describeShown(active, step) };
    if (delayMs !== undefined) {
      const left = secondsLeft(key, delayMs);
      return { key, isShowing, text: `Waits for its delay: ${left} more ${left > 1 ? 'seconds' : 'second'}.` };
    }
    const played = active.experience.steps?.find(({ id }) => id === step?.id);
    const isElsewhere = !played?.quantifier_urls && !matchesPage(step?.quantifier_urls);
    const pages = isElsewhere ? ` It is a step for other pages: ${describeUrls(step?.quantifier_urls)}` : '';
    return { key, isShowing, text: `${found}.${pages}` };
  };

  function describeShown(active: ActiveExperience, step: PageStep | undefined): string {
    const { kind, steps = [] } = active.experience;
    if (traits[kind].hasItems) return 'It is on the page: click it.';
    if (traits[kind].place === 'element') return `At its element: ${opens(step)}.`;
    const next = steps[steps.findIndex(({ id }) => id === step?.id) + 1];
    if (step?.buttons || !userTriggers.test(next?.secondary_trigger ?? '') || !next) return ON_SCREEN;
    return `${ON_SCREEN} The next step: ${diagnoseStep(active, next, page).notes.join(' ')}.`;
  }
}

function opens(step: PageStep | undefined): string {
  return step?.secondary_trigger === 'click' ? 'click it' : 'point at it';
}

/** Finds the element of a tooltip. */
export function findTarget(step: PageStep | undefined): Element | undefined {
  const result = step?.elements && find(step.elements);
  return result && 'element' in result ? result.element : undefined;
}
