import { type ExperienceKind, joinNames, listKindsWith } from '@usher/domain/kinds';

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

const exclusive = listKindsWith('isExclusive');
/** What Deliveries start and limits count: "tour or survey", "tours and surveys". */
export const exclusiveWords = joinNames(
  exclusive.map((kind) => kindWords[kind]),
  'or',
);
export const exclusiveLists = joinNames(
  exclusive.map((kind) => kindLists[kind].toLowerCase()),
  'and',
);
