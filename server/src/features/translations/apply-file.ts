import { setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  applyTexts,
  DEFAULT_LANGUAGE,
  diffDefaultTexts,
  diffTranslatedTexts,
  hasPermission,
  listTranslatableSteps,
  readTexts,
  type TextChanges,
  type Texts,
  type TranslationFile,
  type TranslationFileExperience,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { awaitBoth } from '../../db/await-both.ts';
import { forbidden, invalid } from '../../errors.ts';
import { type ChangeGroup, recordChangeGroups } from '../experiences/changes/record-changes.ts';
import { type ExperienceRow, experiencesOf } from '../experiences/queries.ts';
import { storeDrafts } from '../experiences/store-drafts.ts';
import { EXPERIENCES_PER_QUERY, loadStored, withParents } from './languages/load-texts.ts';
import { addMissingLanguage, languagesOf, lockLanguage } from './languages/queries.ts';
import { storeTexts } from './languages/store-texts.ts';

interface Applied {
  updated: number;
  unchanged: number;
}

/** Applies a file in one transaction. All problems of the file are thrown as one error. With `dryRun` it writes nothing. */
export async function applyFile(ctx: Context, file: TranslationFile, dryRun: boolean): Promise<Applied> {
  checkId(ctx, file);
  if (file.code === DEFAULT_LANGUAGE) checkMayEdit(ctx);
  if (dryRun) return countChanges(ctx, file);
  return ctx.transaction(async (ctx) => {
    const isKnown = file.code === DEFAULT_LANGUAGE || (await lockLanguage(ctx, file.code));
    const groups: ChangeGroup[] = [];
    const problems: string[] = [];
    const applied = { updated: 0, unchanged: 0 };
    // All uploads lock rows in the same order, to avoid deadlocks.
    const experiences = file.experiences.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    let found: FoundExperience[] = [];
    for (let start = 0; start < experiences.length || found.length > 0; start += EXPERIENCES_PER_QUERY) {
      const chunk = experiences.slice(start, start + EXPERIENCES_PER_QUERY);
      // One chunk is read while the previous one is written, which saves a tenth of the time on PostgreSQL.
      const reading = findChanges(ctx, file.code, chunk, problems, true);
      [found] = await awaitBoth(reading, store(ctx, file.code, found, groups));
      for (const { changes } of found) {
        applied.updated += changes.updated;
        applied.unchanged += changes.unchanged;
      }
      // After a problem nothing more is written, because the transaction will be rolled back.
      if (problems.length > 0) found = [];
      if (start > 0) await yieldToOthers();
    }
    if (problems.length > 0) throw invalid(...problems);
    // The following writes take the clock of the account, so they come last.
    if (!isKnown) {
      checkMayEdit(ctx);
      await addMissingLanguage(ctx, file.code);
    }
    if (groups.length > 0) await recordChangeGroups(ctx, groups, 'apply');
    return applied;
  });
}

/** Finds the same changes and problems as `applyFile`, but locks nothing, so that no other request waits for it. */
async function countChanges(ctx: Context, { code, experiences }: TranslationFile): Promise<Applied> {
  const problems: string[] = [];
  const applied = { updated: 0, unchanged: 0 };
  for (let start = 0; start < experiences.length; start += EXPERIENCES_PER_QUERY) {
    const chunk = experiences.slice(start, start + EXPERIENCES_PER_QUERY);
    for (const { changes } of await findChanges(ctx, code, chunk, problems, false)) {
      applied.updated += changes.updated;
      applied.unchanged += changes.unchanged;
    }
    await yieldToOthers();
  }
  if (problems.length > 0) throw invalid(...problems);
  const isKnown = code === DEFAULT_LANGUAGE || (await languagesOf(ctx).where('code', '=', code).executeTakeFirst());
  if (!isKnown) checkMayEdit(ctx);
  return applied;
}

/** Translators write the texts of the languages that exist. The original texts, and the list of languages, are for editors. */
function checkMayEdit({ actor: { role, secret } }: Context): void {
  if (!hasPermission({ role, scope: secret?.scope }, 'edit'))
    throw forbidden(
      'Translators may only write texts of languages that this account has: not `default`, and no new one',
    );
}

function checkId({ account }: Context, { id, experiences }: TranslationFile): void {
  const isSingle = experiences.length === 1 && experiences[0]?.id === id;
  if (id !== account.id && !isSingle)
    throw invalid('`id` is of no translation file of this account: leave it as it was downloaded');
}

/** An Experience, and what the file changes in it. */
interface FoundExperience {
  row: ExperienceRow;
  before: Texts;
  changes: TextChanges;
}

async function findChanges(
  ctx: Context,
  code: string,
  part: readonly TranslationFileExperience[],
  problems: string[],
  isLocked: boolean,
): Promise<FoundExperience[]> {
  if (part.length === 0) return [];
  const ids = part.map(({ id }) => id);
  const query = experiencesOf(ctx).where('id', 'in', ids).orderBy('id');
  const reading = (isLocked ? ctx.dialect.lockRows(query) : query).execute();
  const [rows, stored] = await awaitBoth(reading, loadStored(ctx, ids, code));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const all: FoundExperience[] = [];
  for (const params of part) {
    const row = byId.get(params.id);
    if (!row) {
      problems.push(`\`${params.path}.id\` is the ID of no Experience in this account`);
      continue;
    }
    const found = readTexts(params, listTranslatableSteps(row.id, row.draft), problems);
    const mine = stored.get(row.id) ?? {};
    const changes =
      code === DEFAULT_LANGUAGE
        ? diffDefaultTexts(found, problems)
        : diffTranslatedTexts(found, withParents(code, mine), problems, mine[code]?.sources);
    all.push({ row, before: mine[code]?.texts ?? {}, changes });
  }
  return all;
}

async function store(
  ctx: Context,
  code: string,
  found: readonly FoundExperience[],
  groups: ChangeGroup[],
): Promise<void> {
  const updates = found.filter(({ changes }) => changes.updated > 0);
  if (code === DEFAULT_LANGUAGE) {
    const drafts = updates.map(({ row, changes }) => ({ row, draft: applyTexts(row.id, row.draft, changes.texts) }));
    await storeDrafts(ctx, drafts, 'apply', groups);
  } else {
    const texts = updates.map(({ row, before, changes }) => ({
      row,
      before,
      after: changes.texts,
      sources: changes.sources,
    }));
    groups.push(...(await storeTexts(ctx, code, texts)));
  }
}
