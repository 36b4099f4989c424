import {
  type Appearance,
  changesAppearance,
  type Diff,
  type Document,
  firstIdAt,
  listAppearances,
  type ModelChange,
  mapAppearanceOwners,
  pickCaptureTheme,
  timeOfId,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import { DEFAULT_THEME, selectPublishedThemes } from '../../published/published-themes.ts';
import { type RecordedChange, writeInChunks } from './changes/record-changes.ts';
import type { ExperienceRow } from './queries.ts';

const capturesTable: Upsert = {
  table: 'captures',
  columns: { id: 'text', experience_id: 'text', model_id: 'text', look: 'jsonb' },
  changes: [],
};

interface NewCapture {
  id: string;
  experience_id: string;
  model_id: string;
  look: Appearance;
}

export async function insertCaptures(ctx: Context, captures: readonly NewCapture[]): Promise<void> {
  if (captures.length === 0) return;
  const themes = await loadCaptureThemes(ctx);
  const rows = captures.map(({ look, ...row }) => {
    const theme = themes.get(look.theme_id ?? DEFAULT_THEME);
    return { ...row, look: JSON.stringify(theme ? { ...look, theme } : look) };
  });
  await writeInChunks(rows, (chunk) => ctx.dialect.upsert(ctx.db, ctx.account.id, capturesTable, chunk));
}

/** What captures show of the published themes, by the ID of the theme, and of the default one. */
async function loadCaptureThemes(ctx: Context): Promise<Map<string, Record<string, string>>> {
  const rows = await selectPublishedThemes(ctx.db, ctx.account.id);
  return new Map(
    rows.flatMap(({ id, is_default, content }) => {
      const theme = pickCaptureTheme(content.document as never);
      return theme ? [id, ...(is_default ? [DEFAULT_THEME] : [])].map((key) => [key, theme] as const) : [];
    }),
  );
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
    newCaptures.push({ id, experience_id: row.id, model_id, look });
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

/** The history shows changes of one person as one entry if there was no longer pause between them. */
const PAUSE_MS = 30 * 60_000;
/** The IDs of one write are created within this time, and not in order. */
const WRITE_MS = 1000;

/**
 * Deletes the captures that an autosave replaces, if they are of the same person and the same sitting: an editor saves
 * every few seconds, and the history shows only how a step looked before and after the sitting. Captures of published
 * versions are kept.
 */
export async function deleteReplacedCaptures(
  ctx: Context,
  row: ExperienceRow,
  captures: Readonly<Record<string, string>>,
): Promise<void> {
  const start = firstIdAt(ctx.now() - PAUSE_MS);
  const recent = Object.entries(row.captures)
    .filter(([model, id]) => id > start && captures[model] !== undefined && captures[model] !== id)
    .map(([, id]) => id);
  if (recent.length === 0) return;
  const last = timeOfId(await findLastOther(ctx, row.id, start));
  await writeInChunks(
    recent.filter((id) => timeOfId(id) > last + WRITE_MS),
    (ids) => ctx.db.deleteFrom('captures').where('account_id', '=', ctx.account.id).where('id', 'in', ids).execute(),
  );
}

/** Finds the last Change since a time that publishes, or that is not an autosave of this person. */
async function findLastOther(ctx: Context, experienceId: string, since: string): Promise<string> {
  const other = await ctx.db
    .selectFrom('changes')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .where('id', '>', since)
    .where(({ or, eb }) => or([eb('kind', '<>', 'partial'), eb('admin_id', '<>', ctx.actor.id)]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const publish = await ctx.db
    .selectFrom('change_properties')
    .select('change_id')
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', experienceId)
    .where('property', '=', 'published_at')
    .orderBy('change_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return [since, other?.id ?? '', publish?.change_id ?? ''].sort().at(-1) as string;
}
