import type { EventItem, Millis } from '@usher/domain';
import { attempt, uidsOf } from '../../../batches/run-batch.ts';
import type { Context } from '../../../context.ts';
import { ApiError, notFound } from '../../../errors.ts';
import { changeProfiles, differentProfiles } from '../profiles/save-profiles.ts';
import type { SeenValues } from '../properties/seen.ts';

interface EventProfile {
  id: string;
  uid: string;
  last_cleared_at: Millis | null;
}

/** Checks in the same transaction whether an event of this profile is accepted, or throws. */
export type Admit = (profile: EventProfile | undefined) => void;

const columns = ['id', 'uid', 'last_cleared_at'] as const;

/** Finds and locks the profiles of events, and creates the ones whose uid is new. Returns an ID or an error for each event. */
export async function findEventProfiles(
  ctx: Context,
  events: readonly (Pick<EventItem, 'profile'> & { admit?: Admit | undefined })[],
  values: SeenValues,
): Promise<(string | ApiError)[]> {
  const wanted = events.map(({ profile }) => profile);
  const byId = await load(
    ctx,
    'id',
    wanted.flatMap(({ id }) => id ?? []),
  );
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
        return found.id;
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

async function createProfiles(
  ctx: Context,
  uids: readonly string[],
  values: SeenValues,
): Promise<Map<string, string | ApiError>> {
  if (uids.length === 0) return new Map();
  const items = uids.map((uid) => ({ uid, custom: {} }));
  const outcomes = await changeProfiles(ctx, items, 'create', values);
  return new Map(
    outcomes.map((outcome, at) => [uids[at] ?? '', outcome instanceof ApiError ? outcome : (outcome?.id ?? '')]),
  );
}
