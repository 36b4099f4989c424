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
/** The first request after a pause waits for a whole chunk: where items take long, as on a slow disk, it has fewer. */
const MAX_CHUNK_MS = 50;
/** About how many bytes an item takes on the disk, with its indexes. */
const BYTES_PER_ITEM = 2000;
/** More errors would not help, and a batch can have millions of them. */
const MAX_ERRORS = 10_000;
/** The places of so many chunks are found together: that only reads, and takes less time for more items. */
const PLACES_FACTOR = 10;
/** A batch of 16 MB has about so many events. More are sorted in several parts, which bounds the memory. */
const MAX_SORTED = 150_000;

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

interface BatchOptions {
  /** How many items are stored in one transaction. */
  maxChunk?: number;
  /**
   * Returns a number for each item. Items with close numbers are stored together, because the database then changes fewer
   * pages. Items with the same number keep their order.
   */
  findPlaces?: (params: unknown[]) => Promise<number[]>;
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
  { maxChunk = ctx.dialect.rowsPerWrite, findPlaces }: BatchOptions = {},
): Promise<BatchOutput> {
  const errors: BatchError[] = [];
  for (let start = 0; start < items.count; start += MAX_SORTED) {
    const end = Math.min(start + MAX_SORTED, items.count);
    const order =
      findPlaces && end - start > maxChunk ? await sortItems(items, start, end, maxChunk, findPlaces) : undefined;
    const found = await storeItems({ ctx, items, read, save, maxChunk, start, end, order });
    if (order) found.sort((one, other) => one.index - other.index);
    errors.push(...found.slice(0, MAX_ERRORS - errors.length));
  }
  return { batch: { id: ctx.newId() }, ...(errors.length > 0 && { errors }) };
}

/** Calls `work` for one chunk after the other. After each chunk, other requests may run. */
async function inChunks(
  items: BatchItems,
  { start, end, maxChunk }: { start: number; end: number; maxChunk: number },
  work: (from: number, to: number, isBusy: boolean) => Promise<void>,
): Promise<void> {
  let msPerItem = 0;
  for (let from = start, to = start; from < end; from = to) {
    const isBusy = items.hasOtherRequests();
    const began = performance.now();
    const size = isBusy ? maxChunk / BUSY_DIVISOR : Math.min(maxChunk, MAX_CHUNK_MS / msPerItem);
    to = Math.min(from + Math.ceil(size), end);
    await work(from, to, isBusy);
    msPerItem = (performance.now() - began) / (to - from);
    await items.yieldToRequests(began);
  }
}

/** Returns the positions of the items from `start` to `end` in the order in which they are stored. */
async function sortItems(
  items: BatchItems,
  start: number,
  end: number,
  maxChunk: number,
  findPlaces: NonNullable<BatchOptions['findPlaces']>,
): Promise<Uint32Array> {
  const places = new Float64Array(end - start);
  await inChunks(items, { start, end, maxChunk: PLACES_FACTOR * maxChunk }, async (from, to) =>
    places.set(await findPlaces(items.slice(from, to)), from - start),
  );
  const placeOf = (position: number) => places[position - start] as number;
  const positions = Uint32Array.from(places, (_, at) => start + at);
  return positions.sort((one, other) => placeOf(one) - placeOf(other) || one - other);
}

interface StoredItems<Item> {
  ctx: Context;
  items: BatchItems;
  read: (params: unknown, now: number) => ReadResult<Item>;
  save: (items: Item[]) => Promise<ItemOutcome[]>;
  maxChunk: number;
  start: number;
  end: number;
  /** The positions of the items in the order in which they are stored; undefined if they are stored as they come. */
  order: Uint32Array | undefined;
}

/** Stores the items from `start` to `end`, and returns the errors of the rejected ones. */
async function storeItems<Item>({ ctx, items, read, save, order, ...range }: StoredItems<Item>): Promise<BatchError[]> {
  const errors: BatchError[] = [];
  const storePart = async (readings: ReadResult<Item>[], positionOf: (at: number) => number) => {
    const good = readings.flatMap((reading) => ('value' in reading ? reading.value : []));
    const outcomes = (good.length > 0 ? await save(good) : []).values();
    for (const [at, reading] of readings.entries()) {
      const outcome = 'value' in reading ? outcomes.next().value : undefined;
      if (order || errors.length < MAX_ERRORS) addError(errors, positionOf(at), reading, outcome);
    }
  };
  // Each chunk is parsed while the previous one is being stored. While there are other requests, each chunk is followed by a pause.
  let storing: Promise<void> = Promise.resolve();
  await inChunks(items, range, async (from, to, isBusy) => {
    const positions = order?.subarray(from - range.start, to - range.start);
    const params = positions ? items.pick(positions) : items.slice(from, to);
    const readings = params.map((item) => read(item, ctx.now()));
    await storing;
    // Stored chunks stay stored. The batch can be sent again: items that are stored already do not change.
    ctx.app.disk.requireSpace();
    ctx.app.disk.noteBytes(BYTES_PER_ITEM * readings.length);
    storing = storePart(readings, (at) => positions?.[at] ?? from + at);
    // This promise may reject before it is awaited, and an unhandled rejection would be logged as a bug.
    storing.catch(() => {});
    if (isBusy) await storing;
  });
  await storing;
  return errors;
}

function addError(errors: BatchError[], index: number, reading: ReadResult<unknown>, outcome: ItemOutcome): void {
  const error = 'problems' in reading ? invalid(...reading.problems) : outcome;
  if (error instanceof ApiError) errors.push({ code: error.code, index, message: error.messages.join('; ') });
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
