import {
  addItemTimes,
  applyReport,
  bestLanguage,
  type Decision,
  dayOf,
  deviceOf,
  measureRow,
  minShowingGap,
  type ReportFacts,
  resolveGroup,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { findUrlGroupId } from '../../../published/published-account.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { findVariantId } from '../exposures/record-contamination.ts';
import { findProgress, storeItems, storeProgress } from '../interactions/queries.ts';
import {
  countActivities,
  type Dimensions,
  type NewActivity,
  recordActivities,
} from '../interactions/record-activities.ts';
import { ReportRoom } from '../interactions/report-room.ts';
import type { DecisionData } from './build-decision-input.ts';
import { findChecklistProgress } from './checklist-progress.ts';
import type { SavedPageProfile } from './save-page-profile.ts';

interface Completed {
  experience: PublishedExperience;
  added: string[];
  isDone: boolean;
}

/**
 * Stores which items of checklists this page load finds completed for the first time, in one transaction. Page loads on which
 * nothing is new write nothing. Returns the checklists whose last item this was. The list of a page load has the items in any case; what could not be stored is found again.
 */
export async function completeItems(
  page: PageRequest,
  { account, pageProfile, trust }: SavedPageProfile,
  data: DecisionData,
  decision: Decision<PublishedExperience>,
): Promise<ReadonlySet<string>> {
  const { ctx, host } = page;
  const done = new Set<string>();
  const completed = listCompleted(pageProfile.interactions, data, decision);
  if (completed.length === 0 || ctx.app.disk.isFull) return done;
  const room = new ReportRoom(ctx, { isProven: trust.proof !== 'none' });
  if (!room.allows('reports')) {
    room.count();
    return done;
  }
  await ctx.transaction(async (ctx) => {
    const profile = await lockProfile(ctx, pageProfile.row.id);
    // It was cleared or forgotten meanwhile.
    if (!profile || (profile.last_cleared_at ?? 0) > data.input.now) return;
    for (const { experience, ...found } of completed) {
      const dimensions: Dimensions = {
        language: languageOf(experience, pageProfile.row.browser_l),
        device: deviceOf(page.userAgent),
        url_group_id: findUrlGroupId(account, host?.host) ?? '',
        variant: await findVariantId(ctx, account, { profile_id: profile.id, experience_id: experience.id }),
        version_id: experience.versionId,
      };
      const key = { profile_id: profile.id, experience_id: experience.id };
      const facts = { ...found, dimensions, timeZone: account.timeZone, isCounted: !profile.is_test };
      if (await storeCompleted(ctx, key, facts, room)) done.add(experience.id);
    }
  });
  room.count();
  return done;
}

function listCompleted(
  interactions: SavedPageProfile['pageProfile']['interactions'],
  data: DecisionData,
  { experiences }: Decision<PublishedExperience>,
): Completed[] {
  return experiences.flatMap((experience) => {
    const progress = findChecklistProgress(experience, interactions.get(experience.id), data);
    return progress && progress.added.length > 0
      ? [{ experience, added: progress.added, isDone: progress.isDone }]
      : [];
  });
}

/** Locked before anything else, as reports do. */
function lockProfile(ctx: Context, id: string) {
  const query = ctx.db
    .selectFrom('profiles')
    .select(['id', 'is_test', 'last_cleared_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id);
  return ctx.dialect.lockRows(query).executeTakeFirst();
}

function languageOf({ translations }: PublishedExperience, browserLanguage: string | null): string {
  return bestLanguage(browserLanguage, { has: (code) => Object.hasOwn(translations, code) }) ?? '';
}

interface Found extends Omit<Completed, 'experience'> {
  dimensions: Dimensions;
  timeZone: string;
  isCounted: boolean;
}

/** A completed item counts as if the page had reported that the launcher was displayed, so that there is an Interaction. */
async function storeCompleted(
  ctx: Context,
  key: { profile_id: string; experience_id: string },
  { added, isDone, dimensions, timeZone, isCounted }: Found,
  room: ReportRoom,
): Promise<boolean> {
  const now = ctx.now();
  const before = await findProgress(ctx, key.profile_id, key.experience_id);
  const items = addItemTimes(before?.items ?? null, added, now);
  if (!items) return false;
  const shown = before
    ? { after: before, activities: [], steps: [] }
    : applyReport(undefined, displayedAt(key, now), now);
  const isCompletedNow = isDone && shown.after.completed_at === null;
  const after = isCompletedNow ? { ...shown.after, state: 'completed' as const, completed_at: now } : shown.after;
  const done = [
    ...shown.activities,
    ...items.added.map((part_id) => ({ what: 'item' as const, part_id })),
    ...(isCompletedNow ? [{ what: 'completed' as const, part_id: '' }] : []),
  ];
  const found: NewActivity[] = await recordActivities(ctx, key, dayOf(now, timeZone), done, dimensions);
  for (const { reach = [] } of found) room.add('reports', measureRow('activity') * (1 + reach.length));
  const { isNew } = await storeProgress(ctx, key, before, after, isCounted);
  if (isNew) room.add('reports', measureRow('interaction'));
  await storeItems(ctx, key, items.text);
  if (isCounted) await countActivities(ctx, key, found, dimensions);
  return isCompletedNow;
}

function displayedAt({ experience_id }: { experience_id: string }, now: number): ReportFacts {
  return {
    ...{ moment: now, visitAt: now, state: 'displayed', snoozeHours: 0, isAfter: () => false },
    ...{ group: resolveGroup({ experience_id }, false), gap: minShowingGap(undefined) },
  };
}
