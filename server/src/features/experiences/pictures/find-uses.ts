import { listPictureHashes, type PictureUse } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/storage.ts';
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
  const rows = await db
    .selectFrom('experiences')
    .select(['id', 'kind', 'draft', 'version_id', 'next_version_id', 'paused_version_id'])
    .where('account_id', '=', account.id)
    .orderBy('id', 'desc')
    .execute();
  return rows.flatMap(({ id, kind, draft, ...current }) => {
    const own = versions.filter((version) => version.experience_id === id);
    const use = {
      draft: JSON.stringify(draft).includes(part) || translated.has(id),
      published: own.some((version) => Object.values(current).includes(version.id)),
      history: own.length > 0 || captured.has(id),
    };
    return use.draft || use.published || use.history ? [{ id, kind, name: draft.name, ...use }] : [];
  });
}

/** The Experiences whose draft shows a picture now. Call it after the picture was locked: then no other draft can begin to. */
export async function listDraftUses(
  { db, account, dialect }: Context,
  { hash }: PictureRow,
): Promise<{ name: string }[]> {
  const rows = await db
    .selectFrom('experiences')
    .select('draft')
    .where('account_id', '=', account.id)
    .where(dialect.json.contains(places.experiences, `/media/${account.id}/${hash}-`))
    .execute();
  return rows.map(({ draft }) => ({ name: draft.name }));
}

/** The hashes of all pictures that the account refers to anywhere. */
export async function findUsedHashes(db: Db, accountId: string, contains: Context['dialect']['json']['contains']) {
  const used = new Set<string>();
  for (const [table, text] of Object.entries(places)) {
    const rows = await db
      .selectFrom(table as 'captures')
      .select(text.as('text'))
      .where('account_id', '=', accountId)
      .where(contains(text, `/media/${accountId}/`))
      .execute();
    for (const { text } of rows) for (const hash of listPictureHashes(text, accountId)) used.add(hash);
  }
  return used;
}
