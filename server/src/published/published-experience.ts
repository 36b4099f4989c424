import {
  type Content,
  contentByLanguage,
  normalizeKey,
  type PageContent,
  type Showable,
  toShowable,
} from '@usher/domain';

/** A published version of an Experience, made ready once for all page loads. */
export interface PublishedExperience extends Showable, Content {
  versionId: string;
  /** The event that meets it, by its name as it is stored. */
  goal: string | null;
  /** What a page gets of it, in the language of its browser. */
  content(browserLanguage: string | null): PageContent;
}

export function toPublishedExperience(
  id: string,
  versionId: string,
  content: Content,
  allowScripts: boolean,
): PublishedExperience {
  const { document, translations } = content;
  return {
    ...toShowable(id, document),
    versionId,
    document,
    translations,
    goal: document.goal === null ? null : normalizeKey(document.goal),
    content: contentByLanguage(id, content, allowScripts),
  };
}
