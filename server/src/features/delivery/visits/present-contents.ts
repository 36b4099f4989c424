import { type Decision, isExclusive, isInProgress, labelsFor, memoize } from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import type { DecisionData } from './build-decision-input.ts';

/** The Experiences of a page load as JSON. Most of the JSON was built when they were published. */
export function presentContents(
  { experiences, automatic, waiting }: Decision<PublishedExperience>,
  pageProfile: PageProfile,
  data: DecisionData,
): string {
  const contents = experiences.map((experience) => {
    const more = waiting.includes(experience) ? 'true,"waiting":true' : automatic.includes(experience);
    return presentContent(experience, pageProfile, data, `,"automatic":${more}`);
  });
  return `[${contents.join(',')}]`;
}

/** One Experience as JSON, with the step that the user is at where a tour is in progress. */
export function presentContent(
  experience: PublishedExperience,
  { row: { browser_l }, interactions }: PageProfile,
  { user, input: { now } }: DecisionData,
  more = '',
): string {
  const interaction = interactions.get(experience.id);
  const step = interaction && isExclusive(experience) && isInProgress(interaction, now) ? interaction.step_id : null;
  return experience.content(browser_l).jsonFor(user, step === null ? more : `${more},"step_id":"${step}"`);
}

/** The script's own words, for users who do not read English. */
export function presentLabels({ row: { browser_l } }: PageProfile): Buffer {
  return writeLabels(browser_l ?? '');
}

const writeLabels = memoize((language) => {
  const labels = labelsFor(language);
  return Buffer.from(labels ? `,"labels":${JSON.stringify(labels)}` : '');
});
