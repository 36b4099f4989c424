import { compileReader, Id, OneOf, OutputObject, type ReadResult } from '@usher/domain';
import Type, { type Static, type TSchema } from 'typebox';
import type { Context } from '../context.ts';
import { ApiError, invalid } from '../errors.ts';

export const onModelMissing = OneOf(['create', 'ignore'], { default: 'create' });

export const BatchOutput = OutputObject({
  batch: OutputObject({ id: Id }),
  errors: Type.Optional(
    Type.Array(OutputObject({ code: Type.Integer(), index: Type.Integer(), message: Type.String() }), { minItems: 1 }),
  ),
});
type BatchOutput = Static<typeof BatchOutput>;
type BatchError = NonNullable<BatchOutput['errors']>[number];

/** What becomes of items whose model is unknown. */
export type OnMissing = 'create' | 'ignore';

/** What became of one item: it was stored, left alone, or refused. */
export type Outcome = { id: string } | undefined | ApiError;

/** The items of a batch, each read when its turn comes. */
export interface BatchItems {
  count: number;
  slice(start: number, end: number): unknown[];
  /** Whether other requests are about, who would wait for a part of it. */
  othersWait(): boolean;
  /** Lets them have their turn after a part that began then. */
  yieldToRequests(since: number): Promise<void>;
}

/** Small parts take longer in all, but whoever writes waits for one no longer than about half a millisecond. */
const SMALLER_AMONG_OTHERS = 40;
/** More would tell nobody more, and a batch can hold millions of them. */
const MAX_ERRORS = 10_000;

/** Reads one item of a batch as the endpoint for a single one reads its parameters. */
export function itemReader<Schema extends TSchema, Item>(
  schema: Schema,
  toItem: (sent: Static<Schema>, problems: string[], now: number) => Item,
): (params: unknown, now: number) => ReadResult<Item> {
  const read = compileReader<Static<Schema>>(schema);
  return (params, now) => {
    const reading = read(params, now);
    if ('problems' in reading) return reading;
    const problems: string[] = [];
    const value = toItem(reading.value, problems, now);
    return problems.length > 0 ? { problems } : { value };
  };
}

/**
 * Stores a batch some items at a time. In between, everyone else has a turn: a batch of 16 MB takes seconds, but no
 * request waits for more than one part of it, and while there are others the parts are small.
 */
export async function runBatch<Item>(
  ctx: Context,
  items: BatchItems,
  read: (params: unknown, now: number) => ReadResult<Item>,
  save: (items: Item[]) => Promise<Outcome[]>,
): Promise<BatchOutput> {
  const errors: BatchError[] = [];
  const storePart = async (readings: ReadResult<Item>[], start: number) => {
    const good = readings.flatMap((reading) => ('value' in reading ? reading.value : []));
    const outcomes = (good.length > 0 ? await save(good) : []).values();
    for (const [at, reading] of readings.entries()) {
      const outcome = 'value' in reading ? outcomes.next().value : invalid(...reading.problems);
      if (outcome instanceof ApiError && errors.length < MAX_ERRORS)
        errors.push({ code: outcome.code, index: start + at, message: outcome.messages.join('; ') });
    }
  };
  // One part is read while the one before it is being stored. Among others, each has a rest behind it.
  let storing: Promise<void> = Promise.resolve();
  for (let start = 0, end = 0; start < items.count; start = end) {
    const requestActivity = items.othersWait();
    const began = performance.now();
    end = Math.min(
      start + Math.ceil(ctx.dialect.rowsPerWrite / (requestActivity ? SMALLER_AMONG_OTHERS : 1)),
      items.count,
    );
    const readings = items.slice(start, end).map((item) => read(item, ctx.now()));
    await storing;
    storing = storePart(readings, start);
    // It may fail before it is waited for, and a failure that nobody hears ends the process.
    storing.catch(() => {});
    if (requestActivity) await storing;
    await items.yieldToRequests(began);
  }
  await storing;
  return { batch: { id: ctx.newId() }, ...(errors.length > 0 && { errors }) };
}

/** What a change answers, or the refusal it throws. */
export function attempt<T>(change: () => T): T | ApiError {
  try {
    return change();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
