import { duplicateDocument, type Experience, type ExperienceKind, mapAnswerTags, type Texts } from '@usher/domain';
import type { Context } from '../../context.ts';
import { loadStored } from '../translations/languages/load-texts.ts';
import { storeTexts } from '../translations/languages/store-texts.ts';
import { recordChangeGroups } from './changes/record-changes.ts';
import { presentExperience } from './present-experience.ts';
import { getExperience } from './queries.ts';
import { insertExperience } from './store-drafts.ts';

const MAX_NAME = 255;

/** Creates a draft with the same content in every language. */
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
    const stored = (await loadStored(ctx, [id])).get(id) ?? {};
    for (const [language, { texts, sources }] of Object.entries(stored)) {
      const copied = [{ row: copy, before: {}, after: replaceIds(texts, ids), sources: replaceIds(sources, ids) }];
      await recordChangeGroups(ctx, await storeTexts(ctx, language, copied));
    }
    return copy;
  });
  return presentExperience(ctx, row);
}

/** Replaces the IDs of models. Keys contain IDs too: `buttons:<id>:text`; and texts, in `{{answer "<id>"}}`. */
export function replaceIds(texts: Texts, ids: ReadonlyMap<string, string>): Texts {
  const replace = (text: string) =>
    text
      .split(':')
      .map((part) => ids.get(part) ?? part)
      .join(':');
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([id]) => ids.has(id))
      .map(([id, own]) => [
        ids.get(id) as string,
        Object.fromEntries(
          Object.entries(own).map(([key, text]) => [replace(key), mapAnswerTags(text, (one) => ids.get(one))]),
        ),
      ]),
  );
}
