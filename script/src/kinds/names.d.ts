/** The kinds of Experiences. It is a part of the npm package. */
export type ExperienceKind = 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';
