import type { Context } from '../context.ts';
import type { FileResponse } from './file-response.ts';
import { streamFile } from './stream-file.ts';

/** Downloads a CSV file that is written while its rows are read. */
export function streamCsv(ctx: Context, name: string, write: (ctx: Context) => AsyncIterable<string>): FileResponse {
  return streamFile(ctx, { mediaType: 'text/csv; charset=utf-8', name }, write);
}

/** One line of a CSV file. */
export function toCsvRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

/**
 * Spreadsheets run a cell that begins like a formula, and users choose their names and answers, so such a cell gets an
 * apostrophe. Some spreadsheets also begin a cell after a semicolon, a tab or a line break.
 */
function toCell(value: unknown): string {
  // Numbers are not typed as formulas, so a negative number stays as it is.
  if (typeof value === 'number') return String(value);
  const text = String(value ?? '').replace(/(^|[;\t\r\n])(?=[=+\-@\t\r\n＝＋－＠])/g, "$1'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
