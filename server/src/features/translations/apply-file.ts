import { setImmediate as turn } from 'node:timers/promises';
import {
  applyTexts,
  changesOfDefault,
  changesOfLanguage,
  DEFAULT_LANGUAGE,
  type GivenExperience,
  readTexts,
  type TextChanges,
  type Texts,
  type TranslationFile,
  translatableSteps,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { storeDrafts } from '../experiences/change-experience.ts';
import { type ExperienceRow, experiencesOf } from '../experiences/queries.ts';
import { keepLanguage } from '../languages/queries.ts';
import { EXPERIENCES_AT_ONCE, textsOf } from './queries.ts';
import { storeTexts } from './store-texts.ts';

interface Applied {
  updated: number;
  unchanged: number;
}

/** Applies what a file says, all of it or nothing. What is wrong with it is thrown as one refusal. */
export async function applyFile(ctx: Context, file: TranslationFile): Promise<Applied> {
  checkId(ctx, file);
  const problems: string[] = [];
  return ctx.transaction(async (ctx) => {
    if (file.code !== DEFAULT_LANGUAGE) await keepLanguage(ctx, file.code);
    const applied = { updated: 0, unchanged: 0 };
    // Rows are locked in one order, whatever the order of the file.
    const experiences = file.experiences.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (let at = 0; at < experiences.length; at += EXPERIENCES_AT_ONCE) {
      const part = experiences.slice(at, at + EXPERIENCES_AT_ONCE);
      for (const { updated, unchanged } of await applyPart(ctx, file.code, part, problems)) {
        applied.updated += updated;
        applied.unchanged += unchanged;
      }
      if (at > 0) await turn();
    }
    if (problems.length > 0) throw invalid(...problems);
    return applied;
  });
}

function checkId({ account }: Context, { id, experiences }: TranslationFile): void {
  const isOfOne = experiences.length === 1 && experiences[0]?.id === id;
  if (id !== account.id && !isOfOne)
    throw invalid('`id` is of no translation file of this account: leave it as it was downloaded');
}

/** While anything is wrong, nothing more is written: it would be taken back. */
async function applyPart(
  ctx: Context,
  code: string,
  part: readonly GivenExperience[],
  problems: string[],
): Promise<TextChanges[]> {
  const ids = part.map(({ id }) => id);
  const rows = await ctx.lockRows(experiencesOf(ctx).where('id', 'in', ids).orderBy('id')).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts = await textsOf(ctx, ids, code);
  const changed: { row: ExperienceRow; before: Texts; changes: TextChanges }[] = [];
  for (const given of part) {
    const row = byId.get(given.id);
    if (!row) {
      problems.push(`\`${given.path}.id\` is the ID of no Experience in this account`);
      continue;
    }
    const found = readTexts(given, translatableSteps(row.id, row.draft), problems);
    const before = texts.get(row.id) ?? {};
    const changes =
      code === DEFAULT_LANGUAGE ? changesOfDefault(found, problems) : changesOfLanguage(found, before, problems);
    changed.push({ row, before, changes });
  }
  if (problems.length > 0) return [];
  const updates = changed.filter(({ changes }) => changes.updated > 0);
  if (code === DEFAULT_LANGUAGE)
    await storeDrafts(
      ctx,
      updates.map(({ row, changes }) => ({ row, given: applyTexts(row.id, row.draft, changes.texts) })),
      'apply',
    );
  else
    await storeTexts(
      ctx,
      code,
      updates.map(({ row, before, changes }) => ({ row, before, after: changes.texts })),
      'apply',
    );
  return changed.map(({ changes }) => changes);
}
