import { type AuditEntry, experienceKinds } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import { loadUsers } from '../persons/load-users.ts';

type Target = Pick<AuditEntry, 'target_type' | 'target_id'>;

/**
 * The current names of the targets of entries, by their ID. Targets that are deleted, or have no name, are left out.
 */
export async function loadTargetNames(ctx: Context, targets: readonly Target[]): Promise<Map<string, string>> {
  const idsOf = (...types: readonly string[]) => [
    ...new Set(targets.flatMap(({ target_type, target_id }) => (types.includes(target_type ?? '') ? [target_id] : []))),
  ];
  const names = await Promise.all([
    loadUsers(ctx, idsOf('admin')).then((users) => [...users.values()]),
    loadExperienceNames(ctx, idsOf(...experienceKinds)),
    loadNames(ctx, 'url_groups', idsOf('url_group')),
    loadNames(ctx, 'webhooks', idsOf('webhook')),
    loadNames(ctx, 'themes', idsOf('theme')),
  ]);
  return new Map(names.flat().map(({ id, name }) => [id, name]));
}

interface Named {
  id: string;
  name: string;
}

async function loadExperienceNames(ctx: Context, ids: readonly (string | null)[]): Promise<Named[]> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return [];
  return ctx.db
    .selectFrom('experiences')
    .select(['id', ctx.dialect.json.text(sql.ref('draft'), ['name']).as('name')])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', wanted)
    .execute();
}

async function loadNames(
  ctx: Context,
  table: 'url_groups' | 'webhooks' | 'themes',
  ids: readonly (string | null)[],
): Promise<Named[]> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return [];
  return (
    ctx.db
      // The type of one table stands for all: each has these columns.
      .selectFrom(table as 'webhooks')
      .select(['id', 'name'])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', wanted)
      .execute()
  );
}
