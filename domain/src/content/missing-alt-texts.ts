import type { Document } from './experience.ts';

/** An image in Markdown without a description. */
const imageWithoutAlt = /!\[\s*\]\(/;

/** The fields in which a picture or a video has no description for people who cannot see it, as `steps.0.picture_alt`. */
export function listMissingAltTexts({ steps }: Pick<Document, 'steps'>): string[] {
  return steps.flatMap(({ picture, video_url, picture_alt, body }, index) => [
    ...((picture || video_url) && !picture_alt?.trim() ? [`steps.${index}.picture_alt`] : []),
    ...(imageWithoutAlt.test(body ?? '') ? [`steps.${index}.body`] : []),
  ]);
}
