import {
  type Condition,
  createLookup,
  matchesCondition,
  propertySubject,
  type Segment,
  type Subject,
  type ThemeDocument,
  toCondition,
  toPageTheme,
} from '@usher/domain';
import type { PageTheme } from '../../../../script/src/wire.ts';
import { isObject, type PreviewProfile, timeAndLanguage, toFacts } from './preview-content.ts';

/* Builds the style sheet of a theme in the browser, with the code of the server. */

export interface ThemeSettings {
  /** The user whose properties choose the variation and fill merge tags. Without a user, no variation applies. */
  profile: PreviewProfile | null;
  /** The Segments that variations may name. */
  segments: readonly Segment[];
  /** The index of the variation to show, for every user; null for none. By default the user decides. */
  variation?: number | null | undefined;
}

/** The theme as a page gets it. Undefined if it is the look of the script. */
export function createPreviewTheme(theme: ThemeDocument, settings: ThemeSettings): PageTheme | undefined {
  const { profile, variation } = settings;
  const chosen = variation === undefined ? theme.variations : theme.variations.filter((_, at) => at === variation);
  const { subject, matches } = createMatcher(settings);
  const json = toPageTheme({ ...theme, variations: chosen }).jsonFor({
    matches: (condition) => variation !== undefined || (profile !== null && matches(condition)),
    lookup: createLookup({ ...subject, ...timeAndLanguage(profile), isLive: () => true, isCompleted: () => false }),
  });
  return json === '' ? undefined : JSON.parse(json);
}

/** The index of the variation that the user has; -1 for none. */
export function findVariation({ variations }: ThemeDocument, settings: ThemeSettings): number {
  if (settings.profile === null) return -1;
  const { matches } = createMatcher(settings);
  return variations.findIndex(({ filters, filters_op }) => matches(toCondition(filters, filters_op)));
}

function createMatcher({ profile, segments }: ThemeSettings) {
  const now = Date.now();
  const subject: Subject = propertySubject({
    profile: toFacts(profile),
    company: isObject(profile?.company) ? toFacts(profile.company) : undefined,
    inSegment: (id) => {
      const segment = segments.find((one) => one.id === id);
      return segment !== undefined && matches(toCondition(segment.items, segment.items_op));
    },
  });
  const matches = (condition: Condition) => matchesCondition(condition, subject, now);
  return { subject, matches };
}
