import type { Millis } from '../basics/time.ts';
import type { Document } from '../content/experience.ts';
import { compareByPosition } from '../content/sort-key.ts';
import type { CompiledExperience } from './compiled-experience.ts';
import type { Reason } from './reason.ts';
import type { PublishedData } from './rules.ts';

/** What would be published if this draft was published now, in place of the version that users see. */
export function withDraft(published: PublishedData, draft: CompiledExperience): PublishedData {
  const { limitGroups, segmentNames, environmentNames, experiments } = published;
  return {
    ...{ limitGroups, segmentNames, environmentNames, experiments },
    // Tags take effect without publishing, so those of the draft are in `published` already.
    hasTag: published.hasTag,
    responseCount: published.responseCount,
    kindOf: (id) => (id === draft.id ? draft.kind : published.kindOf(id)),
    experience: (id, now) => (id === draft.id ? draft : published.experience(id, now)),
    candidates: (page, now) => {
      const others = published.candidates(page, now).filter(({ id }) => id !== draft.id);
      return [...others, draft].sort(compareByPosition);
    },
  };
}

/** The reasons why users would not see a draft even after it was published now. */
export function listDraftReasons({ archived_at, published_until }: Document, now: Millis): Reason[] {
  const hasEnded = published_until !== null && Date.parse(published_until) <= now;
  return [
    ...(archived_at === null ? [] : [{ rule: 'live' as const, because: 'archived' as const }]),
    ...(hasEnded ? [{ rule: 'live' as const, because: 'ended' as const }] : []),
  ];
}
