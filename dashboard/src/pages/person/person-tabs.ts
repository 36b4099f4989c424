import type { ComponentType } from 'react';
import * as text from '../../messages/text.ts';
import type { PersonTabProps } from '../../people/person-details.ts';

interface PersonTab {
  /** The last part of the address: `/app/people/:id/timeline`. Empty for the first tab. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType<PersonTabProps> }>;
}

const { tabs } = text.person;

/** The tabs of a person, in their order. */
export const personTabs: readonly PersonTab[] = [
  { path: '', title: tabs.overview, load: () => import('./overview/overview-tab.tsx') },
  { path: 'timeline', title: tabs.timeline, load: () => import('./timeline/timeline-tab.tsx') },
  { path: 'queue', title: tabs.queue, load: () => import('./queue/queue-tab.tsx') },
];
