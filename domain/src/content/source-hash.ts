import type { Texts } from './content.ts';
import type { Document } from './experience.ts';
import { listTranslatableSteps, type TranslatableText } from './translatable-texts.ts';

/*
 * A translation is outdated when its source text has changed since it was written. For this, each translation is stored
 * with a hash of its source text. A mark before the hash says that no person of the account has reviewed the translation.
 */

/** A short hash (FNV-1a). It only has to differ when a text is edited, so 32 bits are enough. */
export function hashSource(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Whether a source text has changed since it was translated. Translations from before hashes were stored have none. */
export function isOutdated({ modelId, field, text }: TranslatableText, sources: Texts = {}): boolean {
  const hash = sources[modelId]?.[field];
  return hash !== undefined && hash.replace(UNREVIEWED, '') !== hashSource(text);
}

/** Comes before the hash of a translation that no person has written or confirmed. */
const UNREVIEWED = '?';

/** Whether somebody of the account has written or confirmed a translation. A translation that came with a template is unconfirmed. */
export function isReviewed({ modelId, field }: TranslatableText, sources: Texts = {}): boolean {
  return !sources[modelId]?.[field]?.startsWith(UNREVIEWED);
}

/** The hashes of translations that no administrator of the account has read. */
export function markUnreviewed(sources: Texts): Texts {
  const mark = (hashes: Record<string, string>) =>
    Object.fromEntries(Object.entries(hashes).map(([field, hash]) => [field, UNREVIEWED + hash]));
  return Object.fromEntries(Object.entries(sources).map(([id, hashes]) => [id, mark(hashes)]));
}

/** The hashes for translations that belong to the texts of this document. */
export function hashSources(id: string, document: Document, translated: Texts): Texts {
  const sources: Texts = {};
  for (const { texts } of listTranslatableSteps(id, document))
    for (const { modelId, field, text } of texts) {
      if (translated[modelId]?.[field] === undefined) continue;
      sources[modelId] ??= {};
      sources[modelId][field] = hashSource(text);
    }
  return sources;
}

/**
 * The hashes after texts were restored together with their source texts. A text that stays as it was keeps its hash. Others
 * count as written for the restored source text, because history does not say when they were written.
 */
export function restoreSources(
  id: string,
  document: Document,
  before: { texts: Texts; sources: Texts },
  restored: Texts,
): Texts {
  const sources = hashSources(id, document, restored);
  for (const [modelId, hashes] of Object.entries(sources))
    for (const field of Object.keys(hashes)) {
      if (before.texts[modelId]?.[field] !== restored[modelId]?.[field]) continue;
      const hash = before.sources[modelId]?.[field];
      if (hash === undefined) delete hashes[field];
      else hashes[field] = hash;
    }
  return sources;
}
