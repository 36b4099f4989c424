import type { Role } from '@usher/domain';
import { type ExperienceKind, kinds } from '@usher/domain/kinds';
import type { ComponentType } from 'react';
import type { ExperienceTabProps } from '../../editor/experience-tab-props.ts';
import * as text from '../../messages/text.ts';

interface ExperienceTab {
  /** The last part of the address: `/app/experiences/:id/targeting`. Empty for the first tab. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType<ExperienceTabProps> }>;
  /**
   * Whether the tab saves something else than the draft. Then the tab itself shows whether that is saved, and undoes
   * it.
   */
  hasOwnSaving?: boolean;
  /** Whether only surveys have it. */
  isForAnswers?: boolean;
}

/** All tabs, in their order. */
export const experienceTabs: readonly ExperienceTab[] = [
  { path: '', title: text.editor.tabs.content, load: () => import('./content/content-tab.tsx') },
  { path: 'targeting', title: text.editor.tabs.targeting, load: () => import('./targeting/targeting-tab.tsx') },
  {
    path: 'languages',
    title: text.titles.languages,
    load: () => import('./languages/languages-tab.tsx'),
    hasOwnSaving: true,
  },
  { path: 'history', title: text.editor.tabs.history, load: () => import('./history/history-tab.tsx') },
  { path: 'results', title: text.editor.tabs.results, load: () => import('./results/results-tab.tsx') },
  {
    path: 'responses',
    title: text.editor.tabs.responses,
    load: () => import('./results/responses-tab.tsx'),
    isForAnswers: true,
  },
];

export function tabsOf(kind: ExperienceKind): readonly ExperienceTab[] {
  return experienceTabs.filter(({ isForAnswers }) => !isForAnswers || kinds[kind].asks);
}

/** The list that a person with this role goes back to. */
export function listOf(role: Role): string {
  return role === 'translator' ? '/app/languages' : '/app/experiences';
}
