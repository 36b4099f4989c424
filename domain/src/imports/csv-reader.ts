/** One record of a CSV file. */
export interface CsvRecord {
  cells: string[];
  /** The record as it is in the file, with the line break at its end. */
  text: string;
}

/** A record that is longer has almost certainly a quote that is not closed. */
const MAX_RECORD = 256 * 1024;
const MAX_CELLS = 1000;
const delimiters = [',', ';', '\t'] as const;
export type CsvDelimiter = (typeof delimiters)[number];

/** What makes a file unreadable from this record on. Records count from 1, with the head. */
export interface CsvProblem {
  record: number;
  problem: string;
}

/** The delimiter that the first line has most often outside of quotes. */
export function findDelimiter(firstLine: string): CsvDelimiter {
  const plain = firstLine.replace(/"(?:[^"]|"")*"/g, '');
  const count = (delimiter: string) => plain.split(delimiter).length;
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/**
 * Reads the records of a CSV file as its text arrives, in parts of any size. A quote in the middle of a cell is a
 * character like others, as spreadsheets read it, and a line may end in any way.
 */
export class CsvReader {
  readonly #delimiter: CsvDelimiter;
  #rest = '';
  #records = 0;

  constructor(delimiter: CsvDelimiter) {
    this.#delimiter = delimiter;
  }

  /** Returns the records that are complete, or what is wrong with the next one. */
  push(text: string, isEnd = false): { records: CsvRecord[]; problem?: CsvProblem } {
    const records: CsvRecord[] = [];
    const input = this.#rest + text;
    let start = 0;
    for (;;) {
      const record = readRecord(input, start, this.#delimiter, isEnd);
      if (record === 'open quote') return { records, problem: this.#problem('has a quote that is not closed') };
      if (!record) break;
      start += record.text.length;
      this.#records += 1;
      records.push(record);
      if (record.cells.length > MAX_CELLS)
        return { records, problem: { record: this.#records, problem: `has more than ${MAX_CELLS} columns` } };
    }
    this.#rest = input.slice(start);
    if (this.#rest.length > MAX_RECORD)
      return { records, problem: this.#problem(`is longer than ${MAX_RECORD / 1024} KB: is a quote not closed?`) };
    return { records };
  }

  #problem(problem: string): CsvProblem {
    return { record: this.#records + 1, problem };
  }
}

/** Reads a text that has only complete records. */
export function readRecords(text: string, delimiter: CsvDelimiter): CsvRecord[] {
  return new CsvReader(delimiter).push(text, true).records;
}

/** Whether a record is an empty line. */
export function isBlank({ cells }: CsvRecord): boolean {
  return cells.every((cell) => cell.trim() === '');
}

/** Reads one record. Undefined if it is not complete yet, or if there is none. */
function readRecord(
  input: string,
  start: number,
  delimiter: CsvDelimiter,
  isEnd: boolean,
): CsvRecord | 'open quote' | undefined {
  if (start === input.length) return undefined;
  const cells: string[] = [];
  for (let at = start; ; ) {
    const quoted = input[at] === '"' ? readQuoted(input, at + 1) : undefined;
    if (quoted === null) return isEnd ? 'open quote' : undefined;
    const from = quoted?.end ?? at;
    const end = endOfCell(input, from, delimiter);
    // What follows the closing quote belongs to the cell.
    cells.push((quoted?.cell ?? '') + input.slice(from, end));
    if (end === input.length) return isEnd ? { cells, text: input.slice(start) } : undefined;
    at = end + 1;
    if (input[end] === delimiter) continue;
    // The second half of a line break may not have arrived yet.
    if (input[end] === '\r' && at === input.length && !isEnd) return undefined;
    if (input[end] === '\r' && input[at] === '\n') at += 1;
    return { cells, text: input.slice(start, at) };
  }
}

/** Reads a cell up to its closing quote. Null if there is none. */
function readQuoted(input: string, start: number): { cell: string; end: number } | null {
  let cell = '';
  for (let from = start; ; ) {
    const quote = input.indexOf('"', from);
    // A quote at the end may be the first half of an escaped one. Then the record is not complete either.
    if (quote === -1) return null;
    cell += input.slice(from, quote);
    if (input[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    from = quote + 2;
  }
}

function endOfCell(input: string, start: number, delimiter: CsvDelimiter): number {
  for (let at = start; at < input.length; at++) {
    const character = input[at];
    if (character === delimiter || character === '\n' || character === '\r') return at;
  }
  return input.length;
}
