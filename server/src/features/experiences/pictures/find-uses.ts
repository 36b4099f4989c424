import { listPictureHashes, type PictureUse } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/storage.ts';
import { experiencesUsing } from '../experiences-using.ts';
import type { PictureRow } from '../picture-files/store-picture.ts';

/** The JSON in which pictures are named. */
const places = {
  experiences: sql<string>`cast(draft as text)`,
  translations: sql<string>`cast(texts as text)`,
  versions: sql<string>`cast(content as text)`,
  captures: sql<string>`cast(look as text)`,
};
type Place = keyof typeof places;

/** Lists the Experiences that use a picture. The queries search every document, so they use `heavyDb`. */
export async function listPictureUses(ctx: Context, row: PictureRow): Promise<PictureUse[]> {
  const { account, heavyDb: db } = ctx;
  const part = `/media/${account.id}/${row.hash}-`;
  const idsIn = async (table: Exclude<Place, 'experiences'>) => {
    const rows = await db
      .selectFrom(table as 'captures')
      .select(['experience_id'])
      .distinct()
      .where('account_id', '=', account.id)
      .where(ctx.dialect.json.contains(places[table], part))
      .execute();
    return new Set(rows.map(({ experience_id }) => experience_id));
  };
  const [translated, captured] = [await idsIn('translations'), await idsIn('captures')];
  const versions = await db
    .selectFrom('versions')
    .select(['id', 'experience_id'])
    .where('account_id', '=', account.id)
    .where(ctx.dialect.json.contains(places.versions, part))
    .execute();
  const versionIds = new Set<string | null>(versions.map(({ id }) => id));
  const withVersions = new Set(versions.map(({ experience_id }) => experience_id));
  const isInDraft = ctx.dialect.json.contains(places.experiences, part);
  const rows = await db
    .selectFrom('experiences')
    .select(['id', 'kind', 'version_id', 'next_version_id', 'paused_version_id'])
    .select([sql<string>`draft ->> 'name'`.as('name'), sql<number>`case when ${isInDraft} then 1 else 0 end`.as('has')])
    .where('account_id', '=', account.id)
    .orderBy('id', 'desc')
    .execute();
  return rows.flatMap(({ id, kind, name, has, ...current }) => {
    const use = {
      draft: has === 1 || translated.has(id),
      published: Object.values(current).some((versionId) => versionIds.has(versionId)),
      history: withVersions.has(id) || captured.has(id),
    };
    return use.draft || use.published || use.history ? [{ id, kind, name, ...use }] : [];
  });
}

/** The Experiences whose draft shows a picture now. Call it after the picture was locked: then no other draft can begin to. */
export async function listDraftUses(ctx: Context, { hash }: PictureRow): Promise<{ name: string }[]> {
  const rows = await experiencesUsing(ctx, hash).execute();
  return rows.map(({ draft }) => ({ name: draft.name }));
}

/** Documents are large, so few are in memory at a time. */
const DOCUMENTS_AT_A_TIME = 20;

/** The hashes of all pictures that the account refers to anywhere. */
export async function findUsedHashes(db: Db, accountId: string, contains: Context['dialect']['json']['contains']) {
  const used = new Set<string>();
  for (const [table, text] of Object.entries(places)) {
    const key = table === 'translations' ? 'experience_id' : 'id';
    const query = db
      .selectFrom(table as 'captures')
      .where('account_id', '=', accountId)
      .where(contains(text, `/media/${accountId}/`));
    const found = await query.select(sql.ref<string>(key).as('key')).distinct().execute();
    for (let at = 0; at < found.length; at += DOCUMENTS_AT_A_TIME) {
      const keys = found.slice(at, at + DOCUMENTS_AT_A_TIME).map((row) => row.key);
      for (const row of await query.select(text.as('text')).where(sql.ref<string>(key), 'in', keys).execute())
        for (const hash of listPictureHashes(row.text, accountId)) used.add(hash);
    }
  }
  return used;
}
