import { type PublishingChange, timeOfId } from '@usher/domain';
import type { Context } from '../../context.ts';
import { timeOf } from './publication-state.ts';

const properties = ['published_at', 'published_until', 'archived_at'] as const;

/** The Changes of what decides whether users see these Experiences, oldest first. */
export async function loadPublishingChanges(ctx: Context, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('changes')
    .select(['id', 'experience_id', 'kind', 'object'])
    .where('account_id', '=', ctx.account.id)
    .where('path', '=', 'model')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('change_properties')
        .select('change_id')
        .where('change_properties.account_id', '=', ctx.account.id)
        .where('change_properties.experience_id', 'in', ids)
        .where('property', 'in', properties),
    )
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...toPublishingChange(row), change_id: row.id, experience_id: row.experience_id }));
}

/** Only a Change of the kind `create` has the values alone. Others have pairs. */
function toPublishingChange({ id, kind, object }: { id: string; kind: string; object: object }): PublishingChange {
  const times = properties
    .filter((name) => name in object)
    .map((name) => {
      const value = (object as Record<string, unknown>)[name];
      return [name, timeOf((kind === 'create' ? value : (value as unknown[])[1]) as string | null)];
    });
  return { at: timeOfId(id), ...Object.fromEntries(times) };
}
