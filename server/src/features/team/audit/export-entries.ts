import type { AuditEntry } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK, streamFile } from '../../../http/stream-file.ts';
import { presentEntries } from './present-entries.ts';
import { type AuditFilter, entriesOf } from './queries.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const exportFormats = ['csv', 'json'] as const;
type ExportFormat = (typeof exportFormats)[number];

/** Downloads the whole audit log, newest first. It is read page by page, so its length does not matter. */
export async function exportEntries(
  ctx: Context,
  { format, ...filter }: AuditFilter & { format: ExportFormat },
): Promise<FileResponse> {
  // An unknown administrator is rejected with 404, which is possible only before the download starts.
  await entriesOf(ctx, filter);
  async function* readPages(ctx: Context): AsyncGenerator<AuditEntry[]> {
    const { query } = await entriesOf(ctx, filter);
    for (let before: string | null | undefined; before !== null; ) {
      const params = { limit: ROWS_PER_CHUNK, ...(before !== undefined && { before }) };
      const { rows, cursor } = await listPage(query, params);
      yield presentEntries(ctx, rows);
      before = cursor.before;
    }
  }
  if (format === 'csv') return streamCsv(ctx, 'audit.csv', (ctx) => writeCsv(readPages(ctx)));
  return streamFile(ctx, { mediaType: JSON_TYPE, name: 'audit.json' }, (ctx) => writeJson(readPages(ctx)));
}

const columns = [
  'created_at',
  'user',
  'email',
  'action',
  'target_type',
  'target_id',
  'details',
  'network',
  'secret_id',
  'id',
];

async function* writeCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield toCsvRow(columns);
  for await (const entries of pages)
    yield entries
      .map(({ user, details, ...entry }) => {
        const row: Record<string, unknown> = { ...entry, user: user?.name, email: user?.email };
        row.details = JSON.stringify(details);
        return toCsvRow(columns.map((column) => row[column]));
      })
      .join('');
}

async function* writeJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield '{"audit_entries":[';
  let separator = '\n';
  for await (const entries of pages)
    for (const entry of entries) {
      yield `${separator}${JSON.stringify(entry)}`;
      separator = ',\n';
    }
  yield '\n]}\n';
}
