import type { Texts } from '@usher/domain';

type FileSteps = readonly { id: string; translations: Record<string, { text: string }> }[];

/**
 * The texts of a translation file that somebody has translated. A file has the source text for all others, which is that of the last
 * save: users, and the preview, see the newest one.
 */
export function toChangedTexts(translated: FileSteps, source: FileSteps): Texts {
  const texts: Texts = {};
  for (const [at, { id, translations }] of translated.entries())
    for (const [key, { text }] of Object.entries(translations)) {
      if (source[at]?.translations[key]?.text === text) continue;
      const [modelId, field] = placeOf(id, key);
      texts[modelId] = { ...texts[modelId], [field]: text };
    }
  return texts;
}

/** The model and the field of a text: the key of a button has the ID of the button, that of an answer its index. */
function placeOf(stepId: string, key: string): [modelId: string, field: string] {
  const [list, part = '', field = ''] = key.split(':');
  if (list === 'buttons') return [part, field];
  if (list === 'dropdown_items') return [stepId, `${list}.${part}`];
  return [stepId, key];
}
