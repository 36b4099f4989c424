import type { Url } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { presentUrl } from './present-url.ts';

export async function showUrl(ctx: Context, id: string): Promise<Url> {
  const row = await ctx.db
    .selectFrom('urls')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('Url');
  return presentUrl(row);
}
