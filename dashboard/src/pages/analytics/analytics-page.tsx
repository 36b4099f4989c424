import { Suspense } from 'react';
import { lazyComponent } from '../../app/lazy-component.ts';
import { NotFound } from '../../app/not-found.tsx';
import { Page } from '../../app/page.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import * as text from '../../messages/text.ts';
import { TabNav } from '../../ui/tab-nav.tsx';
import { analyticsTabs } from './analytics-tabs.ts';
import { ReportBar } from './report-bar.tsx';

const texts = text.analytics;

const tabParts = new Map(
  analyticsTabs.map(({ path, load }) => [path, lazyComponent(() => load().then((module) => module.default))]),
);

/** What people did across all Experiences. What a tab shows is in its address, so that a link shows the same. */
export default function AnalyticsPage({ params: { tab = '' } }: { params: Record<string, string> }) {
  const Tab = tabParts.get(tab);
  if (!Tab) return <NotFound />;
  const kind = analyticsTabs.find(({ path }) => path === tab)?.report;
  return (
    <Page title={texts.title} intro={texts.intro}>
      <div className="border-b border-line">
        <TabNav
          label={texts.tabs.label}
          tabs={analyticsTabs.map(({ path, title }) => ({
            href: `/app/analytics${path && `/${path}`}`,
            title,
            isCurrent: path === tab,
          }))}
        />
      </div>
      {kind && <ReportBar kind={kind} />}
      <Suspense fallback={<TabSkeleton />}>
        <Tab />
      </Suspense>
    </Page>
  );
}
