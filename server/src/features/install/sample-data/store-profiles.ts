import { type Millis, normalizeKey, SAMPLE_HOST } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../errors.ts';
import { changeProfiles } from '../../audience/profiles/save-profiles.ts';
import { SeenValues } from '../../audience/properties/seen.ts';
import { writeInChunks } from '../../experiences/changes/record-changes.ts';
import { addEventCounts, readEventCounts } from '../../results/counts/event-counts.ts';
import { contextAt } from './context-at.ts';
import { type PlannedUse, planUse } from './plan-use.ts';
import { sampleProfiles } from './sample-profiles.ts';

export interface StoredSampleProfile extends PlannedUse {
  id: string;
}

/** Stores the profiles with their Companies and events. Each profile is created at the time of its first visit. */
export async function storeProfiles(
  ctx: Context,
  now: Millis,
): Promise<{ profiles: StoredSampleProfile[]; companyIds: string[]; propertyIds: string[] }> {
  const values = new SeenValues({ integration: 'api' });
  const profiles: StoredSampleProfile[] = [];
  for (const [index, profile] of sampleProfiles.entries()) {
    const use = planUse(profile, index, now);
    const { uid, first_name, last_name, role, company } = profile;
    const custom = { first_name, last_name, role };
    const email = `${normalizeKey(`${first_name} ${last_name}`).replaceAll('_', '.')}@${SAMPLE_HOST}`;
    const { name, plan, seats } = company;
    const item = { uid, email, company: { uid: company.uid, custom: { name, plan, seats } }, custom };
    const [saved] = await changeProfiles(contextAt(ctx, use.visits[0] ?? now), [item], 'create', values);
    if (saved instanceof ApiError || !saved) throw saved ?? new Error('A profile of the sample was not created');
    await storeVisits(ctx, saved.id, use.visits);
    profiles.push({ id: saved.id, ...use });
  }
  await storeEvents(ctx, profiles, values);
  const propertyIds = await registerProperties(ctx, values, now);
  return { profiles, companyIds: await listCompanyIds(ctx), propertyIds };
}

function storeVisits(ctx: Context, id: string, visits: readonly Millis[]) {
  const browser = { browser_l: 'en', browser_n: 'chrome', browser_k: 'desktop' } as const;
  return ctx.db
    .updateTable('profiles')
    .set({ last_seen_at: visits.at(-1) ?? null, last_seen_session_count: visits.length, ...browser })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .execute();
}

async function storeEvents(ctx: Context, profiles: readonly StoredSampleProfile[], values: SeenValues): Promise<void> {
  const { id: account_id } = ctx.account;
  const events = [];
  const counts = [];
  for (const { id: profile_id, events: planned } of profiles) {
    const names = new Map<string, number[]>();
    for (const { name, at, custom } of planned) {
      const key = normalizeKey(name);
      const id = contextAt(ctx, at).newId();
      events.push({ account_id, id, profile_id, name: key, custom: JSON.stringify(custom) });
      names.set(key, [...(names.get(key) ?? []), at]);
      values.add('event', profile_id, custom);
      values.addEventName(key, name, { id, of: profile_id }, { sources: ['api_v3'], props: Object.keys(custom) });
    }
    for (const [name, times] of names)
      counts.push({
        ...{ account_id, profile_id, name, count: times.length },
        first_at: Math.min(...times),
        last_at: Math.max(...times),
      });
  }
  await writeInChunks(events, (chunk) => ctx.db.insertInto('events').values(chunk).execute());
  await writeInChunks(counts, (chunk) => ctx.db.insertInto('profile_events').values(chunk).execute());
  const ids = profiles.map(({ id }) => id);
  await addEventCounts(ctx, await readEventCounts(ctx, ids), 1);
}

/**
 * Registers new Properties, and does not change Properties that the account has already. The transaction holds the clock of
 * the account, so no other transaction registers Properties meanwhile.
 */
async function registerProperties(ctx: Context, values: SeenValues, now: Millis): Promise<string[]> {
  await ctx.clock();
  const properties = () =>
    ctx.db.selectFrom('properties').select(['id', 'kind', 'prop']).where('account_id', '=', ctx.account.id).execute();
  const before = new Set((await properties()).map(({ kind, prop }) => `${kind} ${prop}`));
  const fresh = values.list(now).filter(({ kind, prop }) => !before.has(`${kind} ${prop}`));
  await ctx.app.propertyRegistry.register(ctx, fresh);
  return (await properties()).filter(({ kind, prop }) => !before.has(`${kind} ${prop}`)).map(({ id }) => id);
}

async function listCompanyIds(ctx: Context): Promise<string[]> {
  const uids = [...new Set(sampleProfiles.map(({ company }) => company.uid))];
  const query = ctx.db.selectFrom('companies').select('id').where('account_id', '=', ctx.account.id);
  return (await query.where('uid', 'in', uids).execute()).map(({ id }) => id);
}
