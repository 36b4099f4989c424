import {
  firstIdAt,
  type Installation,
  type InstallationEntry,
  type InstallationHost,
  type Millis,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { findMissing } from './find-missing.ts';

const MAX_HOSTS = 50;
const MAX_ENTRIES = 100;
const SHOWN_MS: Millis = 15 * 60_000;

/** Shows what an administrator needs to know to install the script, or to find out whether it works. */
export async function showInstallation(ctx: Context): Promise<Installation> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['token', 'uid_secret', 'require_uid_hash', 'trust_pages'])
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const local = await ctx.db
    .selectFrom('account_installations')
    .select(['local_host', 'local_first_seen_at', 'local_last_seen_at'])
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  const seen = await ctx.db
    .selectFrom('urls')
    .select((eb) => [eb.fn.min('first_seen_at').as('first'), eb.fn.max('last_seen_at').as('last')])
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  const hosts = await listHosts(ctx);
  if (local?.local_host && !hosts.some(({ host }) => host === local.local_host))
    hosts.push({
      host: local.local_host,
      url_id: null,
      state: 'on',
      environment: null,
      installed_at: toTimestampOrNull(local.local_first_seen_at),
      first_seen_at: toTimestampOrNull(local.local_first_seen_at),
      last_seen_at: toTimestampOrNull(local.local_last_seen_at),
    });
  const first = [seen?.first, local?.local_first_seen_at].map(Number).filter((time) => time > 0);
  const last = [seen?.last, local?.local_last_seen_at].map(Number).filter((time) => time > 0);
  const entries = await listEntries(ctx);
  const { server_url, page_url, demo_url } = await findAddresses(ctx);
  const first_seen_at = first.length > 0 ? toTimestamp(Math.min(...first)) : null;
  return {
    server_url,
    page_url,
    script_url: `${page_url}/script/${account.token}.js`,
    account_token: account.token,
    has_uid_secret: account.uid_secret !== null,
    require_uid_hash: account.require_uid_hash,
    trust_pages: account.trust_pages,
    demo_url,
    first_seen_at,
    last_seen_at: last.length > 0 ? toTimestamp(Math.max(...last)) : null,
    hosts,
    missing: first_seen_at === null ? findMissing(hosts, entries) : [],
    entries,
  };
}

/** The demo site belongs to the first account. */
async function findAddresses({ app, account }: Context) {
  const { publicUrl, pageUrl, hasDemo, storage } = app;
  const first = hasDemo
    ? await storage.reader(null).selectFrom('accounts').select('id').orderBy('id').limit(1).executeTakeFirst()
    : undefined;
  const demo_url = first?.id === account.id ? `${publicUrl}/demo/` : null;
  return { server_url: publicUrl, page_url: pageUrl, demo_url };
}

/** The hosts that a page has loaded the script on, or that an administrator has added, the last seen first. */
async function listHosts(ctx: Context): Promise<InstallationHost[]> {
  const rows = await ctx.db
    .selectFrom('urls')
    .leftJoin('url_groups', (join) =>
      join
        .onRef('url_groups.account_id', '=', 'urls.account_id')
        .onRef('url_groups.id', '=', 'urls.url_group_id')
        .on('url_groups.account_id', '=', ctx.account.id),
    )
    .select(['urls.id', 'urls.host', 'urls.enabled', 'urls.archived_at', 'urls.installed_at'])
    .select(['urls.first_seen_at', 'urls.last_seen_at', 'urls.url_group_id', 'url_groups.name'])
    .select(['url_groups.short_name', 'url_groups.style_short_name_color'])
    .where('urls.account_id', '=', ctx.account.id)
    .orderBy((eb) => eb.fn.coalesce('urls.last_seen_at', 'urls.installed_at', eb.val(0)), 'desc')
    .orderBy('urls.id', 'desc')
    .limit(MAX_HOSTS)
    .execute();
  return rows.map((row) => ({
    host: row.host,
    url_id: row.id,
    state: row.archived_at !== null ? 'archived' : row.enabled === 'off' ? 'off' : 'on',
    environment:
      row.url_group_id === null
        ? null
        : {
            id: row.url_group_id,
            name: row.name ?? '',
            short_name: row.short_name,
            style_short_name_color: row.style_short_name_color,
          },
    installed_at: toTimestampOrNull(row.installed_at),
    first_seen_at: toTimestampOrNull(row.first_seen_at),
    last_seen_at: toTimestampOrNull(row.last_seen_at),
  }));
}

async function listEntries(ctx: Context): Promise<InstallationEntry[]> {
  const rows = await ctx.db
    .selectFrom('installation_entries as entry')
    .leftJoin('profiles', (join) =>
      join
        .onRef('profiles.account_id', '=', 'entry.account_id')
        .onRef('profiles.id', '=', 'entry.profile_id')
        .on('profiles.account_id', '=', ctx.account.id),
    )
    .select(['entry.id', 'entry.kind', 'entry.host', 'entry.path', 'entry.profile_id', 'entry.user_agent'])
    .select(['entry.name', 'entry.fields', 'entry.outcome', 'entry.messages'])
    .select((eb) => eb.fn.coalesce('profiles.uid', 'entry.uid').as('uid'))
    .where('entry.account_id', '=', ctx.account.id)
    .where('entry.id', '>=', firstIdAt(ctx.now() - SHOWN_MS))
    .orderBy('entry.id', 'desc')
    .limit(MAX_ENTRIES)
    .execute();
  return rows.map(({ id, ...row }) => ({ id, created_at: toTimestamp(timeOfId(id)), ...row }));
}
