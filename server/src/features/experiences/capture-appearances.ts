import {
  changesAppearance,
  type Diff,
  type Document,
  listAppearances,
  type ModelChange,
  mapAppearanceOwners,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import { type RecordedChange, writeInParts } from '../changes/record-changes.ts';
import type { ExperienceRow } from './queries.ts';

const capturesTable: Upsert = {
  table: 'captures',
  columns: { id: 'text', experience_id: 'text', model_id: 'text', look: 'jsonb' },
  changes: [],
};

type NewCapture = Record<'id' | 'experience_id' | 'model_id' | 'look', string>;

export async function insertCaptures(ctx: Context, captures: readonly NewCapture[]): Promise<void> {
  await writeInParts(captures, (part) => ctx.dialect.upsert(ctx.db, ctx.account.id, capturesTable, part));
}

/** Captures each step or launcher whose appearance changes, and adds to each Change the captures before and after it. */
export function captureAppearances(
  ctx: Context,
  row: ExperienceRow,
  after: Document,
  changes: readonly ModelChange[],
): { captures: Record<string, string>; newCaptures: NewCapture[]; recorded: RecordedChange[] } {
  const [oldAppearances, newAppearances] = [listAppearances(row.id, row.draft), listAppearances(row.id, after)];
  const ids = new Map<string, string>();
  const newCaptures: NewCapture[] = [];
  for (const [model_id, look] of newAppearances) {
    const text = JSON.stringify(look);
    if (row.captures[model_id] !== undefined && text === JSON.stringify(oldAppearances.get(model_id))) continue;
    const id = ctx.newId();
    ids.set(model_id, id);
    newCaptures.push({ id, experience_id: row.id, model_id, look: text });
  }
  const captures = Object.fromEntries(
    [...newAppearances.keys()].map((id) => [id, ids.get(id) ?? (row.captures[id] as string)]),
  );
  const owners = new Map([...mapAppearanceOwners(row.id, row.draft), ...mapAppearanceOwners(row.id, after)]);
  const recorded = changes.map((change) => {
    const owner = owners.get(change.model_id) ?? '';
    const capture_id: Diff = [row.captures[owner] ?? null, (changesAppearance(change) && ids.get(owner)) || null];
    return { ...change, options: { capture_id } };
  });
  return { captures, newCaptures, recorded };
}
