import {
  type CompiledExperience,
  compileExperience,
  type ExperiencePlace,
  type LastUpdate,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { hasEnvironmentsInDraft } from '../../experiences/experiences-using.ts';
import { stateOf } from '../../experiences/publication-state.ts';
import { experiencesOf } from '../../experiences/queries.ts';

const MAX_EXPERIENCES = 500;

interface Places {
  experiences: ExperiencePlace[];
  urls: LastUpdate[];
  url_groups: LastUpdate[];
}

/** Shows where Experiences show, and who changed each domain and Environment last. */
export async function showPlaces(ctx: Context): Promise<Places> {
  const live = await listLive(ctx);
  const drafts = await listDrafts(ctx, new Set(live.map(({ id }) => id)));
  const updates = await listLastUpdates(ctx);
  const updatesOf = (type: string) => updates.filter((one) => one.type === type).map(({ type: _, ...rest }) => rest);
  return { experiences: [...live, ...drafts], urls: updatesOf('url'), url_groups: updatesOf('url_group') };
}

/** Lists the live Experiences as page loads use them, in the order of positions. */
async function listLive(ctx: Context): Promise<ExperiencePlace[]> {
  const account = await currentAccount(ctx, ctx.account);
  return account.liveExperiences(ctx.now()).map((one) => ({
    ...{ id: one.id, kind: one.kind, name: one.name, state: 'live' as const },
    ...placeOf(one),
  }));
}

/** Where an Experience can show. */
export function placeOf({ urlGroupIds, urlPrefixes }: CompiledExperience) {
  return { url_group_ids: [...urlGroupIds], hosts: hostsOf(urlPrefixes) };
}

/** Lists the Experiences that are not live yet and name Environments. All others will show in all Environments when live. */
async function listDrafts(ctx: Context, live: ReadonlySet<string>): Promise<ExperiencePlace[]> {
  const rows = await experiencesOf(ctx)
    .where('archived_at', 'is', null)
    .where(hasEnvironmentsInDraft(ctx))
    .orderBy('id', 'desc')
    .limit(MAX_EXPERIENCES)
    .execute();
  return rows.flatMap((row) => {
    const state = stateOf(row, ctx.now());
    if (live.has(row.id) || (state !== 'draft' && state !== 'scheduled')) return [];
    const { id, kind, draft } = row;
    return [{ id, kind, name: draft.name, state, ...placeOf(compileExperience(id, draft)) }];
  });
}

function hostsOf(prefixes: CompiledExperience['urlPrefixes']): string[] | null {
  const hosts = prefixes.map(({ hostname }) => hostname);
  return hosts.every((host) => host !== undefined) ? [...new Set(hosts)] : null;
}

/** Finds who changed each domain and Environment last, by its last entry in the audit log. */
async function listLastUpdates(ctx: Context): Promise<(LastUpdate & { type: string })[]> {
  const rows = await ctx.heavyDb
    .selectFrom((eb) =>
      eb
        .selectFrom('audit_entries')
        .select(({ fn }) => fn.max('id').as('last_id'))
        .where('account_id', '=', ctx.account.id)
        .where('target_type', 'in', ['url', 'url_group'])
        .groupBy('target_id')
        .as('last'),
    )
    .innerJoin('audit_entries', 'audit_entries.id', 'last.last_id')
    .leftJoin('admins', 'admins.id', 'audit_entries.admin_id')
    .leftJoin('people', 'people.id', 'admins.person_id')
    .select(['audit_entries.id', 'target_type', 'target_id', 'admins.id as admin_id', 'people.name'])
    .where('audit_entries.account_id', '=', ctx.account.id)
    .execute();
  return rows.map((row) => ({
    type: row.target_type ?? '',
    id: row.target_id ?? '',
    updated_at: toTimestamp(timeOfId(row.id)),
    user: row.admin_id === null || row.name === null ? null : { id: row.admin_id, name: row.name },
  }));
}
