import { hasUnpublishedChanges, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { loadVersionsInUse } from '../replace-version.ts';
import { storeDrafts } from '../store-drafts.ts';
import type { Failures } from './failures.ts';
import type { StoredRecord } from './load-records.ts';

/** Publishes what users do not have yet, themes first. Returns the IDs of what was published. */
export async function publishRecords(
  ctx: Context,
  records: readonly { file: string; record: StoredRecord }[],
  failures: Failures,
): Promise<Set<string>> {
  const published = new Set<string>();
  for (const { file, record } of records) {
    const { change } = record.type;
    if (record.experience || !record.isUnpublished || !hasState(record)) continue;
    published.add(record.id);
    await failures.collect(file, async () => {
      await change.run(ctx, { id: record.id, published_at: ctx.now() });
    });
  }
  const experiences = records.filter(({ record }) => record.experience);
  const versions = await loadVersionsInUse(
    ctx,
    experiences.flatMap(({ record }) => record.experience?.row ?? []),
    ['version_id', 'next_version_id'],
  );
  const changed = experiences.filter(({ record: { id, isUnpublished, experience } }) => {
    const latest = versions.get(id)?.at(-1);
    return experience && (isUnpublished || !latest || hasUnpublishedChanges(id, latest.content, experience.content));
  });
  for (const { record } of changed) published.add(record.id);
  const now = toTimestamp(ctx.now());
  for (const { file, record } of changed)
    await failures.collect(file, async () => {
      const row = record.experience?.row;
      if (!row) return;
      const draft = { ...row.draft, published_at: now };
      await storeDrafts(ctx, [{ row, draft, publishedTogether: published }]);
    });
  return published;
}

/** Whether records of this type are published at all. */
function hasState({ type }: StoredRecord): boolean {
  return Object.hasOwn(type.change.parameters.properties ?? {}, 'published_at');
}
