import { type ExperienceKind, experienceKinds } from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { ThemeRow } from './queries.ts';

export type KindCounts = ReadonlyMap<ExperienceKind, number>;

/** Counts how many Experiences of each kind have a theme in their draft. Those without one have the default theme. */
export async function countUses(ctx: Context): Promise<(theme: ThemeRow) => KindCounts> {
  const themes = ctx.db.selectFrom('themes').select('id').where('account_id', '=', ctx.account.id);
  const named = await ctx.db
    .selectFrom('experience_uses')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'experience_uses.account_id')
        .onRef('experiences.id', '=', 'experience_uses.experience_id'),
    )
    .where('experience_uses.account_id', '=', ctx.account.id)
    .where('experience_uses.used_id', 'in', themes)
    .groupBy(['experience_uses.used_id', 'experiences.kind'])
    .select(['experience_uses.used_id', 'experiences.kind', (eb) => eb.fn.countAll<number>().as('count')])
    .execute();
  const all = await ctx.db
    .selectFrom('experiences')
    .select(['kind', (eb) => eb.fn.countAll<number>().as('count')])
    .where('account_id', '=', ctx.account.id)
    .groupBy('kind')
    .execute();
  const sum = (rows: readonly { kind: ExperienceKind; count: number }[], kind: ExperienceKind) =>
    rows.filter((row) => row.kind === kind).reduce((total, { count }) => total + Number(count), 0);
  return ({ id, is_default }) => {
    const own = named.filter(({ used_id }) => used_id === id);
    return new Map(
      experienceKinds.map((kind) => [kind, sum(own, kind) + (is_default ? sum(all, kind) - sum(named, kind) : 0)]),
    );
  };
}
