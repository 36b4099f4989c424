import {
  compileChecklist,
  contentByLanguage,
  type Document,
  directionOf,
  evaluateChecklist,
  type Facts,
  labelsFor,
  reservedProfileKeys,
  type Step,
  type Translations,
} from '@usher/domain';
import { isTask, kinds } from '@usher/domain/kinds';
import type { PageExperience, PageStep } from '../../../../script/src/wire.ts';

/* Builds what a page of a user would receive, in the browser, with the code of the server. It is a chunk of its own. */

/** A profile as the API shows it: its custom properties are beside its own fields. */
export type PreviewProfile = Readonly<Record<string, unknown>>;

export interface PreviewSettings {
  /** The ID of the Experience. */
  id: string;
  translations: Translations;
  /** Null for the default texts. */
  language: string | null;
  /** The user whose values fill merge tags. Without a user, the fallbacks show. */
  profile: PreviewProfile | null;
  /** Whether the account allows code. If not, items that run code do not show, as for users. */
  allowScripts: boolean;
}

export interface PreviewContent {
  direction: 'ltr' | 'rtl';
  labels: Record<string, string> | undefined;
  /**
   * Builds the whole Experience. Steps that are the same objects as before are not built again, so typing costs one
   * step.
   */
  build(experience: Document): PageExperience;
  /** Builds one step, with only the fields of other steps that it depends on. */
  buildStep(experience: Document, index: number): PageExperience;
}

export function createPreviewContent(settings: PreviewSettings): PreviewContent {
  const { id, translations, language, profile, allowScripts } = settings;
  // In the dashboard there is no page to read values from.
  const allows = { allowScripts, allowGlobals: false };
  const user = {
    profile: toFacts(profile),
    company: isObject(profile?.company) ? toFacts(profile.company) : undefined,
    ...timeAndLanguage(profile, language),
    inSegment: () => true,
    isLive: () => true,
    isCompleted: () => false,
  };
  const built = new WeakMap<Step, PageStep>();
  const buildAll = (experience: Document): PageExperience => {
    const content = contentByLanguage(id, { document: experience, translations }, allows)(language);
    return JSON.parse(content.jsonFor({ ...user, items: exampleStates(experience) }));
  };
  const stepOf = (experience: Document, step: Step): PageStep => {
    const known = built.get(step) ?? (buildAll({ ...experience, steps: [step] }).steps?.[0] as PageStep);
    built.set(step, known);
    return known;
  };
  const withSteps = (experience: Document, steps: PageStep[]): PageExperience => ({
    ...buildAll({ ...experience, steps: [] }),
    steps,
  });
  return {
    direction: language ? directionOf(language) : 'ltr',
    labels: labelsFor(language),
    build: (experience) =>
      kinds[experience.kind].parts === 'items'
        ? buildAll(experience)
        : withSteps(
            experience,
            experience.steps.map((step) => stepOf(experience, step)),
          ),
    buildStep: (experience, index) =>
      kinds[experience.kind].parts === 'items'
        ? buildAll(experience)
        : withSteps(
            experience,
            experience.steps.map((step, at) => (at === index ? stepOf(experience, step) : outlineOf(step))),
          ),
  };
}

/** In the preview everyone sees all items, and the first one with a condition is completed, to show what that looks like. */
function exampleStates(experience: Document): ReturnType<typeof evaluateChecklist>['items'] | undefined {
  const { items = [] } = experience;
  const checklist = compileChecklist(experience);
  const first = items.find(({ completed_when }) => completed_when.length > 0);
  const example = first && items.filter(isTask).length > 1 ? [first.id] : [];
  if (!checklist) return undefined;
  const everyone = { ...checklist, items: checklist.items.map((item) => ({ ...item, visibleWhen: undefined })) };
  const facts = { matches: () => false, inSegment: () => true, isLive: () => true, isCompleted: () => false };
  return evaluateChecklist(everyone, { ...facts, completed: new Set(example) }).items;
}

/** The fields of another step that matter here: a step has no button to a next step that waits for its own trigger. */
function outlineOf({ id, secondary_trigger }: Step): PageStep {
  return { id, ...(secondary_trigger && { secondary_trigger }) };
}

/** For words such as "3 weeks ago". Without a chosen language, they are in that of the person. */
export function timeAndLanguage(
  profile: PreviewProfile | null,
  language: string | null = null,
): { now: number; language: string | null } {
  const own = profile?.browser_l;
  return { now: Date.now(), language: language ?? (typeof own === 'string' ? own : null) };
}

export function toFacts(record: PreviewProfile | null): Facts {
  const entries = Object.entries(record ?? {});
  const isOwn = ([name]: [string, unknown]) => reservedProfileKeys.has(name);
  return {
    facts: Object.fromEntries(entries.filter(isOwn)) as Facts['facts'],
    custom: Object.fromEntries(entries.filter((entry) => !isOwn(entry))) as Facts['custom'],
  };
}

export function isObject(value: unknown): value is PreviewProfile {
  return typeof value === 'object' && value !== null;
}
