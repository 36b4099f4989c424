import {
  createdAtOf,
  isNewRecord,
  type ListUnused,
  type Millis,
  toTimestamp,
  toTimestampOrNull,
  UNUSED_DAYS,
  type Unused,
  type UnusedEntry,
  type UnusedKind,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listPage, MAX_PAGE_SIZE } from '../../../db/pagination/list-page.ts';
import { segmentsOf } from '../../audience/filters/segments.ts';
import { propertiesOf } from '../../audience/properties/queries.ts';
import { picturesOf } from '../../experiences/picture-files/store-picture.ts';
import { goalsOf } from '../../experiences/shared-goals.ts';
import { tagsOf } from '../../experiences/tag-records/queries.ts';
import { themesOf } from '../../experiences/themes/queries.ts';
import { findNamedIds, findNamedProperties } from './find-named.ts';
import { readUnseen } from './read-unseen.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A row that may be listed, with what others would name it by. */
interface Candidate {
  name: string;
  createdAt: Millis;
  entry: UnusedEntry;
}
/** Reads the candidates before an ID, newest first. */
type ReadCandidates = (
  before: string | number | undefined,
) => Promise<{ candidates: Candidate[]; before: string | null }>;

/** Lists records of one kind that nothing names, newest first. It reads every document of the account, so it uses `heavyDb`. */
export async function listUnused(caller: Context, { kind, limit: requested, before }: ListUnused): Promise<Unused> {
  const ctx = { ...caller, db: caller.heavyDb };
  const limit = Math.min(requested, MAX_PAGE_SIZE);
  const read = readers[kind](ctx);
  const named = kind === 'properties' ? await findNamedProperties(ctx) : await findNamedIds(ctx);
  const unused: UnusedEntry[] = [];
  for (let next: string | number | null | undefined = before; next !== null; ) {
    const page: Awaited<ReturnType<ReadCandidates>> = await read(next);
    for (const { name, createdAt, entry } of page.candidates)
      if (!named.has(name) && !isNewRecord(createdAt, ctx.now())) unused.push(entry);
    next = unused.length > limit ? null : page.before;
  }
  const shown = unused.slice(0, limit);
  return { unused: shown, cursor: { limit, before: unused.length > limit ? (shown.at(-1)?.id ?? null) : null } };
}

const nothing = { reason: 'not_used', kind: null, last_used_at: null, size: null } as const;
const page = (before: string | number | undefined) => ({ limit: MAX_PAGE_SIZE, before });

const readers: Record<UnusedKind, (ctx: Context) => ReadCandidates> = {
  experiences: (ctx) => async (before) => {
    const { rows, cursor } = await readUnseen(ctx, page(before));
    return { candidates: rows.map((row) => ({ name: row.entry.id, ...row })), before: cursor.before };
  },
  segments: (ctx) => async (before) => present(await listPage(segmentsOf(ctx), page(before))),
  goals: (ctx) => async (before) => present(await listPage(goalsOf(ctx), page(before))),
  themes: (ctx) => async (before) =>
    present(await listPage(themesOf(ctx).where('is_default', '=', false), page(before))),
  tags: (ctx) => async (before) =>
    present(await listPage(tagsOf(ctx), page(before)), ({ last_seen_at }) => ({
      last_used_at: toTimestampOrNull(last_seen_at),
    })),
  pictures: (ctx) => async (before) => {
    const { rows, cursor } = await listPage(picturesOf(ctx).where('unused_at', 'is not', null), page(before));
    const { candidates } = present({ rows, cursor }, ({ unused_at, size, size_2x }) => ({
      last_used_at: toTimestampOrNull(unused_at),
      size: size + (size_2x ?? 0),
    }));
    return {
      candidates: candidates.map((one, at) => ({ ...one, name: rows[at]?.hash ?? '' })),
      before: cursor.before,
    };
  },
  properties: (ctx) => async (before) => {
    const since = ctx.now() - UNUSED_DAYS * DAY_MS;
    const query = propertiesOf(ctx)
      .where('hidden', '=', false)
      .where('updated_at', '<', since)
      .where(({ or, eb }) => or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', since)]));
    const { rows, cursor } = await listPage(query, page(before));
    const candidates = rows.map(({ id, name, prop, kind, created_at, updated_at, last_seen_at }): Candidate => {
      const times = { updated_at: toTimestamp(updated_at), last_used_at: toTimestampOrNull(last_seen_at) };
      return {
        name: prop,
        createdAt: createdAtOf({ id, created_at }),
        entry: { ...nothing, id, name, reason: 'not_sent', kind: kind as UnusedEntry['kind'], ...times },
      };
    });
    return { candidates, before: cursor.before };
  },
};

function present<Row extends { id: string; name: string; created_at?: Millis | null; updated_at: Millis }>(
  { rows, cursor }: { rows: readonly Row[]; cursor: { before: string | null } },
  more: (row: Row) => Partial<UnusedEntry> = () => ({}),
): Awaited<ReturnType<ReadCandidates>> {
  const candidates = rows.map((row): Candidate => {
    const { id, name } = row;
    const createdAt = createdAtOf(row);
    return {
      name: id,
      createdAt,
      entry: { ...nothing, id, name, updated_at: toTimestamp(row.updated_at), ...more(row) },
    };
  });
  return { candidates, before: cursor.before };
}
