import {
  type Audience,
  type Condition,
  type Document,
  type ExperienceKind,
  formatFilterLimit,
  MAX_QUERY_FILTERS,
  toTargetCondition,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid, limited } from '../../errors.ts';
import type { PublishedAccount } from '../../published/published-account.ts';
import { getExperience } from '../experiences/queries.ts';
import { conditionSql, usesCompany } from '../filters/condition-sql.ts';
import { withoutTestUsers } from '../profiles/without-test-users.ts';
import { loadAccountFor } from './load-account-for.ts';

const SAMPLE_SIZE = 5;
/** Counting so many takes about 100 ms. */
const PROFILES_PER_PART = 50_000;
const nobody: Condition = { is: 'any', of: [] };

/** Counts the users that the draft and the live version of an Experience are for. */
export async function countAudience(ctx: Context, kind: ExperienceKind, id: string): Promise<Audience> {
  const { draft } = await getExperience(ctx, kind, id);
  const account = await loadAccountFor(ctx, draft);
  const { now, before } = await countReach(ctx, account, id, draft);
  // The search for a sample would read all users once more and find none.
  if (now === 0) return { count: now, before, sample: [] };
  const rows = await selectTarget(ctx, account, draft)
    .select(['profiles.id', 'profiles.uid', 'profiles.email', 'profiles.custom'])
    .orderBy('profiles.id', 'desc')
    .limit(SAMPLE_SIZE)
    .execute();
  const sample = rows.map(({ custom, ...row }) => ({
    ...row,
    name: typeof custom.name === 'string' ? custom.name : null,
  }));
  return { count: now, before, sample };
}

/** How many users a document is for, and how many the live version of its Experience is for. */
export async function countReach(
  ctx: Context,
  account: PublishedAccount,
  id: string,
  draft: Document,
): Promise<{ now: number; before: number | null }> {
  const live = account.experience(id, ctx.now())?.document;
  const isSame = live && targetJson(live, ctx) === targetJson(draft, ctx);
  const now = await count(ctx, account, draft);
  const before = live ? (isSame ? now : await count(ctx, account, live)) : null;
  return { now, before };
}

function targetJson(document: Document, ctx: Context): string {
  return JSON.stringify(toTargetCondition(document, ctx.now()));
}

/** Counts part by part, so that it ends soon after the client has disconnected, and other reads run in between. */
async function count(ctx: Context, account: PublishedAccount, document: Document): Promise<number> {
  const signal = ctx.request?.signal;
  let sum = 0;
  for (let after = ''; ; ) {
    if (signal?.aborted) throw limited('heavy_reads', 'The client has disconnected, so the count was not finished', 1);
    const last = await findLastOfPart(ctx, after);
    let part = selectTarget(ctx, account, document).where('profiles.id', '>', after);
    if (last !== undefined) part = part.where('profiles.id', '<=', last);
    const { count } = await part.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
    sum += Number(count);
    if (last === undefined) return sum;
    after = last;
  }
}

async function findLastOfPart(ctx: Context, after: string): Promise<string | undefined> {
  const query = ctx.heavyDb
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '>', after)
    .orderBy('id')
    .offset(PROFILES_PER_PART)
    .limit(1);
  return (await query.executeTakeFirst())?.id;
}

/** It joins Companies only if a Segment needs them, because the join is slow. */
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
  if (!usesCompany(condition, segment)) return query;
  return query.leftJoin('companies', (join) =>
    join.onRef('companies.account_id', '=', 'profiles.account_id').onRef('companies.id', '=', 'profiles.company_id'),
  ) as unknown as typeof query;
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
