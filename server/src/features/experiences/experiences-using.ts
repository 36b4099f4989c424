import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { ListPath } from '../../db/json.ts';
import { experiencesOf } from './queries.ts';

/** The fields of a document that name other records. */
const places = {
  segments: [{ list: ['segment_ids'] }, { list: ['excluded_segment_ids'] }, { list: ['items'], key: 'segment_id' }],
  url_groups: [{ list: ['url_group_ids'] }],
  tags: [{ list: ['tag_ids'] }],
} satisfies Record<string, ListPath[]>;

type Used = keyof typeof places;

/** The Experiences whose draft names this Segment, Environment or Tag. */
export function experiencesUsing(ctx: Context, id: string) {
  return experiencesOf(ctx).where(usedInDraft(ctx, id));
}

/** The Experiences whose draft, published version or scheduled version names this record. */
export function experiencesUsingInAnyVersion(ctx: Context, what: Used, id: string) {
  const versionPlaces: ListPath[] = places[what].map((place) => ({ ...place, list: ['document', ...place.list] }));
  return experiencesOf(ctx)
    .where(({ or, exists, selectFrom }) =>
      or([
        usedInDraft(ctx, id),
        exists(
          selectFrom('versions')
            .select('versions.id')
            .where('versions.account_id', '=', ctx.account.id)
            .where((eb) =>
              eb('versions.id', 'in', [eb.ref('experiences.version_id'), eb.ref('experiences.next_version_id')]),
            )
            .where(({ or }) =>
              or([
                ctx.dialect.json.listsId(sql.ref('versions.content'), versionPlaces, id),
                // The conditions of items name Segments at any depth, and nothing else names one as a value.
                ...(what === 'segments' ? [isValueOfFilter(ctx, id)] : []),
              ]),
            ),
        ),
      ]),
    )
    .orderBy('id');
}

/** An ID is unique, so its text is nowhere else in the content. */
function isValueOfFilter(ctx: Context, id: string): RawBuilder<SqlBool> {
  return ctx.dialect.json.contains(sql`cast(versions.content as text)`, id);
}

/** The Experiences whose draft, or version that users see, will see or saw before a pause, has one of these themes; null: no theme. */
export function experiencesWithTheme(ctx: Context, ids: readonly (string | null)[]) {
  const { equals, text } = ctx.dialect.json;
  const [content, path] = [sql.ref('versions.content'), ['document', 'theme_id']];
  const inVersion = ids.map((id) =>
    id === null ? sql<SqlBool>`${text(content, path)} is null` : equals(content, path, id),
  );
  return experiencesOf(ctx).where(({ or, exists, selectFrom }) =>
    or([
      ...ids.map((id) => (id === null ? hasNoTheme(ctx) : usedInDraft(ctx, id))),
      exists(
        selectFrom('versions')
          .select('versions.id')
          .where('versions.account_id', '=', ctx.account.id)
          .where((eb) =>
            eb('versions.id', 'in', [
              eb.ref('experiences.version_id'),
              eb.ref('experiences.next_version_id'),
              eb.ref('experiences.paused_version_id'),
            ]),
          )
          .where((eb) => eb.or(inVersion)),
      ),
    ]),
  );
}

/** Whether the draft names no theme, so that it has the default one. */
export function hasNoTheme(ctx: Context): RawBuilder<SqlBool> {
  const themes = ctx.db.selectFrom('themes').select('id').where('account_id', '=', ctx.account.id);
  const users = ctx.db
    .selectFrom('experience_uses')
    .select('experience_id')
    .where('account_id', '=', ctx.account.id)
    .where('used_id', 'in', themes);
  return sql`experiences.id not in ${users}`;
}

/** Whether the draft names this Segment, Environment, Tag or theme. */
export function usedInDraft(ctx: Context, id: string): RawBuilder<SqlBool> {
  return sql`experiences.id in ${usesOf(ctx, [id])}`;
}

/** The IDs of the Experiences whose draft names one of these records. */
export function usesOf(ctx: Context, ids: readonly string[]) {
  return ctx.db
    .selectFrom('experience_uses')
    .select('experience_id')
    .where('account_id', '=', ctx.account.id)
    .where('used_id', 'in', ids);
}

/** Whether the draft names any Environment. */
export function hasEnvironmentsInDraft(ctx: Context): RawBuilder<SqlBool> {
  return ctx.dialect.json.hasItems(sql.ref('experiences.draft'), ['url_group_ids']);
}
