import type { ReportKind } from '@usher/domain';
import type { ComponentType } from 'react';
import * as text from '../../messages/text.ts';

interface AnalyticsTab {
  /** The last part of the address: `/app/analytics/adoption`. Empty for the first tab. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType }>;
  /** The kind of report that the tab shows. The params of its reports are those of its address. */
  report?: ReportKind;
}

const { tabs } = text.analytics;

/** The tabs of Analytics, in their order. */
export const analyticsTabs: readonly AnalyticsTab[] = [
  { path: '', title: tabs.overview, load: () => import('./overview-tab.tsx'), report: 'overview' },
  { path: 'adoption', title: tabs.adoption, load: () => import('./adoption-tab.tsx'), report: 'adoption' },
  { path: 'funnel', title: tabs.funnel, load: () => import('./funnel/funnel-tab.tsx'), report: 'funnel' },
  {
    path: 'interruptions',
    title: tabs.interruptions,
    load: () => import('./interruptions/interruptions-tab.tsx'),
  },
  { path: 'reports', title: tabs.reports, load: () => import('./reports-tab.tsx') },
];
