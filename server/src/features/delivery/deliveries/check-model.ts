import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import { conflict, notFound } from '../../../errors.ts';
import { type Publication, publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import type { DeliveryRow } from './queries.ts';

const selectModel = new PreparedStatement<Publication, 'id' | 'kind'>(
  ({ onPostgres }) => `
    select ${publicationColumns.join(', ')} from experiences
    where account_id = :account and id = :id and kind = :kind
    ${onPostgres('for key share nowait')}`,
);

/**
 * Rejects an Experience that cannot be delivered. It is kept until the transaction ends, so that a deletion finds the
 * Delivery. This does not wait for the lock, because a deletion that has it may be waiting for the profile.
 */
export async function checkModel(ctx: Context, kind: DeliveryRow['model_kind'], id: string): Promise<void> {
  checkLive(ctx, kind, await ctx.find(selectModel, { id, kind }));
}

export function checkLive(ctx: Context, kind: DeliveryRow['model_kind'], model: Publication | undefined): void {
  if (!model) throw notFound(kind);
  if (publishedVersionOf(model, ctx.now()) === null) throw conflict(`The ${kind} is not live: publish it first`);
}
