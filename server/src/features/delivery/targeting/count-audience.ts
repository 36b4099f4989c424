import {
  type Audience,
  type Condition,
  type Document,
  type ExperienceKind,
  formatFilterLimit,
  MAX_QUERY_FILTERS,
  type Millis,
  type PublishCheck,
  toTargetCondition,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Within } from '../../../db/pagination/chunk-size.ts';
import { scanPage } from '../../../db/pagination/scan-page.ts';
import { invalid } from '../../../errors.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { selectProfiles } from '../../audience/filters/select-profiles.ts';
import { countMatching } from '../../audience/profiles/count-matching.ts';
import { countDisabled } from '../../audience/profiles/disabled-profiles.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import { getExperience } from '../../experiences/queries.ts';
import { loadAccountFor } from './load-account-for.ts';

const SAMPLE_SIZE = 5;
/** The limit is short, because somebody waits for the count in the dashboard. */
const MAX_COUNT_MS = 2000;
const nobody: Condition = { is: 'any', of: [] };

/** Counts the users that the draft and the live version of an Experience are for. */
export async function countAudience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  maxMs = MAX_COUNT_MS,
): Promise<Audience> {
  const { draft } = await getExperience(ctx, kind, id);
  const account = await loadAccountFor(ctx, id, draft);
  const targetOf = await createTargets(ctx, account);
  const {
    now: count,
    before,
    is_complete,
    estimate: about,
  } = await countBoth(ctx, account, id, draft, targetOf, maxMs);
  const counted = { count, before, is_complete, estimate: { count: about.now, before: about.before } };
  // The search for a sample would read all users again and find none.
  if (count === 0) return { ...counted, sample: [] };
  const all = ctx.heavyDb.selectFrom('profiles').where('profiles.account_id', '=', ctx.account.id);
  const columns = ['profiles.id', 'profiles.uid', 'profiles.email', 'profiles.custom'] as const;
  const target = targetOf(draft);
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment: target.segment };
  const matching = (within: Within) =>
    selectProfiles(ctx, target.condition, { ...scope, within })
      .where(withoutTestUsers(ctx.account.id, 'profiles.id'))
      .select(columns);
  const { rows } = await scanPage({ all, matching, idColumn: 'profiles.id', now: ctx.now }, { limit: SAMPLE_SIZE });
  const sample = rows.map(({ custom, ...row }) => ({
    ...row,
    name: typeof custom.name === 'string' ? custom.name : null,
  }));
  return { ...counted, sample };
}

/** How many users a document is for, and how many the live version of its Experience is for. */
export async function countReach(
  ctx: Context,
  account: PublishedAccount,
  id: string,
  draft: Document,
): Promise<PublishCheck['reach']> {
  return countBoth(ctx, account, id, draft, await createTargets(ctx, account), MAX_COUNT_MS);
}

/** How many people of the target of a document are in these conditions too. All counts together take as long as one. */
export async function countWithin(
  ctx: Context,
  account: PublishedAccount,
  draft: Document,
  conditions: readonly Condition[],
): Promise<number[]> {
  const { condition: target, segment } = (await createTargets(ctx, account))(draft);
  const counts: number[] = [];
  for (const condition of conditions) {
    const both: Condition = { is: 'all', of: [target, condition] };
    checkSize(both, segment);
    const params = { condition: both, segment, isWithoutTestUsers: true };
    counts.push((await countMatching(ctx, params, MAX_COUNT_MS / conditions.length)).estimate);
  }
  return counts;
}

async function countBoth(
  ctx: Context,
  account: PublishedAccount,
  id: string,
  draft: Document,
  targetOf: TargetOf,
  maxMs: Millis,
): Promise<PublishCheck['reach']> {
  const live = account.experience(id, ctx.now())?.document;
  const isSame = live && targetJson(live, ctx) === targetJson(draft, ctx);
  const count = (document: Document) => countMatching(ctx, { ...targetOf(document), isWithoutTestUsers: true }, maxMs);
  const now = await count(draft);
  const before = live ? (isSame ? now : await count(live)) : null;
  const is_complete = now.is_complete && before?.is_complete !== false;
  const estimate = { now: now.estimate, before: before?.estimate ?? null };
  return { now: now.count, before: before?.count ?? null, is_complete, estimate };
}

function targetJson(document: Document, ctx: Context): string {
  return JSON.stringify(toTargetCondition(document, ctx.now(), true));
}

type TargetOf = (document: Document) => { condition: Condition; segment(id: string): Condition };

/** Finds the condition of the users that see a document, with the Segments that it names. */
export async function createTargets(ctx: Context, { segments }: PublishedAccount): Promise<TargetOf> {
  // Otherwise the JSON of no user has to be read for it. With a limit, PostgreSQL would read the profiles one by one.
  const isAnyoneDisabled = (await countDisabled(ctx, { isWithoutTestUsers: false })) > 0;
  // In page loads, no user is in a Segment that is gone.
  const segment = (id: string) => segments.get(id) ?? nobody;
  return (document) => {
    const condition = toTargetCondition(document, ctx.now(), isAnyoneDisabled);
    checkSize(condition, segment);
    return { condition, segment };
  };
}

/** The SQL contains every filter of every Segment. */
function checkSize(condition: Condition, segment: (id: string) => Condition): void {
  let left = MAX_QUERY_FILTERS;
  const visit = (part: Condition): void => {
    left -= part.is === 'property' && 'to' in part.test ? part.test.to.length : 1;
    if (left < 0) throw invalid(`The Segments of this Experience together ${formatFilterLimit(MAX_QUERY_FILTERS)}`);
    if (part.is === 'all' || part.is === 'any') for (const inner of part.of) visit(inner);
    if (part.is === 'not') visit(part.of);
    if (part.is === 'in segment') visit(segment(part.id));
  };
  visit(condition);
}
