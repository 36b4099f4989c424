import {
  type ChangeKind,
  changesAppearance,
  type Diff,
  type Document,
  diffDocuments,
  type ExperienceKind,
  listAppearances,
  type Millis,
  type ModelChange,
  mapAppearanceOwners,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { Upsert } from '../../db/bulk-rows.ts';
import { conflict, invalid } from '../../errors.ts';
import { bumpPublishedVersion } from '../../published/bump-published-version.ts';
import {
  type ChangesOfOne,
  inParts,
  type RecordedChange,
  recordChanges,
  recordChangesOfMany,
} from '../changes/record-changes.ts';
import { checkReferences } from './check-references.ts';
import { checkScripts } from './check-scripts.ts';
import { type Publishing, publishing } from './publishing.ts';
import { type ExperienceRow, lockExperience, timeOf } from './queries.ts';

/** How a change came about. */
export interface Writing {
  /** Left out: an ordinary write. */
  kind?: ChangeKind;
  /** When whoever writes last saw the Experience changed. */
  seen?: Millis | undefined;
}

/**
 * The one door to what is written in an Experience: whatever the change is, it is checked, told in the feed, and stored
 * with it or not at all. What changes nothing leaves no trace.
 */
export async function changeExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  writing: Writing,
  change: (document: Document, problems: string[], ctx: Context) => Document,
): Promise<ExperienceRow> {
  return ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    if (writing.seen !== undefined && writing.seen !== row.updated_at) throw await seenTooEarly(ctx, row);
    const problems: string[] = [];
    const after = change(row.draft, problems, ctx);
    if (problems.length > 0) throw invalid(...problems);
    return storeDraft(ctx, row, after, writing.kind);
  });
}

/** Stores a new draft with its Changes, in the transaction of the context. */
export async function storeDraft(
  ctx: Context,
  row: ExperienceRow,
  params: Document,
  kind?: ChangeKind,
): Promise<ExperienceRow> {
  const [stored] = await storeDrafts(ctx, [{ row, params }], kind);
  return stored as ExperienceRow;
}

/**
 * The same for many Experiences, each with its own Changes, in as many statements as for one. With `later`, the Changes
 * are put there, for the caller to record at the end: a write that publishes nothing.
 */
export async function storeDrafts(
  ctx: Context,
  drafts: readonly { row: ExperienceRow; params: Document }[],
  kind?: ChangeKind,
  later?: ChangesOfOne[],
): Promise<ExperienceRow[]> {
  const stored: ExperienceRow[] = [];
  const changed = [];
  const looks = [];
  for (const { row, params } of drafts) {
    const wanted = publishedNow(ctx, row.draft, params);
    const changes = diffDocuments(row.id, row.draft, wanted);
    if (changes.length === 0) {
      stored.push(row);
      continue;
    }
    await checkReferences(ctx, row.draft, wanted);
    await checkScripts(ctx, row.draft, wanted);
    const published = await publishing(ctx, row, wanted);
    const { captures, made, recorded } = capture(ctx, row, wanted, changes);
    looks.push(...made);
    const after: ExperienceRow = {
      ...row,
      // Later each time, so that it tells one state from the next.
      updated_at: Math.max(ctx.now(), row.updated_at + 1),
      draft: wanted,
      captures,
      published_until: timeOf(wanted.published_until),
      archived_at: timeOf(wanted.archived_at),
      ...published?.columns,
    };
    stored.push(after);
    changed.push({ row, after, published, recorded: withVersion(recorded, row, published) });
  }
  if (changed.length === 0) return stored;
  await storeLooks(ctx, looks);
  const told = changed.map(({ row, recorded }) => ({ experienceId: row.id, changes: recorded }));
  later?.push(...told);
  const firsts = later ? [] : await recordChangesOfMany(ctx, told, kind);
  for (const [at, { published }] of changed.entries()) await published?.store(firsts[at] as string);
  // A draft is nothing that users see.
  if (changed.some(({ row, after, published }) => published || endsOf(row) !== endsOf(after)))
    await bumpPublishedVersion(ctx);
  const rows = changed.map(({ after: { account_id: _, ...row } }) => ({
    ...row,
    draft: JSON.stringify(row.draft),
    captures: JSON.stringify(row.captures),
  }));
  await ctx.dialect.upsert(ctx.db, ctx.account.id, experiencesTable, rows);
  return stored;
}

function endsOf({ published_until, archived_at }: ExperienceRow): string {
  return `${published_until} ${archived_at}`;
}

const changing = {
  updated_at: 'bigint',
  draft: 'jsonb',
  captures: 'jsonb',
  version_id: 'text',
  published_at: 'bigint',
  next_version_id: 'text',
  next_published_at: 'bigint',
  published_until: 'bigint',
  archived_at: 'bigint',
} as const;
const experiencesTable: Upsert = {
  table: 'experiences',
  columns: { id: 'text', kind: 'text', ...changing },
  changes: Object.keys(changing),
};

