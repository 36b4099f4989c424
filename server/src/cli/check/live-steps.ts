import {
  type Document,
  type ElementTarget,
  type ExperienceKind,
  isFindable,
  kinds,
  type ListedExperience,
  pathOfKind,
  type QuantifierUrl,
  type Stats,
  type Step,
  type StepSketch,
  startUrls,
  toTarget,
} from '@usher/domain';
import { conditionsOf } from '../../../../script/src/engine/trigger.ts';
import type { CallApi } from './call-api.ts';

/** A step, or a launcher, that users see now and that needs an element of the page. */
export interface LiveStep {
  experience: { id: string; name: string; kind: ExperienceKind };
  /** For a launcher, this is the ID of the launcher. */
  id: string;
  /** The number of the step, from 1; 0 for a launcher. */
  number: number;
  title: string;
  elements: Record<string, string>[];
  isInline: boolean;
  /** The pages on which it shows. Without any, it shows on every page. */
  urls: readonly QuantifierUrl[];
  /** Whether users must have done something on the page before, so that its element need not be there when the page has loaded. */
  needsActions: boolean;
  /** How many people saw it in the last 7 days. */
  seen: number;
}

const WEEK_MS = 7 * 24 * 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Loads what is live, as it was published: the draft may differ. */
export async function loadLiveSteps(callApi: CallApi): Promise<LiveStep[]> {
  const steps: LiveStep[] = [];
  for (const { id, name, kind } of await listLive(callApi)) {
    const path = `${pathOfKind(kind)}/${id}`;
    const document = await loadLiveDocument(callApi, path);
    const needed = document ? listNeeded(id, name, document) : [];
    if (needed.length === 0) continue;
    const from = new Date(Date.now() - WEEK_MS + DAY_MS).toISOString().slice(0, 10);
    const { stats } = await callApi<{ stats: Stats }>(`/v3/analyze/${path}/stats?from=${from}`);
    const seen = new Map(stats.steps.map((step) => [step.id, step.seen]));
    steps.push(...needed.map((step) => ({ ...step, seen: seen.get(step.id) ?? 0 })));
  }
  return steps;
}

interface Page {
  cursor: { before: string | null };
}

function listLive(callApi: CallApi): Promise<ListedExperience[]> {
  type Listed = Page & { experiences: ListedExperience[] };
  return loadPages<Listed, ListedExperience>(
    callApi,
    '/v3/edit/experiences?state=live&fields=list&limit=500',
    ({ experiences }) => experiences,
  );
}

async function loadLiveDocument(callApi: CallApi, path: string): Promise<Document | undefined> {
  type Version = { id: string; live: boolean };
  const versions = await loadPages<Page & { versions: Version[] }, Version>(
    callApi,
    `/v3/edit/${path}/versions?limit=20`,
    ({ versions }) => versions,
    ({ live }) => live,
  );
  // A version that will be published later is newer than the live one.
  const live = versions.find(({ live }) => live);
  if (!live) return undefined;
  type Shown = { version: { document: Document } };
  return (await callApi<Shown>(`/v3/edit/${path}/versions/${live.id}`)).version.document;
}

/** Loads a list page by page, up to the page with a last item. */
async function loadPages<Body extends Page, Item>(
  callApi: CallApi,
  path: string,
  itemsOf: (body: Body) => Item[],
  isLast: (item: Item) => boolean = () => false,
): Promise<Item[]> {
  const items: Item[] = [];
  let before: string | null = null;
  do {
    const body: Body = await callApi<Body>(before === null ? path : `${path}&before=${encodeURIComponent(before)}`);
    items.push(...itemsOf(body));
    before = body.cursor.before;
  } while (before !== null && !items.some(isLast));
  return items;
}

type NeededStep = Omit<LiveStep, 'seen'>;

/** Lists the steps that do not show without their element. */
export function listNeeded(id: string, name: string, document: Document): NeededStep[] {
  const { kind, steps } = document;
  const experience = { id, name, kind };
  if (kinds[kind].parts === 'items') {
    const { trigger_type, trigger, title } = document;
    if (trigger_type !== 'element' || !trigger) return [];
    const common = { isInline: false, needsActions: false, urls: startUrls(document) };
    return [{ experience, id, number: 0, title: title ?? '', elements: [{ selector: trigger }], ...common }];
  }
  return steps.flatMap((step, at) => {
    const elements = step.elements.map(toTarget).filter(isFindable).map(withoutEmpty);
    if (elements.length === 0 || !needsElement(kind, step)) return [];
    const isInline = kinds[kind].place === 'inline' || step.position_type === 'inline';
    const rest = { isInline, urls: urlsOf(steps, at), needsActions: needsActions(steps, at) };
    return [{ experience, id: step.id, number: at + 1, title: step.title ?? '', elements, ...rest }];
  });
}

/** The same rule as in the browser script. An element that the step waits to disappear is not needed. */
function needsElement(kind: ExperienceKind, step: Step): boolean {
  const { element, event, noElement } = conditionsOf(step as unknown as Parameters<typeof conditionsOf>[0]);
  return !noElement && (kinds[kind].place !== undefined || element || event !== undefined);
}

/** The pages of a step. A step without pages of its own shows on those of the step before it. */
function urlsOf(steps: readonly Step[], at: number): readonly QuantifierUrl[] {
  return steps.slice(0, at + 1).findLast(({ quantifier_urls }) => quantifier_urls.length > 0)?.quantifier_urls ?? [];
}

/** Whether something that users do on the same page comes before a step: what they click may open what the step is about. */
function needsActions(steps: readonly Step[], at: number): boolean {
  const pages = JSON.stringify(urlsOf(steps, at));
  for (let index = at; index >= 0; index--) {
    if (JSON.stringify(urlsOf(steps, index)) !== pages) return false;
    const step = steps[index] as Step;
    if (step.secondary_trigger === 'custom_trigger') return true;
    if (index === at) continue;
    // The element of a step that waits for a click is there before the click.
    if (/^(click|hover|input)$/.test(step.secondary_trigger ?? '')) return true;
    const actions = step.buttons.flatMap(({ additional_actions }) => additional_actions);
    if (actions.some((action) => /^(element_click|cta_url|code)$/.test(action))) return true;
  }
  return false;
}

function withoutEmpty(target: ElementTarget): Record<string, string> {
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null));
}

/** Loads the sketches that picks have left: they know where an element was. */
export async function loadSketches(
  callApi: CallApi,
  experiences: readonly LiveStep['experience'][],
): Promise<Map<string, StepSketch['sketch']>> {
  const byStep = new Map<string, StepSketch['sketch']>();
  for (const { id, kind } of new Map(experiences.map((one) => [one.id, one])).values()) {
    if (kinds[kind].parts === 'items') continue;
    const path = `/v3/edit/${pathOfKind(kind)}/${id}/sketches`;
    const { sketches } = await callApi<{ sketches: StepSketch[] }>(path);
    for (const { step_id, sketch } of sketches) byStep.set(step_id, sketch);
  }
  return byStep;
}
