import {
  type CompiledExperience,
  type Content,
  compileExperience,
  contentByLanguage,
  type ExperienceGoal,
  listGoals,
  type PageContent,
  type PageSettings,
  primaryGoal,
} from '@usher/domain';

/** A published version of an Experience, prepared once for all page loads. */
export interface PublishedExperience extends CompiledExperience, Content {
  versionId: string;
  /** The primary goal, which may be a shared one. */
  goal: ExperienceGoal | undefined;
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
    goal: primaryGoal(listGoals(document)),
    content: contentByLanguage(id, content, settings),
  };
}
