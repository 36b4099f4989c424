import {
  type CompiledExperience,
  type Content,
  compileExperience,
  contentByLanguage,
  normalizeKey,
  type PageContent,
  type PageSettings,
} from '@usher/domain';

/** A published version of an Experience, prepared once for all page loads. */
export interface PublishedExperience extends CompiledExperience, Content {
  versionId: string;
  /** The name, as it is stored, of the event that meets the goal. */
  goal: string | null;
  /** About how much memory it takes. */
  bytes: number;
  /** Returns the content for a page in the language of its browser. */
  content(browserLanguage: string | null): PageContent;
}

/**
 * Memory for each character of the stored content: its objects, what is compiled of them, and the JSON for the pages of
 * each language.
 */
const BYTES_PER_CHARACTER = 4;

export function toPublishedExperience(
  id: string,
  versionId: string,
  content: Content,
  settings: PageSettings,
): PublishedExperience {
  const { document, translations } = content;
  return {
    ...compileExperience(id, document),
    versionId,
    document,
    translations,
    bytes: BYTES_PER_CHARACTER * JSON.stringify(content).length,
    goal: document.goal === null ? null : normalizeKey(document.goal),
    content: contentByLanguage(id, content, settings),
  };
}
