import { type CreateUrl, readHost, resolveArchivedAt, type Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid, notFound } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { keepUrlGroup } from '../url-groups/queries.ts';
import { presentUrl } from './present-url.ts';

export async function createUrl(ctx: Context, params: CreateUrl): Promise<Url> {
  const host = readHost(params.host);
  if ('problem' in host) throw invalid(`\`host\` ${host.problem}`);
  return ctx.transaction(async (ctx) => {
    if (params.url_group_id && !(await keepUrlGroup(ctx, params.url_group_id))) throw notFound('Environment');
    const created = (await ctx.clock()).newRow();
    const row = await ctx.db
      .insertInto('urls')
      .values({
        ...created,
        ...host,
        enabled: params.enabled,
        url_group_id: params.url_group_id ?? null,
        archived_at: resolveArchivedAt(params, null, created.updated_at),
      })
      .onConflict((taken) => taken.columns(['account_id', 'host']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!row) throw conflict(await hostTakenMessage(ctx, host.host));
    await recordAudit(ctx, 'url.create', { type: 'url', id: row.id }, { host: row.host, enabled: row.enabled });
    await bumpPublishedVersion(ctx);
    return presentUrl(row);
  });
}

async function hostTakenMessage(ctx: Context, host: string): Promise<string> {
  const { id } = await ctx.db
    .selectFrom('urls')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('host', '=', host)
    .executeTakeFirstOrThrow();
  return `The host ${host} is in this account already: change that Url instead, whose ID is ${id}`;
}
