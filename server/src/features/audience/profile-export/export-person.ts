import { reachScopes, toTimestamp } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK, streamFile } from '../../../http/stream-file.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { presentCompany } from '../companies/present-company.ts';
import { getCompany } from '../companies/queries.ts';
import { presentDetails } from '../profile-details/show-person.ts';
import { getProfile, type ProfileRow } from '../profiles/queries.ts';
import { exportedTables, presentRow } from './exported-tables.ts';

/** Downloads everything about a person as one JSON file. */
export async function exportPerson(ctx: Context, id: string): Promise<FileResponse> {
  const row = await getProfile(ctx, { id });
  const pieces = await writePerson(ctx, row);
  const file = { mediaType: 'application/json; charset=utf-8', name: `person-${row.id}.json` };
  return streamFile(ctx, file, () => pieces);
}

/**
 * Writes the document piece by piece, so that its size does not matter. It is read in chunks, not at one moment: what the
 * person does meanwhile may be in it or not.
 */
export async function writePerson(ctx: Context, row: ProfileRow): Promise<AsyncGenerator<string>> {
  const exported_at = toTimestamp(ctx.now());
  const { properties, ...profile } = await presentDetails(ctx, row);
  const company = row.company_id === null ? null : presentCompany(await getCompany(ctx, { id: row.company_id }));
  return write(ctx, row, { exported_at, account_id: ctx.account.id, profile, company, properties });
}

async function* write(ctx: Context, row: ProfileRow, about: object): AsyncGenerator<string> {
  // Recorded here, because the export begins when there is a place for it. The audit log does not name users, because it stays when a
  // user is forgotten.
  await ctx.transaction((ctx) => recordAudit(ctx, 'profile.export'));
  yield JSON.stringify(about, null, 1).slice(0, -2);
  for (const [table, exported] of Object.entries(exportedTables)) {
    yield `,\n "${exported.as}": [`;
    let separator = '\n  ';
    for await (const rows of readRows(ctx, table, exported.key, row)) {
      yield rows
        .map((one) => {
          const text = separator + JSON.stringify(presentRow(one, exported));
          separator = ',\n  ';
          return text;
        })
        .join('');
    }
    yield ']';
  }
  yield '\n}\n';
}

type Row = Readonly<Record<string, unknown>>;

async function* readRows(
  ctx: Context,
  table: string,
  key: readonly string[],
  { id, uid }: ProfileRow,
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let query = ctx.heavyDb
    .selectFrom(table as 'installation_entries')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .limit(ROWS_PER_CHUNK);
  // Page loads that were rejected name the user by the uid that the page sent.
  query =
    table === 'installation_entries'
      ? query.where((eb) => eb.or([eb('profile_id', '=', id), eb('uid', '=', uid)]))
      : query.where('profile_id', '=', id);
  // These rows repeat what others say: `displayed` and `started`, and the rows of each Experience.
  if (table === 'activities')
    query = query.where(sql.ref('what'), '<>', 'shown').where(sql.ref('experience_id'), 'not in', reachScopes);
  for (const name of key) query = query.orderBy(sql.ref(name));
  for (let last: Row | undefined; ; ) {
    const after = last && sql.join(key.map((name) => last?.[name]));
    const rows: Row[] = await (after ? query.where(sql<boolean>`(${columns}) > (${after})`) : query).execute();
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (!last || rows.length < ROWS_PER_CHUNK) return;
  }
}
