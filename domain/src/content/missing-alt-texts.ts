import type { Fields } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { kinds } from '../kinds/kinds.ts';
import type { Document } from './experience.ts';

/** An image in Markdown without a description. */
const imageWithoutAlt = /!\[\s*\]\(/;

/** The fields in which a picture or a video has no description for people who cannot see it, as `steps.0.picture_alt`. */
export function listMissingAltTexts(document: Document): string[] {
  const own = findImagesWithoutAlt(document, kinds[document.kind].fields);
  const inSteps = document.steps.flatMap((step, index) =>
    [
      ...((step.picture || step.video_url) && !step.picture_alt?.trim() ? ['picture_alt'] : []),
      ...findImagesWithoutAlt(step, partFields.steps),
    ].map((field) => `steps.${index}.${field}`),
  );
  const inItems = (document.items ?? []).flatMap((item, index) =>
    findImagesWithoutAlt(item, partFields.items).map((field) => `items.${index}.${field}`),
  );
  return [...own, ...inSteps, ...inItems];
}

/** Lists the Markdown fields of a part that have an image without a description. */
function findImagesWithoutAlt(part: object, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    const value = (part as Record<string, unknown>)[name];
    return type === 'markdown' && typeof value === 'string' && imageWithoutAlt.test(value) ? [name] : [];
  });
}
