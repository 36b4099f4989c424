import { pathOfKind, readTranslationFile } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { invalid } from '../../../../errors.ts';
import { lockExperience } from '../../../experiences/queries.ts';
import { insertExperience, storeDraft } from '../../../experiences/store-drafts.ts';
import { applyFile } from '../../../translations/apply-file.ts';
import { insertLanguage } from '../../../translations/languages/queries.ts';
import { contextAt } from '../../sample-data/context-at.ts';
import { contextFor, stamp, timesOf } from '../context-for.ts';
import { listPictureProblems, movePictures } from '../move-pictures.ts';
import type { MoveRun } from '../move-run.ts';
import { hashSource, rememberMoved } from '../moved-experiences.ts';
import { readTime } from '../read-record.ts';
import { keepingTagTimes, storeUnplaced, whyNotPublished } from './complete-experience.ts';
import { publishMoved } from './publish-moved.ts';
import { readDocument, withKnownCampaigns, withoutCampaigns } from './read-document.ts';
import { readExperiences, type SourceExperience } from './read-experiences.ts';
import { readTranslations, type SourceTranslations, textsOf } from './read-translations.ts';
import { updateExperiences } from './update-experiences.ts';

/** The Experiences are read once in each run, and their pictures are copied before the first one is stored. */
function experiencesOf(run: MoveRun): Promise<SourceExperience[]> {
  run.experiences ??= readExperiences(run);
  run.withPictures ??= run.experiences.then((all) => withPictures(run, all));
  return run.withPictures;
}

async function withPictures(run: MoveRun, all: readonly SourceExperience[]): Promise<SourceExperience[]> {
  const moved: SourceExperience[] = [];
  for (const source of all) moved.push({ ...source, record: await movePictures(run, source.record) });
  return moved;
}

/** So are their texts in other languages. */
async function translationsOf(run: MoveRun): Promise<SourceTranslations> {
  run.translations ??= readTranslations(run, await experiencesOf(run));
  return run.translations;
}

/**
 * Creates drafts. Buttons and items get the Experiences that they lead to when all are here. An Experience that is here already is
 * updated at the end, if no one has edited it.
 */
export async function moveExperiences(run: MoveRun): Promise<void> {
  const experiences = await experiencesOf(run);
  const progress = run.begin('experiences');
  progress.total = experiences.length;
  for (const source of experiences)
    await run.storeOne(source.record.id, async (ctx, problems) => {
      if (await isHere(ctx, source.record.id)) return false;
      problems.push(...listPictureProblems(run.pictures, source.record));
      const { document } = await readDocument(ctx, source, problems);
      await keepingTagTimes(ctx, document.tag_ids, () =>
        insertExperience(contextFor(ctx, source.record), withoutCampaigns(document)),
      );
      if (source.isFromTexts) await storeUnplaced(ctx, source.record.id, document);
      run.progress.unfinished = [...run.progress.unfinished, source.record.id];
      return true;
    });
  await run.finish();
}

/** Applies the translation files of the new Experiences. */
export async function moveTranslations(run: MoveRun): Promise<void> {
  run.begin('translations');
  const fresh = new Set(run.progress.unfinished);
  const experiencesById = new Map((await experiencesOf(run)).map(({ record }) => [record.id, record]));
  const { codes, kinds } = await translationsOf(run);
  for (const code of codes) await run.storeOne(code, async (ctx) => (await insertLanguage(ctx, code)) !== undefined);
  for (const { kind, code, experiences } of kinds) {
    if (!experiences)
      await run.storeOne(`${code} ${kind}`, async (_ctx, problems) => {
        problems.push(`The other service does not give the ${code} texts of its ${pathOfKind(kind)}`);
        return false;
      });
    for (const [id, experience] of experiences ?? [])
      if (fresh.has(id))
        await run.storeOne(`${code} ${id}`, (ctx, problems) => {
          const known = new Set(listPictureProblems(run.pictures, experiencesById.get(id)));
          problems.push(...listPictureProblems(run.pictures, experience).filter((problem) => !known.has(problem)));
          return applyTranslations(ctx, code, experience);
        });
  }
  await run.finish();
}

async function applyTranslations(ctx: Context, code: string, experience: Record<string, unknown>): Promise<boolean> {
  const problems: string[] = [];
  const file = readTranslationFile({ id: experience.id, language: { code }, experiences: [experience] }, problems);
  if (!file || problems.length > 0) throw invalid(...problems);
  return (await applyFile(ctx, file, false)).updated > 0;
}

/** Completes the new Experiences: with the Experiences that they lead to, and published if they were. */
export async function movePublishing(run: MoveRun): Promise<void> {
  const experiences = await experiencesOf(run);
  const progress = run.begin('publishing');
  progress.total = progress.done + run.progress.unfinished.length;
  const translations = await translationsOf(run);
  const live = new Set(experiences.filter(({ record }) => record.published_at).map(({ record }) => record.id));
  for (const source of experiences.filter(({ record }) => run.progress.unfinished.includes(record.id))) {
    const { kind, record } = source;
    await run.storeOne(record.id, async (ctx, problems) => {
      // What it cannot have here was recorded when it was created.
      const { document, fields, isNarrower } = await readDocument(ctx, source, []);
      const then = contextAt(ctx, timesOf(record).createdAt);
      const row = await lockExperience(then, kind, record.id);
      const stored = await storeDraft(then, row, {
        ...(await withKnownCampaigns(ctx, document, problems)),
        published_at: null,
      });
      const publishedAt = readTime(record.published_at);
      if (publishedAt !== null) {
        const reason = whyNotPublished(source, isNarrower);
        problems.push(...(reason ? [reason] : await publishMoved(ctx, stored, publishedAt, live)));
      }
      await stamp(ctx, 'experiences', record);
      await rememberMoved(ctx, record.id, hashSource(record, fields, textsOf(translations, record.id)));
      run.progress.unfinished = run.progress.unfinished.filter((id) => id !== record.id);
      return true;
    });
  }
  await run.finish();
}

/** In a later run, updates what has changed in the other service since. */
export async function moveUpdates(run: MoveRun): Promise<void> {
  await updateExperiences(run, await experiencesOf(run), () => translationsOf(run));
}

async function isHere(ctx: Context, id: string): Promise<boolean> {
  const rows = ctx.db.selectFrom('experiences').select('id').where('account_id', '=', ctx.account.id);
  return (await rows.where('id', '=', id).executeTakeFirst()) !== undefined;
}
