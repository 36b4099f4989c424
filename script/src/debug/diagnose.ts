import type { ActiveExperience } from '../active-experience.ts';
import { conditionsOf } from '../engine/trigger.ts';
import type { Reason } from '../kind.ts';
import { traits } from '../kinds/traits.ts';
import { find, findModal, isCovered } from '../page/find.ts';
import type { PageElement, PageStep, PageUrl } from '../wire.ts';

/** What an active Experience does on the page now. */
export interface Diagnosis {
  state: 'showing' | 'waiting';
  /** `Step 2 of 4`, if the Experience has several steps and shows one at a time. */
  place?: string;
  /** What the Experience shows, or what it waits for. */
  notes: string[];
  /** The elements of the page that the Experience shows at. */
  targets: Element[];
  /** Milliseconds of the delay, if the Experience waits for nothing else. */
  delayMs?: number;
}

interface PageState {
  matchesPage(urls: readonly PageUrl[] | undefined): boolean | undefined;
  /** Returns the name of the tour or survey that shows instead of this one. */
  nameOfOther(active: ActiveExperience): string | undefined;
  /** Whether notes name the codes that the server gets, such as `not_found`. */
  hasCodes?: boolean;
}

const problems: Record<Exclude<Reason, 'url' | 'covered'>, string> = {
  not_found: 'Element not found',
  hidden: 'Element is hidden',
  text_differs: 'Element found, but its text differs',
  no_shadow_root: 'Element found, but it has no open shadow root',
  bad_selector: 'The selector is not valid',
};
const COVERED = 'Covered by a dialog or an overlay of the page';
const events = { click: 'a click', hover: 'the pointer or the focus', input: 'an input' };

/** Finds out what an active Experience waits for, with the functions that the renderer itself uses. */
export function diagnose(active: ActiveExperience, page: PageState): Diagnosis {
  const { experience, handle, isVisible } = active;
  const { kind, steps = [] } = experience;
  if (!handle) return { state: 'waiting', notes: ['Its script file is loading'], targets: [] };
  if (traits[kind].hasItems) return diagnoseLauncher(active, page);
  if (traits[kind].place === 'element') return merge(steps.map((step) => diagnoseHint(active, step, page)));
  const current = active.currentStepId ?? active.startStepId;
  const index = Math.max(
    0,
    steps.findIndex(({ id }) => id === current),
  );
  const step = steps[index];
  if (!step) return { state: 'waiting', notes: ['It has no steps'], targets: [] };
  const found = diagnoseStep(active, step, page);
  const place = steps.length > 1 ? { place: `Step ${index + 1} of ${steps.length}` } : {};
  if (isVisible) return { ...place, state: 'showing', notes: ['On the screen'], targets: found.targets };
  return { ...found, ...place, state: 'waiting' };
}

function diagnoseLauncher(active: ActiveExperience, page: PageState): Diagnosis {
  const { trigger_type, trigger = '' } = active.experience;
  if (trigger_type !== 'element') return { state: 'showing', notes: ['Its button is on the page'], targets: [] };
  return diagnoseHint(active, { id: '', elements: [{ selector: trigger }] }, page);
}

/** A hint shows as soon as its element does. Click and hover only open it. */
function diagnoseHint(active: ActiveExperience, step: PageStep, page: PageState): Diagnosis {
  const { secondary_trigger: opensOn, ...rest } = step;
  const trigger = opensOn && !/click|hover/.test(opensOn) && { secondary_trigger: opensOn };
  const { notes, targets } = diagnoseStep(active, { ...rest, ...trigger, position_type: 'snap_to_element' }, page);
  const isThere = active.isVisible && notes[0] === NOTHING;
  return { state: isThere ? 'showing' : 'waiting', notes: isThere ? ['At its element'] : notes, targets };
}

function merge(all: Diagnosis[]): Diagnosis {
  return {
    state: all.some(({ state }) => state === 'showing') ? 'showing' : 'waiting',
    notes: [...new Set(all.flatMap(({ notes }) => notes))],
    targets: all.flatMap(({ targets }) => targets),
  };
}

/** The note about a step whose conditions are all met. */
const NOTHING = 'Shows next';

/** Finds out what a step waits for, as if it did not show. */
export function diagnoseStep(active: ActiveExperience, step: PageStep, page: PageState): Omit<Diagnosis, 'state'> {
  const { elements = [], quantifier_urls = [] } = step;
  const isFirst = step.id === (active.startStepId ?? active.experience.steps?.[0]?.id);
  const conditions = conditionsOf(step);
  const result = elements.length > 0 ? find(elements) : { reason: 'not_found' as const };
  const target = 'element' in result ? result.element : undefined;
  const targets = target ? [target] : [];
  const wanted = describeElements(elements);
  const because = (...notes: string[]) => ({ notes, targets });
  if (!(isFirst && active.skipUrls) && !page.matchesPage(step.quantifier_urls))
    return because(`Other page: it shows on ${describeUrls(quantifier_urls)}`);
  if (conditions.element && 'reason' in result)
    return because(`${problems[result.reason as 'hidden']}: ${wanted}${page.hasCodes ? ` (${result.reason})` : ''}`);
  if (conditions.noElement && target) return because(`Waits until this element is gone: ${wanted}`);
  if (conditions.target && target ? isCovered(target) : findModal()) return because(COVERED);
  if (active.retry) {
    const other = page.nameOfOther(active);
    return because(other ? `Waits for another Experience to end: ${other}` : 'Claims its Delivery');
  }
  if (isFirst && active.skipTriggers) return because(NOTHING);
  const { event, idleMs, isExit, scrollPercent, delayMs, code } = conditions;
  const seconds = (ms: number) => `${ms / 1000} seconds`;
  if (event) return because(`Waits for ${events[event]} on ${wanted || 'any element'}`);
  if (idleMs !== undefined) return because(`Waits until the user does nothing for ${seconds(idleMs)}`);
  if (isExit) return because('Waits until the user is about to leave the page');
  if (scrollPercent !== undefined)
    return because(`Waits until the user has scrolled ${scrollPercent} % of ${wanted || 'the page'}`);
  if (code !== undefined) return because('Waits until its code returns true');
  return delayMs > 0 ? { ...because(`Waits for ${seconds(delayMs)}`), delayMs } : because(NOTHING);
}

function describeElements(elements: readonly PageElement[]): string {
  return elements
    .map(({ selector, text, shadow_selector: inner }) =>
      [selector, inner && `shadow root ${inner}`, text && `text “${text}”`].filter(Boolean).join(' › '),
    )
    .join(' or ');
}

export function describeUrls(urls: readonly PageUrl[] = []): string {
  return urls
    .map(({ url, match_type = 'simple' }) => (match_type === 'simple' ? url : `${url} (${match_type})`))
    .join(', ');
}
