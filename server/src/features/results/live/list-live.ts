import { type Live, type LiveExperience, sketchOf, toDate, toTimestamp } from '@usher/domain';
import { expressionBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { isLive } from '../../../published/is-live.ts';
import { publishedVersionOf } from '../../../published/publication.ts';
import { findChanged } from '../../experiences/find-changed.ts';
import { loadPublished } from '../../experiences/load-published.ts';
import { type ExperienceRow, experiencesOf } from '../../experiences/queries.ts';
import { DEMO_NAME } from '../../install/sample-data/show-sample-data.ts';
import { findToday, shownDay } from '../counts/time-zone.ts';
import { loadLiveSince } from './load-live-since.ts';

const DAYS = 7;
const MAX_LISTED = 20;
const noPeople: LiveExperience['people'] = { shown: 0, completed: 0, exited: 0 };

/** Lists what users see now, with the numbers of the last days. */
export async function listLive(caller: Context): Promise<Live> {
  const ctx = { ...caller, db: caller.heavyDb };
  const now = ctx.now();
  const last = await findToday(ctx);
  const first = last - DAYS + 1;
  const rows = await experiencesOf(ctx)
    .where((eb) => isLive(eb, now))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  const [counts, people, totals, documents, samples, changed, since] = await Promise.all([
    countExperiences(ctx),
    countUsers(ctx, rows, first),
    countAll(ctx, first),
    loadPublished(ctx, rows),
    findSamples(ctx, rows),
    findChanged(ctx, rows),
    loadLiveSince(ctx, idsOf(rows)),
  ]);
  const live = rows.map((row): LiveExperience => {
    const version = documents.get(publishedVersionOf(row, now) ?? '');
    const isNext = row.next_published_at !== null && row.next_published_at <= now;
    const publishedAt = (isNext ? row.next_published_at : row.published_at) ?? now;
    return {
      id: row.id,
      kind: row.kind,
      name: version?.name ?? row.draft.name,
      sketch: sketchOf(version ?? row.draft),
      url_group_ids: version?.url_group_ids ?? [],
      published_at: toTimestamp(publishedAt),
      live_since: toTimestamp(since.get(row.id) ?? publishedAt),
      changed: changed.has(row.id),
      sample: samples.has(row.id),
      people: people.get(row.id) ?? noPeople,
    };
  });
  return { from: toDate(first), until: toDate(last), ...totals, live, counts };
}

async function countExperiences(ctx: Context): Promise<Live['counts']> {
  const name = ctx.dialect.json.text(sql.ref('draft'), ['name']);
  const { live, own, own_live } = await ctx.db
    .selectFrom('experiences')
    .leftJoin('sample_records', (join) =>
      join
        .on('sample_records.account_id', '=', ctx.account.id)
        .on('sample_records.type', '=', 'experience')
        .onRef('sample_records.id', '=', 'experiences.id'),
    )
    .select((eb) => {
      const isOwn = eb.and([eb('sample_records.id', 'is', null), eb(name, 'not like', `${DEMO_NAME}%`)]);
      const isLiveNow = isLive(expressionBuilder<Schema, 'experiences'>(), ctx.now());
      return [
        eb.fn.countAll<number>().filterWhere(isLiveNow).as('live'),
        eb.fn.countAll<number>().filterWhere(isOwn).as('own'),
        eb.fn
          .countAll<number>()
          .filterWhere(eb.and([isOwn, isLiveNow]))
          .as('own_live'),
      ];
    })
    .where('experiences.account_id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  return { live: Number(live), own: Number(own), own_live: Number(own_live) };
}

/** Counts each user once, on however many days the user saw the Experience. */
async function countUsers(ctx: Context, experiences: readonly ExperienceRow[], firstDay: number) {
  if (experiences.length === 0) return new Map<string, LiveExperience['people']>();
  const rows = await ctx.heavyDb
    .selectFrom('activity_counts')
    .select(({ fn }) => ['experience_id', 'what', fn.sum<number>('count').as('users')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', 'in', idsOf(experiences))
    .where('day', '>=', firstDay)
    .where('what', 'in', ['shown', 'completed', 'exited'])
    .where('part_id', '=', '')
    .where('previous_day', '<', firstDay)
    .groupBy(['experience_id', 'what'])
    .execute();
  const people = new Map<string, LiveExperience['people']>();
  for (const { experience_id, what, users } of rows)
    people.set(experience_id, { ...noPeople, ...people.get(experience_id), [what]: Number(users) });
  return people;
}

/** Counts what people did with all Experiences that are not archived, in the range of days and in the one before it. */
async function countAll(ctx: Context, firstDay: number): Promise<Pick<Live, 'people' | 'people_before' | 'days'>> {
  const start = firstDay - DAYS;
  const shown = shownDay(firstDay + DAYS - 1);
  const inPeriod = sql<number>`case when day >= ${sql.lit(firstDay)} then ${sql.lit(firstDay)} else ${sql.lit(start)} end`;
  const rows = await ctx.heavyDb
    .selectFrom('activity_counts')
    .select(({ fn, eb }) => [
      shown.as('shown'),
      'what',
      fn.sum<number>(eb.case().when('previous_day', '<', shown).then(eb.ref('count')).else(0).end()).as('users'),
      // A person counts at the first of their days in a period.
      fn.sum<number>(eb.case().when('previous_day', '<', inPeriod).then(eb.ref('count')).else(0).end()).as('new_users'),
    ])
    .where('account_id', '=', ctx.account.id)
    // The primary key begins with the account and the Experience, so each Experience is one search in it.
    .where('experience_id', 'in', (eb) =>
      eb
        .selectFrom('experiences')
        .select('id')
        .where('account_id', '=', ctx.account.id)
        .where('archived_at', 'is', null),
    )
    .where('day', '>=', start)
    .where('what', 'in', ['shown', 'completed', 'exited'])
    .where('part_id', '=', '')
    .groupBy(['shown', 'what'])
    .execute();
  const days = Array.from({ length: 2 * DAYS }, () => ({ ...noPeople }));
  const [people, people_before] = [{ ...noPeople }, { ...noPeople }];
  for (const { shown, what, users, new_users } of rows) {
    const one = days[shown - start];
    const total = shown >= firstDay ? people : people_before;
    if (one) one[what as keyof LiveExperience['people']] = Number(users);
    total[what as keyof LiveExperience['people']] += Number(new_users);
  }
  return { people, people_before, days };
}

async function findSamples(ctx: Context, experiences: readonly ExperienceRow[]): Promise<Set<string>> {
  if (experiences.length === 0) return new Set();
  const rows = await ctx.db
    .selectFrom('sample_records')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('type', '=', 'experience')
    .where('id', 'in', idsOf(experiences))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function idsOf(rows: readonly ExperienceRow[]): string[] {
  return rows.map(({ id }) => id);
}
