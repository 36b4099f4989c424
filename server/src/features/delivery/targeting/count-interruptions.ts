import {
  type AddedInterruptions,
  addedPerWeek,
  compileExperience,
  type Document,
  dayOf,
  isInterruption,
  type Millis,
  type PublishCheck,
  type PublishWarning,
  quantileOf,
  weekOf,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize } from '../../../db/pagination/chunk-size.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { chunkAfter } from '../../audience/counts/count-in-chunks.ts';
import { selectProfiles } from '../../audience/filters/select-profiles.ts';
import { weeksOfUsers } from '../../results/counts/interruption-counts.ts';
import { createTargets } from './count-audience.ts';

const WEEKS = 4;
/** More interruptions than this in a week are many. */
const MANY = 3;
/** From this share of the people, publishing warns. */
const WARNING_SHARE = 0.1;
/** Somebody waits for the publish dialog. */
const MAX_COUNT_MS: Millis = 1500;

/** What publishing adds to the interruptions that the people of the draft had in this week and the three before. */
export async function countAddedInterruptions(
  ctx: Context,
  account: PublishedAccount,
  draft: Document,
): Promise<AddedInterruptions | null> {
  const { kind, beginsAsHotspot, isManual, repeatDays } = compileExperience('', draft);
  if (isManual || !isInterruption({ kind, beginsAsHotspot, groupKind: 'campaign' })) return null;
  const first = weekOf(dayOf(ctx.now(), account.timeZone)) - 7 * (WEEKS - 1);
  const { counts, is_complete } = await countBusiestWeeks(ctx, account, draft, first);
  const sum = (above: number) =>
    counts.filter(({ value }) => value > above).reduce((total, { count }) => total + count, 0);
  return {
    ...{ adds: addedPerWeek({ repeatDays }), weeks: WEEKS, people: sum(0) },
    ...{ median: quantileOf(counts, 0.5), max: quantileOf(counts, 1) },
    ...{ busy_people: sum(MANY), many: MANY, is_complete },
  };
}

/** How many people of the draft had how many interruptions in the week in which each of them had the most. */
async function countBusiestWeeks(ctx: Context, account: PublishedAccount, draft: Document, first: number) {
  const { condition, segment } = (await createTargets(ctx, account))(draft);
  const scope = { accountId: ctx.account.id, dialect: ctx.dialect, now: ctx.now(), segment };
  const rows = ctx.heavyDb.selectFrom('interruption_days').where('account_id', '=', ctx.account.id);
  const byValue = new Map<number, number>();
  const started = performance.now();
  let after = '';
  for (let size = FIRST_CHUNK; ; ) {
    const chunkStarted = performance.now();
    const later = rows.select('profile_id').where('profile_id', '>', after).orderBy('profile_id');
    const last = (
      await later
        .offset(size - 1)
        .limit(1)
        .executeTakeFirst()
    )?.profile_id;
    const within = chunkAfter(after, last);
    const people = selectProfiles(ctx, condition, { ...scope, within })
      .where(within(sql.ref('profiles.id')))
      .where('profiles.is_test', '=', false)
      .select('profiles.id');
    const weeks = weeksOfUsers(sql`where a.account_id = ${ctx.account.id} and a.day >= ${first}
      and ${within(sql.ref('a.profile_id'))} and a.profile_id in ${people}`);
    const { rows: counted } = await sql<{ value: number; count: number }>`
      select value, count(*) as count from (
        select profile_id, max(interruptions) as value from (${weeks}) as weeks group by profile_id
      ) as busiest where value > 0 group by value`.execute(ctx.heavyDb);
    for (const { value, count } of counted)
      byValue.set(Number(value), (byValue.get(Number(value)) ?? 0) + Number(count));
    const now = performance.now();
    const is_complete = last === undefined;
    if (is_complete || now - started >= MAX_COUNT_MS)
      return { counts: [...byValue].map(([value, count]) => ({ value, count })), is_complete };
    after = last;
    size = nextChunkSize(size, now - chunkStarted);
  }
}

/** Warns if a tenth of the people, or more, have been interrupted often. */
export function warnOfInterruptions(
  interruptions: AddedInterruptions | null,
  { estimate: { now: people } }: PublishCheck['reach'],
): PublishWarning[] {
  if (!interruptions) return [];
  const { busy_people, many, weeks, is_complete } = interruptions;
  if (busy_people === 0 || busy_people < people * WARNING_SHARE) return [];
  const count = `${is_complete ? '' : 'At least '}${busy_people} of its people`;
  const message = `${count} had more than ${many} interruptions in a week of the last ${weeks}: a limit group can keep them from more`;
  return [{ code: 'many_interruptions', message, path: 'rate_unlimit_at', experience_ids: [] }];
}
