import type { SourceText, StepTexts } from './texts.ts';

export type TextFilter = 'all' | 'missing' | 'review' | 'long';

/** Whether people see a text that has no translation, not even one of the parent language. */
export function isMissing({ is_shown, translations, inherited }: SourceText, language: string): boolean {
  return is_shown && translations[language] === undefined && inherited[language] === undefined;
}

export function isOutdated({ is_shown, translations }: SourceText, language: string): boolean {
  return is_shown && translations[language]?.is_outdated === true;
}

/** Whether a text came with a template, and no person has reviewed it yet. */
export function isUnreviewed({ is_shown, translations }: SourceText, language: string): boolean {
  return is_shown && translations[language]?.is_reviewed === false;
}

function isToReview(text: SourceText, language: string): boolean {
  return isOutdated(text, language) || isUnreviewed(text, language);
}

/** Whether the filter shows a text, in one of the languages. */
export function matchesFilter(
  text: SourceText,
  filter: TextFilter,
  languages: readonly string[],
  isLong: (text: SourceText, language: string) => boolean,
): boolean {
  const test = { all: isWorthShowing, missing: isMissing, review: isToReview, long: isLong }[filter];
  return languages.some((language) => test(text, language));
}

/** An empty text has nothing to translate, but an old translation of it can be removed. */
function isWorthShowing({ text, translations }: SourceText, language: string): boolean {
  return text.trim() !== '' || translations[language] !== undefined;
}

/** The steps with their listed texts. Steps without listed texts are left out. */
export function filterSteps(
  steps: readonly StepTexts[],
  isListed: (text: SourceText) => boolean,
): { step: StepTexts; number: number; texts: SourceText[] }[] {
  return steps.flatMap((step, index) => {
    const texts = step.texts.filter(isListed);
    return texts.length > 0 ? [{ step, number: index + 1, texts }] : [];
  });
}
