import type { Millis } from '@usher/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { FIRST_CHUNK, nextChunkSize, type Within } from '../../../db/pagination/chunk-size.ts';
import { AFTER_ALL_IDS } from '../../../db/pagination/list-page.ts';
import { findPartEnd } from '../../../db/pagination/scan-page.ts';
import { limited } from '../../../errors.ts';
import { selectMembers } from '../../audience/filters/select-members.ts';
import { followSteps } from './follow-steps.ts';
import { readDeeds } from './read-deeds.ts';
import {
  type PeopleChunk,
  peopleOf,
  RECORD_LENGTH,
  readEvents,
  readIds,
  readStates,
  readTestUsers,
} from './read-records.ts';
import type { Funnel } from './resolve-funnel.ts';

const MAX_CHUNK = 16_000;
/** 37 MB of text. People who did very much may be in one chunk. */
const MAX_RECORDS = 1_000_000;

export interface WalkedChunk {
  /** Who did the first step at least, in the order of their IDs, with when they did each step that they came to. */
  people: { id: string; times: Millis[] }[];
  /** Who of them is in each Segment. */
  members: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many people were looked at so far. */
  seen: number;
  /** Where the next chunk goes on; null if this is the last one. */
  next: string | null;
}

interface Walk {
  segmentIds?: readonly string[];
  /** Everybody has an ID before this one. */
  before?: string | undefined;
}

/** Looks at the people of a funnel in chunks, those who came last first. Each chunk is read apart, so that other reads run in between. */
export async function* walkPeople(
  ctx: Context,
  funnel: Funnel,
  { segmentIds = [], before = AFTER_ALL_IDS }: Walk,
): AsyncGenerator<WalkedChunk> {
  const segments = new Map<string, (within: Within) => RawBuilder<unknown>>();
  for (const id of segmentIds) segments.set(id, await selectMembers(ctx, id));
  const all = peopleOf(ctx, funnel);
  let place = before;
  let seen = 0;
  for (let size = FIRST_CHUNK; ; ) {
    if (ctx.request?.signal.aborted)
      throw limited('heavy_reads', 'The client has disconnected, so the funnel was not finished', 1);
    const started = performance.now();
    const [last] = await findPartEnd(all, sql.ref('person.profile_id'), place, size).execute();
    const range = { from: last?.id ?? '', before: place };
    const chunk = { ...range, isDense: funnel.events.length > 0 && (await isDense(ctx, range, size)) };
    const events = await readEvents(ctx, funnel, chunk);
    if (events.length > MAX_RECORDS * RECORD_LENGTH && size > 1) {
      size = Math.ceil(size / 4);
      continue;
    }
    const people = await followAll(ctx, funnel, chunk, events);
    const members = new Map<string, ReadonlySet<string>>();
    for (const [id, select] of segments)
      members.set(
        id,
        await readIds(
          ctx,
          select((profileId) => sql`(${profileId} >= ${chunk.from} and ${profileId} < ${place})`),
        ),
      );
    seen += size;
    yield { people, members, seen, next: last?.id ?? null };
    if (!last) return;
    place = last.id;
    size = Math.min(nextChunkSize(size, performance.now() - started), MAX_CHUNK);
  }
}

async function followAll(
  ctx: Context,
  funnel: Funnel,
  chunk: PeopleChunk,
  events: string,
): Promise<WalkedChunk['people']> {
  const states = await readStates(ctx, funnel, chunk);
  const testUsers = await readTestUsers(ctx, chunk);
  const people: WalkedChunk['people'] = [];
  await readDeeds(events, states, (id, deeds) => {
    if (testUsers.has(id)) return;
    const times = followSteps(deeds, funnel);
    if (times.length > 0) people.push({ id, times });
  });
  return people;
}

/** Whether most profiles of a chunk are looked at. */
async function isDense(ctx: Context, { from, before }: Omit<PeopleChunk, 'isDense'>, size: number): Promise<boolean> {
  const { count } = await ctx.heavyDb
    .selectFrom('profiles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', ctx.account.id)
    .where('id', '>=', from)
    .where('id', '<', before)
    .executeTakeFirstOrThrow();
  return Number(count) <= 2 * size;
}

/** How many people there are to look at. */
export async function countPeople(ctx: Context, funnel: Funnel): Promise<number> {
  const { count } = await peopleOf(ctx, funnel)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
