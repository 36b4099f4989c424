import { type FunnelPeople, firstIdAt, type ListFunnelPeople, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { MAX_SEARCH_MS } from '../../../db/pagination/scan-page.ts';
import { invalid } from '../../../errors.ts';
import { loadNamedProfiles } from '../../audience/profiles/named-profiles.ts';
import type { PeoplePage } from '../people/list-people.ts';
import { type Funnel, resolveFunnel } from './resolve-funnel.ts';
import { walkPeople } from './walk-people.ts';

const MAX_SCAN_MS: Millis = 2000;

/** Lists who came to a step of a funnel, or who left after it, newest users first. */
export async function listFunnelPeople(
  ctx: Context,
  { limit, before, ...params }: ListFunnelPeople,
): Promise<PeoplePage> {
  const selected = await selectFunnelPeople(ctx, params);
  return readPage(
    ctx,
    selected,
    { limit, before: typeof before === 'number' ? firstIdAt(before) : before },
    MAX_SCAN_MS,
  );
}

interface SelectedPeople {
  funnel: Funnel;
  segmentId: string | undefined;
  /** Whether somebody who came so far is in the list. */
  isListed(reached: number): boolean;
}

export async function selectFunnelPeople(
  ctx: Context,
  { step, what, segment_id: segmentId, ...params }: FunnelPeople,
): Promise<SelectedPeople> {
  const count = params.steps.length;
  if (step > count)
    throw invalid(`\`step\` is ${step}, and there are ${count} steps: give a number from 1 to ${count}`);
  if (what === 'left' && step === count)
    throw invalid('`what=left` is for a step before the last one: give another `step`, or `what=reached`');
  const funnel = await resolveFunnel(ctx, params);
  return {
    ...{ funnel, segmentId },
    isListed: (reached) => (what === 'left' ? reached === step : reached >= step),
  };
}

async function readPage(
  ctx: Context,
  { funnel, segmentId, isListed }: SelectedPeople,
  { limit: wanted, before }: { limit: number; before: string | undefined },
  maxMs: Millis,
): Promise<PeoplePage> {
  const limit = Math.min(wanted, MAX_PAGE_SIZE);
  const deadline = performance.now() + maxMs;
  const found: string[] = [];
  let place: string | null = null;
  for await (const { people, members, next } of walkPeople(ctx, funnel, {
    ...{ before },
    ...(segmentId !== undefined && { segmentIds: [segmentId] }),
  })) {
    const inSegment = segmentId === undefined ? undefined : members.get(segmentId);
    for (const { id, times } of people.toReversed())
      if (isListed(times.length) && (!inSegment || inSegment.has(id))) found.push(id);
    place = next;
    if (found.length > limit || performance.now() >= deadline) break;
  }
  const ids = found.slice(0, limit);
  const profiles = await loadNamedProfiles(ctx, ids);
  const next = found.length > limit ? (ids.at(-1) ?? null) : place;
  return {
    // Somebody may be forgotten meanwhile.
    people: ids.flatMap((id) => profiles.get(id) ?? []),
    is_complete: next === null || ids.length === limit,
    cursor: { limit, before: next },
  };
}

/** Reads everybody, page by page. */
export async function* readAllFunnelPeople(ctx: Context, selected: SelectedPeople, limit: number) {
  for (let before: string | undefined; ; ) {
    const page: PeoplePage = await readPage(ctx, selected, { limit, before }, MAX_SEARCH_MS);
    yield page.people;
    if (page.cursor.before === null) return;
    before = page.cursor.before;
  }
}
