import { type ChangeKind, type Document, type ExperienceKind, type Millis, toTimestamp } from '@usher/domain';
import type { Context } from '../../context.ts';
import { ChangedMeanwhile, invalid } from '../../errors.ts';
import { presentExperience } from './present-experience.ts';
import { type ExperienceRow, lockExperience } from './queries.ts';
import { storeDraft } from './store-drafts.ts';

interface WriteOptions {
  /** The kind of all Changes. By default, each Change has the kind of its own operation. */
  kind?: ChangeKind;
  /** The `updated_at` that the client has seen: a later change is a conflict. */
  seen?: Millis | undefined;
}

/** Locks an Experience, changes its document, and stores it with its Changes. */
export async function changeExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { seen, kind: changeKind }: WriteOptions,
  change: (document: Document, problems: string[], ctx: Context) => Document,
): Promise<ExperienceRow> {
  const { row, isChanged } = await ctx.transaction(async (ctx) => {
    const row = await lockExperience(ctx, kind, id);
    if (seen !== undefined && seen !== row.updated_at) return { row, isChanged: true };
    const problems: string[] = [];
    const after = change(row.draft, problems, ctx);
    if (problems.length > 0) throw invalid(...problems);
    return { row: await storeDraft(ctx, row, after, changeKind), isChanged: false };
  });
  // Presenting the Experience takes long, so it happens after the transaction.
  if (isChanged) throw await changedMeanwhile(ctx, row);
  return row;
}

async function changedMeanwhile(ctx: Context, row: ExperienceRow): Promise<ChangedMeanwhile> {
  return createConflict(ctx, 'Experience', row, await presentExperience(ctx, row));
}

/** Names the last author of the draft of an Experience or a theme. Translations and related Changes do not count. */
export async function createConflict(
  ctx: Context,
  what: string,
  row: { id: string; updated_at: Millis },
  current: object,
): Promise<ChangedMeanwhile> {
  const last = await ctx.db
    .selectFrom('changes')
    .innerJoin('admins', 'admins.id', 'changes.admin_id')
    .innerJoin('people', 'people.id', 'admins.person_id')
    .select(['admins.id', 'people.name', 'people.email'])
    .where('changes.account_id', '=', ctx.account.id)
    .where('changes.experience_id', '=', row.id)
    .where('changes.kind', '<>', 'related')
    .where('changes.path', 'not like', 'translations.%')
    .orderBy('changes.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const who = last ? `${last.name} (${last.email})` : 'Someone';
  return new ChangedMeanwhile(
    `${who} changed this ${what} at ${toTimestamp(row.updated_at)}, after you saw it: load it again, then repeat your change`,
    current,
    last ?? null,
  );
}
