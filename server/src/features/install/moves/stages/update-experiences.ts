import {
  type Document,
  diffTranslatedTexts,
  findPublishProblems,
  listTranslatableSteps,
  type Millis,
  readTexts,
  readTranslationFile,
  type Texts,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { invalid } from '../../../../errors.ts';
import { allowsGlobals } from '../../../experiences/allows-globals.ts';
import { recordChangeGroups } from '../../../experiences/changes/record-changes.ts';
import { findPublishedCampaigns } from '../../../experiences/check-references.ts';
import { findChanged } from '../../../experiences/find-changed.ts';
import { type ExperienceRow, lockExperience } from '../../../experiences/queries.ts';
import { storeDraft } from '../../../experiences/store-drafts.ts';
import { loadStored, loadTranslations, withParents } from '../../../translations/languages/load-texts.ts';
import { storeTexts } from '../../../translations/languages/store-texts.ts';
import { contextAt } from '../../sample-data/context-at.ts';
import { describeConflict } from '../changed-on-both-sides.ts';
import { stamp, timesOf } from '../context-for.ts';
import { mergeMoved } from '../merge-moved.ts';
import { listPictureProblems } from '../move-pictures.ts';
import type { MoveRun } from '../move-run.ts';
import { findMoved, hashSource, rememberMoved } from '../moved-experiences.ts';
import { readTime } from '../read-record.ts';
import { keepingTagTimes, storeUnplaced, whyNotPublished } from './complete-experience.ts';
import { readDocument, withKnownCampaigns } from './read-document.ts';
import type { SourceExperience } from './read-experiences.ts';
import { type SourceTranslations, textsOf } from './read-translations.ts';

/**
 * In a later run: updates the Experiences that have changed in the other service since the last one, unless somebody has edited them
 * here. A step that got its place here keeps it.
 */
export async function updateExperiences(
  run: MoveRun,
  experiences: readonly SourceExperience[],
  read: () => Promise<SourceTranslations>,
): Promise<void> {
  const { since } = run.begin('updates');
  if (since === null) return run.finish();
  const translations = await read();
  for (const source of experiences)
    await run.storeOne(source.record.id, async (ctx, problems) => {
      const texts = textsOf(translations, source.record.id);
      const isUpdated = await updateExperience(ctx, source, texts, problems);
      if (isUpdated) problems.push(...listPictureProblems(run.pictures, [source.record, texts]));
      return isUpdated;
    });
  await run.finish();
}

type SourceTexts = ReturnType<typeof textsOf>;

/** Returns whether it was updated. */
async function updateExperience(
  ctx: Context,
  source: SourceExperience,
  texts: SourceTexts,
  problems: string[],
): Promise<boolean> {
  const { kind, record } = source;
  const moved = await findMoved(ctx, record.id);
  if (!moved) return false;
  const found: string[] = [];
  const read = await readDocument(ctx, source, found);
  const hash = hashSource(record, read.fields, texts);
  if (hash === moved.source_hash) return false;
  const row = await lockExperience(ctx, kind, record.id);
  const there = { ...(await withKnownCampaigns(ctx, read.document, found)), published_at: row.draft.published_at };
  const here = { document: row.draft, translations: await loadTranslations(ctx, record.id) };
  const merged = mergeMoved(moved.content, here, there);
  const publishedAt = readTime(record.published_at);
  // What somebody has published here stays published.
  const isEnding = merged?.keepsPlaces && publishedAt === null && row.draft.published_at !== null;
  if (!merged || isEnding) {
    problems.push(describeConflict(ctx, record, `experiences/${record.id}`));
    return false;
  }
  problems.push(...found);
  const isChanged = (await findChanged(ctx, [row])).has(record.id);
  const update = { ...source, texts, document: merged.document, isNarrower: read.isNarrower };
  await keepingTagTimes(ctx, [...row.draft.tag_ids, ...there.tag_ids], () =>
    merged.keepsPlaces ? storePlaced(ctx, row, update, isChanged, problems) : storeAsThere(ctx, row, update, problems),
  );
  if (source.isFromTexts) {
    const known = new Set(moved.content.document.steps.map(({ id }) => id));
    const steps = merged.document.steps.filter(({ id }) => !known.has(id));
    await storeUnplaced(ctx, record.id, { ...merged.document, steps });
  }
  await rememberMoved(ctx, record.id, hash);
  return true;
}

interface Update extends SourceExperience {
  document: Document;
  texts: SourceTexts;
  isNarrower: boolean;
}

/** No one has edited it here: it becomes what it is in the other service, at the time at which it was changed there. */
async function storeAsThere(ctx: Context, row: ExperienceRow, update: Update, problems: string[]): Promise<void> {
  const { record, document } = update;
  const publishedAt = readTime(record.published_at);
  const reason = publishedAt === null ? undefined : whyNotPublished(update, update.isNarrower);
  const at = publishedAt === null || reason ? null : findTimeToPublish(row, update, publishedAt);
  const then = contextAt(ctx, Math.min(at ?? timesOf(record).updatedAt, ctx.now()));
  const draft = { ...document, published_at: publishedAt === null ? null : row.draft.published_at };
  const stored = await storeContent(then, row, draft, update.texts);
  if (reason) problems.push(reason);
  else if (at !== null) await publish(then, stored, at, problems);
  const pausedAt = stored.paused_at === null ? null : readTime(record.paused_at);
  await stamp(ctx, 'experiences', record, pausedAt === null ? {} : { paused_at: pausedAt });
}

/** Its steps got their place here, so that it is published here when it was complete. */
async function storePlaced(
  ctx: Context,
  row: ExperienceRow,
  update: Update,
  isChanged: boolean,
  problems: string[],
): Promise<void> {
  const stored = await storeContent(
    ctx,
    row,
    { ...update.document, published_at: row.draft.published_at },
    update.texts,
  );
  if (row.draft.published_at === null) return;
  const { record, isNarrower } = update;
  const reason = whyNotPublished({ ...update, isFromTexts: false }, isNarrower);
  if (reason || isChanged)
    problems.push(reason ?? 'Its texts were updated, and the draft was not published here: publish it');
  else if (readTime(record.published_at) !== null) await publish(ctx, stored, ctx.now(), problems);
}

/** A service that publishes every change gives no new `published_at`. */
function findTimeToPublish(row: ExperienceRow, { record }: Update, publishedAt: Millis): Millis | null {
  if (toTimestamp(publishedAt) !== row.draft.published_at) return publishedAt;
  return record.has_unpublished_changes === undefined ? timesOf(record).updatedAt : null;
}

async function publish(ctx: Context, row: ExperienceRow, at: Millis, problems: string[]): Promise<void> {
  const document = { ...row.draft, published_at: toTimestamp(at) };
  const campaigns = (await findPublishedCampaigns(ctx, document)).set(row.id, true);
  const found = findPublishProblems(document, campaigns, await allowsGlobals(ctx));
  if (found.length > 0) problems.push(...found.map((problem) => `It could not be published: ${problem}`));
  else await storeDraft(ctx, row, document);
}

async function storeContent(
  ctx: Context,
  row: ExperienceRow,
  draft: Document,
  texts: SourceTexts,
): Promise<ExperienceRow> {
  const stored = await storeDraft(ctx, row, draft);
  for (const [code, experience] of texts) await storeTranslations(ctx, stored, code, experience);
  return stored;
}

/** Stores the texts of a language as they are there: what is no longer translated goes. */
async function storeTranslations(
  ctx: Context,
  row: ExperienceRow,
  code: string,
  experience: Record<string, unknown>,
): Promise<void> {
  const problems: string[] = [];
  const file = readTranslationFile({ id: row.id, language: { code }, experiences: [experience] }, problems);
  const [params] = file?.experiences ?? [];
  const found = params ? readTexts(params, listTranslatableSteps(row.id, row.draft), problems) : [];
  const stored = (await loadStored(ctx, [row.id], code)).get(row.id) ?? {};
  const [, ...inherited] = withParents(code, stored);
  const wanted = diffTranslatedTexts(found, [{}, ...inherited], problems);
  if (problems.length > 0) throw invalid(...problems);
  const { texts: before = {}, sources = {} } = stored[code] ?? {};
  // A translation that stays keeps the hash of the text that it was made of.
  const kept = { texts: keepOnly(before, wanted.texts), sources: keepOnly(sources, wanted.texts) };
  const after = diffTranslatedTexts(found, [kept.texts, ...inherited], problems, kept.sources);
  const groups = await storeTexts(ctx, code, [{ row, before, after: after.texts, sources: after.sources }]);
  const changed = groups.filter(({ changes }) => changes.length > 0);
  if (changed.length > 0) await recordChangeGroups(ctx, changed, 'apply');
}

function keepOnly(texts: Texts, wanted: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([modelId, fields]) => {
      const kept = Object.entries(fields).filter(([field]) => wanted[modelId]?.[field] !== undefined);
      return kept.length > 0 ? [[modelId, Object.fromEntries(kept)]] : [];
    }),
  );
}
