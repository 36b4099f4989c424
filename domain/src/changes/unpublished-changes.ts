import type { Content } from '../content/content.ts';
import { diffDocuments, diffLanguage } from './diff.ts';

/** Whether the draft, or a translation of it, has changes that users do not see yet. Some fields take effect without publishing, and Tags never do. */
export function hasUnpublishedChanges(id: string, published: Content, draft: Content): boolean {
  const { position, tag_ids, goals, published_at, published_until, archived_at } = draft.document;
  const comparable = { ...published.document, position, tag_ids, goals, published_at, published_until, archived_at };
  // This is fast, and true for most Experiences.
  if (isSame(comparable, draft.document) && isSame(published.translations, draft.translations)) return false;
  if (diffDocuments(id, comparable, draft.document).length > 0) return true;
  const languages = Object.keys({ ...published.translations, ...draft.translations });
  const textsOf = ({ translations }: Content, language: string) => translations[language] ?? {};
  return languages.some(
    (language) =>
      diffLanguage(id, draft.document, language, textsOf(published, language), textsOf(draft, language)).length > 0,
  );
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
