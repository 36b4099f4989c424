import { writeSync } from 'node:fs';
import type { ByteWriter } from 'hyparquet-writer';
import type { ExportFormat } from '../settings/read-export-settings.ts';
import type { ExportColumn, Row, Value } from './export-tables.ts';

/** Writes rows into a file that is open. */
export interface RowWriter {
  append(rows: readonly Row[]): void;
  /** Writes what is left, and returns the size of the file. */
  finish(): number;
}

export async function createRowWriter(
  format: ExportFormat,
  file: number,
  columns: readonly ExportColumn[],
): Promise<RowWriter> {
  return format === 'csv' ? new CsvWriter(file, columns) : ParquetRowWriter.create(file, columns);
}

/** Writes CSV for programs: a null is nothing, an empty text is `""`, and no value is changed. */
class CsvWriter implements RowWriter {
  #bytes = 0;
  readonly #file: number;
  readonly #columns: readonly ExportColumn[];

  constructor(file: number, columns: readonly ExportColumn[]) {
    this.#file = file;
    this.#columns = columns;
    this.#write(`${columns.map(({ name }) => name).join(',')}\n`);
  }

  append(rows: readonly Row[]): void {
    this.#write(
      rows.map((row) => `${this.#columns.map((column) => toCell(column, column.value(row))).join(',')}\n`).join(''),
    );
  }

  finish(): number {
    return this.#bytes;
  }

  #write(text: string): void {
    const bytes = Buffer.from(text);
    writeAll(this.#file, bytes);
    this.#bytes += bytes.length;
  }
}

function toCell({ type }: ExportColumn, value: Value): string {
  if (value === null) return '';
  if (type === 'timestamp') return new Date(value as number).toISOString();
  if (type === 'date') return new Date(value as number).toISOString().slice(0, 10);
  const text = type === 'json' ? JSON.stringify(value) : String(value);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A row group is written when it has so many rows, or about so many bytes of JSON: it is in memory as a whole. */
const GROUP_ROWS = 10_000;
const GROUP_BYTES = 4_000_000;

const parquetTypes = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'JSON' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  date: { type: 'INT32', converted_type: 'DATE' },
} as const;

/** What is used of the library. */
interface ParquetFile {
  write(options: { columnData: { name: string; data: unknown[] }[]; rowGroupSize: number }): unknown;
  finish(): unknown;
}

class ParquetRowWriter implements RowWriter {
  readonly #columns: readonly ExportColumn[];
  readonly #parquet: ParquetFile;
  readonly #flush: () => number;
  #data: unknown[][];
  #bytes = 0;

  /** The library is loaded only where Parquet is written. */
  static async create(file: number, columns: readonly ExportColumn[]): Promise<ParquetRowWriter> {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const bytes = new ByteWriter();
    const schema = [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...parquetTypes[type] })),
    ];
    const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: 'usher' });
    return new ParquetRowWriter(columns, parquet, () => writeOut(bytes, file));
  }

  private constructor(columns: readonly ExportColumn[], parquet: ParquetFile, flush: () => number) {
    this.#columns = columns;
    this.#parquet = parquet;
    this.#flush = flush;
    this.#data = columns.map(() => []);
  }

  append(rows: readonly Row[]): void {
    for (const row of rows) {
      for (const [at, column] of this.#columns.entries()) {
        const value = toParquet(column, column.value(row));
        if (column.type === 'json' && value !== undefined) this.#bytes += JSON.stringify(value).length;
        this.#data[at]?.push(value);
      }
      if ((this.#data[0]?.length ?? 0) >= GROUP_ROWS || this.#bytes >= GROUP_BYTES) this.#writeGroup();
    }
  }

  finish(): number {
    if ((this.#data[0]?.length ?? 0) > 0) this.#writeGroup();
    this.#parquet.finish();
    return this.#flush();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name }, at) => ({ name, data: this.#data[at] ?? [] }));
    this.#parquet.write({ columnData, rowGroupSize: GROUP_ROWS });
    this.#flush();
    this.#data = this.#columns.map(() => []);
    this.#bytes = 0;
  }
}

/** The library takes `undefined` for null, dates as objects, and whole numbers of 64 bits as BigInt. */
function toParquet({ type }: ExportColumn, value: Value): unknown {
  if (value === null) return undefined;
  if (type === 'timestamp' || type === 'date') return new Date(value as number);
  return type === 'integer' ? BigInt(value as number) : value;
}

/** Returns how many bytes were written in total. */
function writeOut(writer: ByteWriter, file: number): number {
  writeAll(file, writer.getBytes());
  writer.index = 0;
  return writer.offset;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
