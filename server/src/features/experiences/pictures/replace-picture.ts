import { type Document, hashSources, type PictureUse, type Texts } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { invalid } from '../../../errors.ts';
import { bumpPublishedVersion } from '../../../published/bump-published-version.ts';
import { loadStored } from '../../translations/languages/load-texts.ts';
import { storeTexts } from '../../translations/languages/store-texts.ts';
import { recordChangeGroups } from '../changes/record-changes.ts';
import { checkMayPublish } from '../publish.ts';
import { type ExperienceRow, experiencesOf } from '../queries.ts';
import { storeDraft } from '../store-drafts.ts';
import { listPictureUses } from './find-uses.ts';
import { pathOf } from './present-picture.ts';
import { getPicture } from './queries.ts';

/**
 * Shows another picture wherever this one is: in drafts, in translations, and in the versions that users see or will see. So that
 * nothing else that is unpublished is published with it, those versions are changed themselves. Older versions and captures stay.
 */
export async function replacePicture(ctx: Context, id: string, otherId: string): Promise<PictureUse[]> {
  if (id === otherId) throw invalid('`picture_id` must be another picture');
  const uses = await listPictureUses(ctx, await getPicture(ctx, id));
  return ctx.transaction(async (ctx) => {
    const changed = uses.filter(({ draft, published }) => draft || published);
    if (changed.some(({ published }) => published)) await checkMayPublish(ctx);
    const ids = changed.map((use) => use.id);
    const rows = ids.length === 0 ? [] : await lockExperiences(ctx, ids);
    const paths = [pathOf(await getPicture(ctx, id)), pathOf(await getPicture(ctx, otherId))] as const;
    const replace = <T>(content: T): T => JSON.parse(JSON.stringify(content).replaceAll(...paths));
    for (const row of rows) {
      const draft = replace(row.draft);
      await replaceInTranslations(ctx, row, draft, replace);
      await storeDraft(ctx, row, draft);
      await replaceInVersions(ctx, row, replace);
    }
    if (rows.length > 0) await bumpPublishedVersion(ctx);
    return changed;
  });
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

async function replaceInVersions(
  ctx: Context,
  { version_id, next_version_id, paused_version_id }: ExperienceRow,
  replace: <T>(content: T) => T,
): Promise<void> {
  const ids = [version_id, next_version_id, paused_version_id].flatMap((id) => id ?? []);
  if (ids.length === 0) return;
  const versions = ctx.db.selectFrom('versions').select(['id', 'content']).where('account_id', '=', ctx.account.id);
  for (const { id, content } of await versions.where('id', 'in', ids).orderBy('id').execute())
    await ctx.db
      .updateTable('versions')
      .set({ content: JSON.stringify(replace(content)) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .execute();
}
