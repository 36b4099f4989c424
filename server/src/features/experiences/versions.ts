import {
  type ExperienceKind,
  Id,
  Nullable,
  OutputObject,
  sortFields,
  standardFields,
  Timestamp,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import Type, { type Static } from 'typebox';
import type { Context } from '../../context.ts';
import { listPage, type PageParameters } from '../../db/pagination/list-page.ts';
import { notFound } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { getExperience } from './queries.ts';

const fields = {
  ...standardFields,
  /** The ID of the Experience, or of the theme. */
  experience_id: Id,
  change_id: Id,
  published_at: Timestamp,
  live: Type.Boolean(),
  user: Nullable(OutputObject({ id: Id, name: Type.String(), email: Type.String() })),
};
export const Version = OutputObject(fields);
type Version = Static<typeof Version>;
/** A version with its document, and the texts of each language by the ID of their model. */
export const VersionInFull = OutputObject({
  ...fields,
  document: Type.Record(Type.String(), Type.Unknown()),
  translations: Type.Record(Type.String(), Type.Unknown()),
});
type VersionInFull = Static<typeof VersionInFull>;

export async function listVersions(ctx: Context, kind: ExperienceKind, id: string, page: PageParameters) {
  return listVersionsOf(ctx, id, publishedVersionOf(await getExperience(ctx, kind, id), ctx.now()), page);
}

/** Lists the versions of an Experience or a theme. `live` is the one that users see. */
export async function listVersionsOf(ctx: Context, id: string, live: string | null, page: PageParameters) {
  const { rows, cursor } = await listPage(versionsOf(ctx, id), page, 'versions.id');
  return { versions: rows.map((row) => presentVersion(id, live, row)), cursor };
}

export async function showVersion(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  versionId: string,
): Promise<VersionInFull> {
  const live = publishedVersionOf(await getExperience(ctx, kind, id), ctx.now());
  const row = await getVersion(ctx, id, versionId);
  const { document, translations } = row.content;
  return { ...presentVersion(id, live, row), document: sortFields(document), translations };
}

export async function getVersion(ctx: Context, experienceId: string, versionId: string) {
  const row = await versionsOf(ctx, experienceId)
    .select('versions.content')
    .where('versions.id', '=', versionId)
    .executeTakeFirst();
  if (!row) throw notFound('version');
  return row;
}

/** The versions that users see now or will see at their time, each with its Experience. */
export function currentVersionsOf({ db, account }: Pick<Context, 'db' | 'account'>) {
  return db
    .selectFrom('versions')
    .innerJoin('experiences', (join) =>
      join
        .onRef('experiences.account_id', '=', 'versions.account_id')
        .on(({ eb, or, ref }) =>
          or([
            eb('experiences.version_id', '=', ref('versions.id')),
            eb('experiences.next_version_id', '=', ref('versions.id')),
          ]),
        ),
    )
    .where('versions.account_id', '=', account.id)
    .where('experiences.account_id', '=', account.id);
}

export function versionsOf(ctx: Context, experienceId: string) {
  return ctx.db
    .selectFrom('versions')
    .leftJoin('admins', 'admins.id', 'versions.admin_id')
    .select(['versions.id', 'versions.change_id', 'versions.published_at', 'versions.admin_id'])
    .leftJoin('people', 'people.id', 'admins.person_id')
    .select(['people.name as admin_name', 'people.email as admin_email'])
    .where('versions.account_id', '=', ctx.account.id)
    .where('versions.experience_id', '=', experienceId);
}

interface VersionRow {
  id: string;
  change_id: string;
  published_at: number;
  admin_id: string;
  admin_name: string | null;
  admin_email: string | null;
}

export function presentVersion(experienceId: string, live: string | null, row: VersionRow): Version {
  const createdAt = toTimestamp(timeOfId(row.id));
  return {
    id: row.id,
    created_at: createdAt,
    updated_at: createdAt,
    experience_id: experienceId,
    change_id: row.change_id,
    published_at: toTimestamp(row.published_at),
    live: live === row.id,
    user: row.admin_name === null ? null : { id: row.admin_id, name: row.admin_name, email: row.admin_email ?? '' },
  };
}
