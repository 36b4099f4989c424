import { Readable } from 'node:stream';
import { FileResponse } from './file-response.ts';

/** A file that is written while its rows are read, so its length does not matter. */
export function csvResponse(name: string, pages: AsyncIterable<string>): FileResponse {
  return new FileResponse('text/csv; charset=utf-8', Readable.from(pages, { objectMode: false }), { name });
}

/** One line of a CSV file. */
export function toCsvRow(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`;
}

/**
 * Spreadsheets run a cell that begins like a formula, and people choose their names and answers: such a cell gets an
 * apostrophe. Some also begin a cell after a semicolon, a tab or a line break.
 */
function toCell(value: unknown): string {
  // A number is no text that anybody has written, so a negative one stays as it is.
  if (typeof value === 'number') return String(value);
  const text = String(value ?? '').replace(/(^|[;\t\r\n])(?=[=+\-@\t\r\n＝＋－＠])/g, "$1'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
