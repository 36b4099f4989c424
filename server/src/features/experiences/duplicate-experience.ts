import { duplicateDocument, type Experience, type ExperienceKind, type Texts } from '@usher/domain';
import type { Context } from '../../context.ts';
import { recordChangesOfMany } from '../changes/record-changes.ts';
import { translationsOf } from '../translations/queries.ts';
import { storeTexts } from '../translations/store-texts.ts';
import { insertExperience } from './change-experience.ts';
import { getExperience, presentExperience } from './queries.ts';

const MAX_NAME = 255;

/** A draft of its own with the same content, in every language. */
export async function duplicateExperience(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  name: string | undefined,
): Promise<Experience> {
  const row = await ctx.transaction(async (ctx) => {
    const original = await getExperience(ctx, kind, id);
    const { document, ids } = duplicateDocument(original.draft, ctx.newId);
    const copy = await insertExperience(ctx, {
      ...document,
      name: name ?? [...`Copy of ${document.name}`].slice(0, MAX_NAME).join(''),
      published_at: null,
      published_until: null,
      archived_at: null,
    });
    ids.set(id, copy.id);
    const translations = await translationsOf(ctx, id);
    for (const [language, texts] of Object.entries(translations)) {
      const copied = [{ row: copy, before: {}, after: renameTexts(texts, ids) }];
      await recordChangesOfMany(ctx, await storeTexts(ctx, language, copied));
    }
    return copy;
  });
  return presentExperience(ctx, row);
}

/** Keys hold IDs too: `buttons:<id>:text`. */
function renameTexts(texts: Texts, ids: ReadonlyMap<string, string>): Texts {
  const renamed = (text: string) =>
    text
      .split(':')
      .map((part) => ids.get(part) ?? part)
      .join(':');
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([id]) => ids.has(id))
      .map(([id, mine]) => [
        ids.get(id) as string,
        Object.fromEntries(Object.entries(mine).map(([key, text]) => [renamed(key), text])),
      ]),
  );
}
