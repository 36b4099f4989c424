import {
  type Audience,
  type Condition,
  type Document,
  type ExperienceKind,
  formatFilterLimit,
  MAX_QUERY_FILTERS,
  type PublishCheck,
  toTargetCondition,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { scanPage } from '../../../db/pagination/scan-page.ts';
import { invalid } from '../../../errors.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { conditionSql, usesCompany } from '../../audience/filters/condition-sql.ts';
import { countInChunks } from '../../audience/profiles/count-in-chunks.ts';
import { withoutTestUsers } from '../../audience/profiles/without-test-users.ts';
import { getExperience } from '../../experiences/queries.ts';
import { loadAccountFor } from './load-account-for.ts';

const SAMPLE_SIZE = 5;
/** The limit is short, because somebody waits for the count in the dashboard. */
const MAX_COUNT_MS = 5000;
const nobody: Condition = { is: 'any', of: [] };

/** Counts the users that the draft and the live version of an Experience are for. */
export async function countAudience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  maxMs = MAX_COUNT_MS,
): Promise<Audience> {
  const { draft } = await getExperience(ctx, kind, id);
  const account = await loadAccountFor(ctx, draft);
  const { now: count, before, is_complete } = await countReach(ctx, account, id, draft, maxMs);
  // The search for a sample would read all users again and find none.
  if (count === 0) return { count, before, is_complete, sample: [] };
  const all = ctx.heavyDb.selectFrom('profiles').where('profiles.account_id', '=', ctx.account.id);
  const columns = ['profiles.id', 'profiles.uid', 'profiles.email', 'profiles.custom'] as const;
  const matching = selectTarget(ctx, account, draft).select(columns);
  const { rows } = await scanPage({ all, matching, idColumn: 'profiles.id', now: ctx.now }, { limit: SAMPLE_SIZE });
  const sample = rows.map(({ custom, ...row }) => ({
    ...row,
    name: typeof custom.name === 'string' ? custom.name : null,
  }));
  return { count, before, is_complete, sample };
}

/** How many users a document is for, and how many the live version of its Experience is for. */
export async function countReach(
  ctx: Context,
  account: PublishedAccount,
  id: string,
  draft: Document,
  maxMs = MAX_COUNT_MS,
): Promise<PublishCheck['reach']> {
  const live = account.experience(id, ctx.now())?.document;
  const isSame = live && targetJson(live, ctx) === targetJson(draft, ctx);
  const count = (document: Document) => countInChunks(ctx, selectTarget(ctx, account, document), maxMs);
  const now = await count(draft);
  const before = live ? (isSame ? now : await count(live)) : null;
  const is_complete = now.is_complete && before?.is_complete !== false;
  return { now: now.count, before: before?.count ?? null, is_complete };
}

function targetJson(document: Document, ctx: Context): string {
  return JSON.stringify(toTargetCondition(document, ctx.now()));
}

/** Joins Companies only if a Segment needs them, because the join is slow. */
function selectTarget(ctx: Context, { segments }: PublishedAccount, document: Document) {
  const accountId = ctx.account.id;
  const now = ctx.now();
  const condition = toTargetCondition(document, now);
  // In page loads, nobody is in a Segment that is gone.
  const segment = (id: string) => segments.get(id) ?? nobody;
  checkSize(condition, segment);
  const query = ctx.heavyDb
    .selectFrom('profiles')
    .where('profiles.account_id', '=', accountId)
    .where(withoutTestUsers(accountId, 'profiles.id'))
    .where(conditionSql(condition, { accountId, json: ctx.dialect.json, now, segment }));
  return query.$if(usesCompany(condition, segment), (all) =>
    all.leftJoin('companies', (join) =>
      join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
    ),
  );
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
