import { type compileReader, isRecord, type Millis } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';

export function readTime(value: unknown): Millis | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

export function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function readRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Reads the params of a verb from a record. Fields that are null are read as if they were missing, if that is the problem. */
export function readParams<T>(reader: ReturnType<typeof compileReader<T>>, record: object, ctx: Context): T {
  const reading = reader(record, ctx.now());
  if ('value' in reading) return reading.value;
  const again = reader(withoutNulls(record), ctx.now());
  if ('value' in again) return again.value;
  throw invalid(...again.problems);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (item === null ? [] : [[name, withoutNulls(item)]])),
  );
}
