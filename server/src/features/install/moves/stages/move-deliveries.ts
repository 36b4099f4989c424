import { isRecord } from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../../context.ts';
import type { Upsert } from '../../../../db/bulk-rows.ts';
import { writeInChunks } from '../../../experiences/changes/record-changes.ts';
import { storedCreatedAt, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readText, readTime } from '../read-record.ts';
import { type SourceRecord, SourceRejection } from '../source.ts';
import { keepProfiles, profileIdOf } from './move-use.ts';
import { knownExperiences } from './read-document.ts';

/** Pending Deliveries, and triggered ones: their idempotency keys stay used. */
export async function moveDeliveries(run: MoveRun): Promise<void> {
  const progress = run.begin('deliveries');
  if (run.isDry) return;
  for (let before = progress.cursor; ; ) {
    const page = await readPage(run, before);
    await run.store(async (ctx) => {
      const problems: string[] = [];
      const stored = await storeDeliveries(ctx, page.records, problems);
      for (const text of new Set(problems)) await run.addProblems(ctx, 'deliveries', '', [text]);
      const known = run.progress.stages.deliveries;
      return {
        cursor: page.next,
        done: (known?.done ?? 0) + stored,
        problems: (known?.problems ?? 0) + problems.length,
      };
    });
    if (page.next === null) break;
    before = page.next;
  }
  await run.store(async (ctx) => {
    await dropUnknownIds(ctx);
    return {};
  });
  await run.finish();
}

async function readPage(run: MoveRun, before: string | null) {
  try {
    return await run.source.page('/v3/edit/deliveries', 'deliveries', before === null ? {} : { before });
  } catch (error) {
    if (error instanceof SourceRejection) return { records: [], next: null };
    throw error;
  }
}

async function storeDeliveries(ctx: Context, records: readonly SourceRecord[], problems: string[]): Promise<number> {
  const profiles = await keepProfiles(
    ctx,
    records.flatMap((record) => profileIdOf(record) ?? []),
  );
  const models = await knownExperiences(ctx, [...new Set(records.flatMap(({ model_id }) => readText(model_id) ?? []))]);
  const ids = records.map(({ id }) => id);
  const known = await knownDeliveries(ctx, ids);
  await ctx.clock();
  const rows = records.flatMap((record) => {
    const profile_id = profileIdOf(record);
    const model_id = readText(record.model_id);
    if (profile_id === null || !profiles.has(profile_id) || model_id === null || !models.has(model_id)) {
      problems.push('Deliveries to users or of Experiences that are not here are left out');
      return [];
    }
    if ((known.get(record.id) ?? -1) >= timesOf(record).updatedAt) return [];
    return [
      {
        ...{ id: record.id, created_at: storedCreatedAt(record), updated_at: timesOf(record).updatedAt },
        ...{ model_id, model_kind: readText(record.model_kind) ?? 'tour', profile_id },
        idempotency_key: readText(record.idempotency_key),
        options: isRecord(record.options) ? JSON.stringify(record.options) : null,
        from_at: readTime(record.from),
        until_at: readTime(record.until),
        use_segmentation: record.use_segmentation === true,
        once: record.once === true,
        skip_triggers: record.skip_triggers !== false,
        skip_url_match: record.skip_url_match !== false,
        at: readTime(record.at),
        at_href: readText(record.at_href),
        interaction_id: readText(record.interaction_id),
        group_kind: readText(record.group_kind) ?? 'delivery',
      },
    ];
  });
  if (rows.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, deliveriesTable, rows);
  return rows.length;
}

async function knownDeliveries(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('deliveries')
    .select(['id', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
}

const changing: Upsert['columns'] = {
  updated_at: 'bigint',
  options: 'jsonb',
  from_at: 'bigint',
  until_at: 'bigint',
  use_segmentation: 'boolean',
  once: 'boolean',
  skip_triggers: 'boolean',
  skip_url_match: 'boolean',
  at: 'bigint',
  at_href: 'text',
  interaction_id: 'text',
  group_kind: 'text',
};
const deliveriesTable: Upsert = {
  table: 'deliveries',
  columns: {
    ...{ id: 'text', created_at: 'bigint', model_id: 'text', model_kind: 'text', profile_id: 'text' },
    idempotency_key: 'text',
    ...changing,
  },
  changes: Object.keys(changing),
};

/** The lists of users came with their profiles. They name only Deliveries that are pending here. */
async function dropUnknownIds(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .selectFrom('profiles')
    .select(['id', 'delivery_ids'])
    .where('account_id', '=', ctx.account.id)
    .where(sql<boolean>`delivery_ids <> '[]'`)
    .execute();
  await writeInChunks(rows, async (chunk) => {
    const listed = chunk.flatMap(({ delivery_ids }) => delivery_ids);
    const pending = await ctx.db
      .selectFrom('deliveries')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('id', 'in', listed)
      .where('at', 'is', null)
      .where('removed_at', 'is', null)
      .execute();
    const known = new Set(pending.map(({ id }) => id));
    for (const { id, delivery_ids } of chunk) {
      const kept = delivery_ids.filter((one) => known.has(one));
      if (kept.length === delivery_ids.length) continue;
      await ctx.db
        .updateTable('profiles')
        .set({ delivery_ids: JSON.stringify(kept) })
        .where('account_id', '=', ctx.account.id)
        .where('id', '=', id)
        .execute();
    }
  });
}
