import { compileReader, Id, OneOf, OutputObject, type ReadResult } from '@usher/domain';
import Type, { type Static, type TSchema } from 'typebox';
import type { Context } from '../context.ts';
import { ApiError, invalid } from '../errors.ts';
import type { BatchItems } from '../http/route.ts';

export const onModelMissing = OneOf(['create', 'ignore'], { default: 'create' });

export const BatchOutput = OutputObject({
  batch: OutputObject({ id: Id }),
  errors: Type.Optional(
    Type.Array(OutputObject({ code: Type.Integer(), index: Type.Integer(), message: Type.String() }), { minItems: 1 }),
  ),
});
type BatchOutput = Static<typeof BatchOutput>;
type BatchError = NonNullable<BatchOutput['errors']>[number];

/** What to do with items whose model does not exist. */
export type OnMissing = 'create' | 'ignore';

/** The outcome of one item: it was stored, ignored, or rejected. */
export type ItemOutcome = { id: string } | undefined | ApiError;

/** While there are other requests, chunks are this many times smaller: a write then waits about half a millisecond. */
const BUSY_DIVISOR = 40;
/** About how many bytes an item takes on the disk, with its indexes. */
const BYTES_PER_ITEM = 2000;
/** More errors would not help, and a batch can have millions of them. */
const MAX_ERRORS = 10_000;

/** The uids of the items that are found by their uid. */
export function uidsOf(items: readonly { id?: string | undefined; uid?: string | undefined }[]): string[] {
  return items.flatMap(({ id, uid }) => (id === undefined && uid !== undefined ? uid : []));
}

/** Reads one item of a batch like the parameters of the endpoint for a single item. */
export function itemReader<Schema extends TSchema, Item>(
  schema: Schema,
  toItem: (params: Static<Schema>, problems: string[], now: number) => Item,
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
 * Stores a batch chunk by chunk, with pauses for other requests: a batch of 16 MB takes seconds, but another request waits
 * for one chunk at most. While there are other requests, the chunks are small.
 */
export async function runBatch<Item>(
  ctx: Context,
  items: BatchItems,
  read: (params: unknown, now: number) => ReadResult<Item>,
  save: (items: Item[]) => Promise<ItemOutcome[]>,
  maxChunk = ctx.dialect.rowsPerWrite,
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
  // Each chunk is parsed while the previous one is being stored. While there are other requests, each chunk is followed by a pause.
  let storing: Promise<void> = Promise.resolve();
  for (let start = 0, end = 0; start < items.count; start = end) {
    const isBusy = items.hasOtherRequests();
    const began = performance.now();
    end = Math.min(start + Math.ceil(maxChunk / (isBusy ? BUSY_DIVISOR : 1)), items.count);
    const readings = items.slice(start, end).map((item) => read(item, ctx.now()));
    await storing;
    // Stored chunks stay stored. The batch can be sent again: items that are stored already do not change.
    ctx.app.disk.requireSpace();
    ctx.app.disk.noteBytes(BYTES_PER_ITEM * readings.length);
    storing = storePart(readings, start);
    // This promise may reject before it is awaited, and an unhandled rejection would be logged as a bug.
    storing.catch(() => {});
    if (isBusy) await storing;
    await items.yieldToRequests(began);
  }
  await storing;
  return { batch: { id: ctx.newId() }, ...(errors.length > 0 && { errors }) };
}

/** Returns the result of a change, or the ApiError that it throws. */
export function attempt<T>(change: () => T): T | ApiError {
  try {
    return change();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
