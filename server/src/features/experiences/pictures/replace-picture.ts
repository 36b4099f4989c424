import { type Document, hashSources, type PictureUse, type Texts } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { recordAudits } from '../../team/audit/record-audit.ts';
import { loadStored } from '../../translations/languages/load-texts.ts';
import { storeTexts } from '../../translations/languages/store-texts.ts';
import { recordChangeGroups } from '../changes/record-changes.ts';
import { checkMayPublish } from '../publish.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import { loadVersionsInUse, replaceVersion } from '../replace-version.ts';
import { storeDraft } from '../store-drafts.ts';
import { listPictureUses } from './find-uses.ts';
import { pathOf } from './present-picture.ts';
import { getPicture, lockPicture } from './queries.ts';

/**
 * Shows another picture wherever this one is: in drafts, in translations, and in the versions that users see or will see. So that
 * nothing else that is unpublished is published with it, those versions are copied with the other picture. Older versions and captures stay.
 */
export async function replacePicture(ctx: Context, id: string, otherId: string): Promise<PictureUse[]> {
  if (id === otherId) throw invalid('`picture_id` must be another picture');
  const uses = await listPictureUses(ctx, await getPicture(ctx, id));
  await getPicture(ctx, otherId);
  const changed = uses.filter(({ draft, published }) => draft || published);
  if (changed.some(({ published }) => published)) await checkMayPublish(ctx);
  // One at a time, so that others do not wait for all of them. If it ends in the middle, it can be repeated.
  for (const use of changed) await ctx.transaction((ctx) => replaceIn(ctx, use.id, id, otherId));
  return changed;
}

async function replaceIn(ctx: Context, experienceId: string, id: string, otherId: string): Promise<void> {
  const [row] = await lockExperiences(ctx, [experienceId]);
  if (!row) return;
  const paths = [pathOf(await getPicture(ctx, id)), pathOf(await lockPicture(ctx, otherId))] as const;
  const replace = <T>(content: T): T => JSON.parse(JSON.stringify(content).replaceAll(...paths));
  const draft = replace(row.draft);
  await replaceInTranslations(ctx, row, draft, replace);
  await storeDraft(ctx, row, draft);
  await replaceInVersions(ctx, row, replace);
  await bumpPublishedVersion(ctx);
}

function lockExperiences(ctx: Context, ids: string[]): Promise<ExperienceRow[]> {
  return ctx.dialect.lockRows(experiencesOf(ctx).where('id', 'in', ids).orderBy('id')).execute();
}

/** A translation is not outdated because its source text has another picture now. */
async function replaceInTranslations(
  ctx: Context,
  row: ExperienceRow,
  draft: Document,
  replace: <T>(content: T) => T,
): Promise<void> {
  const stored = (await loadStored(ctx, [row.id])).get(row.id) ?? {};
  for (const [language, before] of Object.entries(stored)) {
    const after = replace(before.texts);
    const sources = keepCurrent(row, draft, before.texts, before.sources);
    if (JSON.stringify([after, sources]) === JSON.stringify([before.texts, before.sources])) continue;
    const groups = await storeTexts(ctx, language, [{ row, before: before.texts, after, sources }]);
    await recordChangeGroups(ctx, groups);
  }
}

/** The hashes of translations that were up to date are those of the new source texts. */
function keepCurrent(row: ExperienceRow, draft: Document, texts: Texts, sources: Texts): Texts {
  const [old, current] = [hashSources(row.id, row.draft, texts), hashSources(row.id, draft, texts)];
  return Object.fromEntries(
    Object.entries(sources).map(([id, hashes]) => [
      id,
      Object.fromEntries(
        Object.entries(hashes).map(([field, hash]) => {
          const [was, is] = [old[id]?.[field], current[id]?.[field]];
          return [field, was !== undefined && is !== undefined ? hash.replace(was, is) : hash];
        }),
      ),
    ]),
  );
}

async function replaceInVersions(ctx: Context, row: ExperienceRow, replace: <T>(content: T) => T): Promise<void> {
  for (const version of (await loadVersionsInUse(ctx, [row])).get(row.id) ?? []) {
    const content = replace(version.content);
    if (JSON.stringify(content) === JSON.stringify(version.content)) continue;
    await checkMayPublish(ctx);
    await recordAudits(ctx, [await replaceVersion(ctx, row, version, content)]);
  }
}