/** A time that has come publishes now, whatever it is. */
function publishedNow(ctx: Context, before: Document | null, after: Document): Document {
  const { published_at } = after;
  if (published_at === null || published_at === before?.published_at) return after;
  const now = ctx.now();
  return (timeOf(published_at) ?? 0) > now ? after : { ...after, published_at: toTimestamp(now) };
}

/** A new Experience, with its Changes, in the transaction of the context. */
export async function insertExperience(ctx: Context, params: Document): Promise<ExperienceRow> {
  const document = publishedNow(ctx, null, params);
  await checkReferences(ctx, null, document);
  await checkScripts(ctx, null, document);
  const { account_id, id, updated_at } = (await ctx.clock()).newRow();
  const empty: ExperienceRow = {
    account_id,
    id,
    updated_at,
    kind: document.kind,
    draft: { ...document, published_at: null },
    captures: {},
    version_id: null,
    published_at: null,
    next_version_id: null,
    next_published_at: null,
    published_until: timeOf(document.published_until),
    archived_at: timeOf(document.archived_at),
  };
  const published = await publishing(ctx, empty, document);
  const { captures, made, recorded } = capture(ctx, empty, document, diffDocuments(id, null, document));
  await storeLooks(ctx, made);
  const changeId = await recordChanges(ctx, id, withVersion(recorded, empty, published));
  await published?.store(changeId);
  const row = { ...empty, captures, draft: document, ...published?.columns };
  await ctx.db
    .insertInto('experiences')
    .values({ ...row, draft: JSON.stringify(document), captures: JSON.stringify(captures) })
    .execute();
  if (published) await bumpPublishedVersion(ctx);
  return row;
}

const capturesTable: Upsert = {
  table: 'captures',
  columns: { id: 'text', experience_id: 'text', model_id: 'text', look: 'jsonb' },
  changes: [],
};

type NewLook = Record<'id' | 'experience_id' | 'model_id' | 'look', string>;

async function storeLooks(ctx: Context, looks: readonly NewLook[]): Promise<void> {
  await inParts(looks, (part) => ctx.dialect.upsert(ctx.db, ctx.account.id, capturesTable, part));
}

/** How each step looks whose look changed, and which look each change led to. */
function capture(
  ctx: Context,
  row: ExperienceRow,
  after: Document,
  changes: readonly ModelChange[],
): { captures: Record<string, string>; made: NewLook[]; recorded: RecordedChange[] } {
  const [olds, news] = [listAppearances(row.id, row.draft), listAppearances(row.id, after)];
  const ids = new Map<string, string>();
  const made: NewLook[] = [];
  for (const [model_id, look] of news) {
    const text = JSON.stringify(look);
    if (row.captures[model_id] !== undefined && text === JSON.stringify(olds.get(model_id))) continue;
    const id = ctx.newId();
    ids.set(model_id, id);
    made.push({ id, experience_id: row.id, model_id, look: text });
  }
  const captures = Object.fromEntries([...news.keys()].map((id) => [id, ids.get(id) ?? (row.captures[id] as string)]));
  const owners = new Map([...mapAppearanceOwners(row.id, row.draft), ...mapAppearanceOwners(row.id, after)]);
  const recorded = changes.map((change) => {
    const owner = owners.get(change.model_id) ?? '';
    const capture_id: Diff = [row.captures[owner] ?? null, (changesAppearance(change) && ids.get(owner)) || null];
    return { ...change, options: { capture_id } };
  });
  return { captures, made, recorded };
}

function withVersion(changes: RecordedChange[], row: ExperienceRow, published: Publishing | undefined) {
  if (!published) return changes;
  const version_id: Diff = [row.next_version_id ?? row.version_id, published.versionId];
  return changes.map((change) =>
    change.path === 'model' ? { ...change, options: { ...change.options, version_id } } : change,
  );
}

/** Who wrote in the draft last: neither its translations nor what it uses are part of that. */
async function seenTooEarly(ctx: Context, row: ExperienceRow) {
  const last = await ctx.db
    .selectFrom('changes')
    .innerJoin('admins', 'admins.id', 'changes.admin_id')
    .select(['admins.name', 'admins.email'])
    .where('changes.account_id', '=', ctx.account.id)
    .where('changes.experience_id', '=', row.id)
    .where('changes.kind', '<>', 'related')
    .where('changes.path', 'not like', 'translations.%')
    .orderBy('changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const who = last ? `${last.name} (${last.email})` : 'Someone';
  return conflict(
    `${who} changed this Experience at ${toTimestamp(row.updated_at)}, after you saw it: load it again, then repeat your change`,
  );
}
