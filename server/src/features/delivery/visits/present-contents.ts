import {
  createLookup,
  type Decision,
  type Document,
  findReadyStart,
  isExclusive,
  isInProgress,
  labelsFor,
  listReachedSteps,
  memoize,
  type PageTheme,
} from '@usher/domain';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import type { PublishedExperience } from '../../../published/published-experience.ts';
import { DEFAULT_THEME } from '../../../published/published-themes.ts';
import type { DecisionData } from './build-decision-input.ts';
import { findChecklistProgress } from './checklist-progress.ts';

/** The Experiences of a page load as JSON. Most of the JSON was built when they were published. */
export function presentContents(
  { experiences, automatic, waiting }: Decision<PublishedExperience>,
  pageProfile: PageProfile,
  data: DecisionData,
  done: ReadonlySet<string> = new Set(),
): string {
  const contents = experiences.map((experience) => {
    const more = waiting.includes(experience) ? 'true,"waiting":true' : automatic.includes(experience);
    const celebrate = done.has(experience.id) ? ',"celebrate":true' : '';
    return presentContent(
      experience,
      pageProfile,
      data,
      `,"automatic":${more}${presentEvents(experience, data)}${celebrate}`,
    );
  });
  return `[${contents.join(',')}]`;
}

/** What events have done for an Experience: most wait for none. */
function presentEvents(
  experience: PublishedExperience,
  { input: { starts, interactions, now } }: DecisionData,
): string {
  if (starts.length === 0 || experience.events.length === 0) return '';
  const interaction = interactions.get(experience.id);
  const isStart = !isInProgress(interaction, now) && findReadyStart(experience, starts, interaction, now);
  const reached = listReachedSteps(experience, starts, now);
  return `${isStart ? ',"by_event":true' : ''}${reached.length > 0 ? `,"reached":${JSON.stringify(reached)}` : ''}`;
}

/** One Experience as JSON, with the step that the user is at where a tour is in progress. */
export function presentContent(
  experience: PublishedExperience,
  { row: { browser_l }, interactions }: PageProfile,
  data: DecisionData,
  more = '',
): string {
  const { user, input } = data;
  const interaction = interactions.get(experience.id);
  const step =
    interaction && isExclusive(experience) && isInProgress(interaction, input.now) ? interaction.step_id : null;
  const items = findChecklistProgress(experience, interaction, data)?.items;
  const reader = items ? { ...user, items } : user;
  return experience.content(browser_l).jsonFor(reader, step === null ? more : `${more},"step_id":"${step}"`);
}

/** The style sheets of the themes of these Experiences, each once. Empty if they have the look of the script. */
export function presentThemes(
  { themes }: { themes: ReadonlyMap<string, PageTheme> | undefined },
  experiences: readonly { document: Pick<Document, 'theme_id'> }[],
  { user, matches }: DecisionData,
): string {
  if (!themes) return '';
  const keys = new Set(experiences.map(({ document }) => document.theme_id ?? DEFAULT_THEME));
  const lookup = createLookup(user);
  const sheets = [...keys].flatMap((key) => {
    const json = themes.get(key)?.jsonFor({ matches, lookup });
    return json ? `"${key}":${json}` : [];
  });
  return sheets.length === 0 ? '' : `,"themes":{${sheets.join(',')}}`;
}

/** The script's own words, for users who do not read English. */
export function presentLabels({ row: { browser_l } }: PageProfile): Buffer {
  return writeLabels(browser_l ?? '');
}

const writeLabels = memoize((language) => {
  const labels = labelsFor(language);
  return Buffer.from(labels ? `,"labels":${JSON.stringify(labels)}` : '');
});
