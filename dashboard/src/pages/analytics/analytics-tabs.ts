import type { ComponentType } from 'react';
import * as text from '../../messages/text.ts';

interface AnalyticsTab {
  /** The last part of the address: `/app/analytics/adoption`. Empty for the first tab. */
  path: string;
  title: string;
  load: () => Promise<{ default: ComponentType }>;
}

const { tabs } = text.analytics;

/** The tabs of Analytics, in their order. */
export const analyticsTabs: readonly AnalyticsTab[] = [
  { path: '', title: tabs.overview, load: () => import('./overview/overview-tab.tsx') },
  { path: 'funnel', title: tabs.funnel, load: () => import('./funnel/funnel-tab.tsx') },
];
