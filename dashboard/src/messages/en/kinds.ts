import type { ExperienceKind } from '@usher/domain/kinds';

/* The words for the kinds of Experiences. */

export const kindNames: Record<ExperienceKind, string> = {
  tour: 'Tour',
  survey: 'Survey',
  launcher: 'Launcher',
  tooltip: 'Tooltip',
  embed: 'Embed',
};

/** For lists of one kind. */
export const kindLists: Record<ExperienceKind, string> = {
  tour: 'Tours',
  survey: 'Surveys',
  launcher: 'Launchers',
  tooltip: 'Tooltips',
  embed: 'Embeds',
};

/** In a sentence: "a tour". */
export const kindWords: Record<ExperienceKind, string> = {
  tour: 'tour',
  survey: 'survey',
  launcher: 'launcher',
  tooltip: 'tooltip',
  embed: 'embed',
};
