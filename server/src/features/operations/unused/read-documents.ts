import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** A record that may name others, as JSON values with commas between them. */
export interface NamingDocument {
  /** The record itself: that it names itself is no use. */
  owner: string;
  text: string;
}

/** Documents are large, so few are in memory at a time. */
const DOCUMENTS_PER_QUERY = 50;

/** The tables with records that name others, with the column of the record that owns the row, its key, and the JSON in which names are. */
const places = [
  { table: 'experiences', owner: 'id', key: 'id', texts: ['draft'] },
  { table: 'translations', owner: 'experience_id', key: 'experience_id', texts: ['texts'] },
  { table: 'segments', owner: 'id', key: 'id', texts: ['items'] },
  { table: 'themes', owner: 'id', key: 'id', texts: ['draft'] },
  { table: 'goals', owner: 'id', key: 'id', texts: ['definition'] },
  {
    table: 'experiments',
    owner: 'id',
    key: 'id',
    texts: ['variants', 'segment_ids', 'goal_ids', 'guardrail_goal_ids', 'undo'],
  },
  { table: 'limit_groups', owner: 'id', key: 'id', texts: ['experience_ids', 'tag_ids'] },
  { table: 'alert_groups', owner: 'id', key: 'id', texts: ['experience_ids', 'tag_ids'] },
  { table: 'webhooks', owner: 'id', key: 'id', texts: ['experience_ids'] },
  { table: 'reports', owner: 'id', key: 'id', texts: ['params'] },
  {
    table: 'imports',
    owner: 'id',
    key: 'id',
    texts: ['properties', 'filters', 'segment_ids', 'excluded_segment_ids'],
  },
] as const;

/** Reads everything of the account that can name a record, some documents at a time. Other requests run in between. */
export async function* readDocuments(ctx: Context): AsyncGenerator<readonly NamingDocument[]> {
  for (const { table, owner, key, texts } of places) {
    for (let after = ''; ; ) {
      // The type of one table stands for all: each has an account and a key.
      const rows = await ctx.heavyDb
        .selectFrom(table as 'segments')
        .select([sql.ref<string>(key).as('key'), sql.ref<string>(owner).as('owner'), joined(texts).as('text')])
        .where('account_id', '=', ctx.account.id)
        .where(sql.ref<string>(key), '>', after)
        .orderBy(sql.ref(key))
        .limit(DOCUMENTS_PER_QUERY)
        .execute();
      yield rows;
      await nextTurn();
      const last = rows.at(-1)?.key;
      if (last === undefined) break;
      if (table === 'translations') yield await readTranslations(ctx, last);
      if (rows.length < DOCUMENTS_PER_QUERY) break;
      after = last;
    }
  }
  yield* readVersions(ctx);
  yield await readProposals(ctx);
  yield await readPreferences(ctx);
}

function joined(columns: readonly string[]): RawBuilder<string> {
  return sql`${sql.join(
    columns.map((column) => sql`coalesce(cast(${sql.ref(column)} as text), 'null')`),
    sql` || ', ' || `,
  )}`;
}

/** A page of translations may end between two languages of an Experience. */
function readTranslations(ctx: Context, id: string): Promise<NamingDocument[]> {
  return ctx.heavyDb
    .selectFrom('translations')
    .select(['experience_id as owner', joined(['texts']).as('text')])
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .execute();
}

/** The versions that users see, will see, or saw before a pause; of Experiences and themes. */
async function* readVersions(ctx: Context): AsyncGenerator<readonly NamingDocument[]> {
  const experiences = await ctx.heavyDb
    .selectFrom('experiences')
    .select(['version_id', 'next_version_id', 'paused_version_id'])
    .where('account_id', '=', ctx.account.id)
    .execute();
  const themes = await ctx.heavyDb
    .selectFrom('themes')
    .select('version_id')
    .where('account_id', '=', ctx.account.id)
    .execute();
  const ids = [...experiences, ...themes].flatMap((row) => Object.values(row).filter((id) => id !== null));
  for (let at = 0; at < ids.length; at += DOCUMENTS_PER_QUERY) {
    yield await ctx.heavyDb
      .selectFrom('versions')
      .select(['experience_id as owner', joined(['content']).as('text')])
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', ids.slice(at, at + DOCUMENTS_PER_QUERY))
      .execute();
    await nextTurn();
  }
}

/** An open proposal also needs the Experience that it changes. */
async function readProposals(ctx: Context): Promise<NamingDocument[]> {
  const rows = await ctx.heavyDb
    .selectFrom('proposals')
    .select(['id as owner', 'experience_id', joined(['document']).as('text')])
    .where('account_id', '=', ctx.account.id)
    .where('state', '=', 'open')
    .execute();
  return rows.map(({ owner, experience_id, text }) => ({ owner, text: `${text}, "${experience_id ?? ''}"` }));
}

/** The saved views of administrators are addresses with IDs. */
async function readPreferences(ctx: Context): Promise<NamingDocument[]> {
  const rows = await ctx.heavyDb
    .selectFrom('admins')
    .select(['id as owner', joined(['preferences']).as('text')])
    .where('account_id', '=', ctx.account.id)
    .where('removed_at', 'is', null)
    .where('preferences', 'is not', null)
    .execute();
  return rows;
}
