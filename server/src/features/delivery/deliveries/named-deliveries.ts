import { Delivery, experienceKinds, Id, Nullable, OneOf, OutputObject } from '@usher/domain';
import Type, { type Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { publicationColumns, publishedVersionOf } from '../../../published/publication.ts';
import { loadNamedProfiles, NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { presentDelivery } from './present-delivery.ts';
import type { DeliveryRow } from './queries.ts';

/** A Delivery with what a person needs to recognize its user and its Experience. */
export const NamedDelivery = OutputObject({
  ...Delivery.properties,
  profile: Nullable(NamedProfile),
  /** Null if the Experience was deleted. */
  experience: Nullable(
    OutputObject({ id: Id, kind: OneOf(experienceKinds), name: Type.String(), is_live: Type.Boolean() }),
  ),
});
export type NamedDelivery = Static<typeof NamedDelivery>;

/** Loads all names with a few queries, however many rows there are. */
export async function nameDeliveries(ctx: Context, rows: readonly DeliveryRow[]): Promise<NamedDelivery[]> {
  const profiles = await loadNamedProfiles(
    ctx,
    rows.map(({ profile_id }) => profile_id),
  );
  const experiences = await loadExperiences(
    ctx,
    rows.map(({ model_id }) => model_id),
  );
  return rows.map((row) => ({
    ...presentDelivery(row),
    profile: profiles.get(row.profile_id) ?? null,
    experience: experiences.get(row.model_id) ?? null,
  }));
}

async function loadExperiences(ctx: Context, ids: readonly string[]) {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map<string, NonNullable<NamedDelivery['experience']>>();
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', 'draft', ...publicationColumns])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', wanted)
    .execute();
  const now = ctx.now();
  return new Map(
    rows.map(({ id, kind, draft, ...publication }) => [
      id,
      { id, kind, name: draft.name, is_live: publishedVersionOf(publication, now) !== null },
    ]),
  );
}
