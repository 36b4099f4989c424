import { CreateSegment, compileReader, withItemIds } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { bumpPublishedVersion } from '../../../../published/bump-published-version.ts';
import { lockSegments } from '../../../audience/filters/segments.ts';
import { checkItems } from '../../../audience/segments/check-items.ts';
import { updateSegment } from '../../../audience/segments/update-segment.ts';
import { contextFor, stamp } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readParams } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { moveList } from './move-settings.ts';

const readSegment = compileReader<CreateSegment>(CreateSegment);

export async function moveSegments(run: MoveRun): Promise<void> {
  const records = sortByUse(await run.source.listIfKnown('/v3/edit/segments', 'segments'));
  await moveList(run, 'segments', 'segments', records, storeSegment, {
    update: changeSegment,
    pathOf: (id) => `segments/${id}`,
  });
}

/** A Segment comes after the Segments in its filters. */
function sortByUse(records: readonly SourceRecord[]): SourceRecord[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const sorted = new Set<SourceRecord>();
  const add = (record: SourceRecord, path: readonly string[]) => {
    const text = JSON.stringify(record.items ?? []);
    for (const other of byId.values())
      if (!sorted.has(other) && !path.includes(other.id) && text.includes(`"${other.id}"`))
        add(other, [...path, other.id]);
    sorted.add(record);
  };
  for (const record of records) if (!sorted.has(record)) add(record, [record.id]);
  return [...sorted];
}

/** Items keep their IDs. A filter may name a tour that is not here yet. */
async function storeSegment(ctx: Context, record: SourceRecord): Promise<void> {
  const { name, items, items_op } = readParams(readSegment, record, ctx);
  checkItems(items, await lockSegments(ctx));
  const then = contextFor(ctx, record);
  const stored = withItemIds(items, items, ctx.newId);
  await ctx.db
    .insertInto('segments')
    .values({ ...(await then.clock()).newRow(), name, items: JSON.stringify(stored), items_op })
    .execute();
  await stamp(ctx, 'segments', record);
  await bumpPublishedVersion(ctx);
}

async function changeSegment(ctx: Context, record: SourceRecord): Promise<void> {
  const { name, items, items_op } = readParams(readSegment, record, ctx);
  await updateSegment(ctx, record.id, { name, items, items_op }, { isImport: true });
  // New items have their own IDs too.
  await stamp(ctx, 'segments', record, { items: JSON.stringify(withItemIds(items, items, ctx.newId)) });
}
