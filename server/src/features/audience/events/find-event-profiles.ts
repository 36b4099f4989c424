import type { EventItem, Millis } from '@usher/domain';
import { attempt, type ItemOutcome, uidsOf } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import { ApiError, notFound } from '../../../errors.ts';
import { findMergedInto } from '../../../pages/merged-profile.ts';
import { changeProfiles, differentProfiles } from '../profiles/save-profiles.ts';
import type { SeenValues } from '../properties/seen.ts';

interface EventProfile {
  id: string;
  uid: string;
  last_cleared_at: Millis | null;
  /** SQLite returns 1 or 0. */
  is_test: boolean | number;
}

/** Whose event it is. */
interface EventOwner {
  id: string;
  isTest: boolean;
}

/** Checks in the same transaction whether an event of this profile is accepted, or throws. */
export type Admit = (profile: EventProfile | undefined) => void;

const columns = ['id', 'uid', 'last_cleared_at', 'is_test'] as const;

/** Finds and locks the profiles of events, and creates the ones whose uid is new. Returns the profile of each event, or an error. */
export async function findEventProfiles(
  ctx: Context,
  events: readonly (Pick<EventItem, 'profile'> & { admit?: Admit | undefined })[],
  values: SeenValues,
): Promise<(EventOwner | ApiError)[]> {
  const wanted = events.map(({ profile }) => profile);
  const byId = await load(
    ctx,
    'id',
    wanted.flatMap(({ id }) => id ?? []),
  );
  await loadMerged(ctx, events, byId);
  const uids = [...new Set(uidsOf(wanted))];
  const byUid = await load(ctx, 'uid', uids);
  const created = await createProfiles(
    ctx,
    uids.filter((uid) => !byUid.has(uid)),
    values,
  );
  return events.map(({ profile: { id, uid }, admit }) => {
    const outcome = id === undefined ? created.get(uid ?? '') : undefined;
    return (
      outcome ??
      attempt(() => {
        const found = id === undefined ? byUid.get(uid ?? '') : byId.get(id);
        admit?.(found);
        if (!found) throw notFound('profile');
        if (uid !== undefined && found.uid !== uid) throw differentProfiles();
        return { id: found.id, isTest: Boolean(found.is_test) };
      })
    );
  });
}

async function load(ctx: Context, key: 'id' | 'uid', names: readonly string[]): Promise<Map<string, EventProfile>> {
  if (names.length === 0) return new Map();
  const lookup = { table: 'profiles' as const, key, names: [...new Set(names)], columns, isPlain: true };
  const rows = await ctx.dialect.lookUp<EventProfile>(ctx.db, ctx.account.id, lookup);
  return new Map(rows.map((row) => [row[key], row]));
}

/** Pages that were open when an anonymous user signed in track events with the ID of the profile that is gone. */
async function loadMerged(
  ctx: Context,
  events: readonly (Pick<EventItem, 'profile'> & { admit?: Admit | undefined })[],
  byId: Map<string, EventProfile>,
): Promise<void> {
  for (const { profile, admit } of events) {
    if (!admit || profile.id === undefined || byId.has(profile.id)) continue;
    const merged = await findMergedInto(ctx, profile.id);
    const found = merged === undefined ? undefined : (await load(ctx, 'id', [merged])).get(merged);
    if (found) byId.set(profile.id, found);
  }
}

async function createProfiles(
  ctx: Context,
  uids: readonly string[],
  values: SeenValues,
): Promise<Map<string, EventOwner | ApiError>> {
  if (uids.length === 0) return new Map();
  const items = uids.map((uid) => ({ uid, custom: {} }));
  const outcomes = await changeProfiles(ctx, items, 'create', values);
  // Without an email, no new profile is a test user.
  const toOwner = (outcome: ItemOutcome) =>
    outcome instanceof ApiError ? outcome : { id: outcome?.id ?? '', isTest: false };
  return new Map(outcomes.map((outcome, at) => [uids[at] ?? '', toOwner(outcome)]));
}
