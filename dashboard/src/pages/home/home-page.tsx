import { Page } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { GetStarted } from './get-started.tsx';
import { LiveNow } from './live-now.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { News } from './news.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { LoadSampleData, NothingLive, RemoveSampleData } from './sample-data.tsx';
import { TourCard } from './tour-card.tsx';
import { TrendTiles } from './trend-tiles.tsx';

/** The first page: what to do next, what is live, what needs attention, and what others have changed. */
export default function HomePage() {
  return (
    <Page
      title={text.home.title}
      actions={
        // The element has the height of its button from the beginning, so that nothing moves when the button appears.
        <div className="min-h-8">
          <LoadSampleData />
          <RemoveSampleData />
        </div>
      }
    >
      <TourCard />
      <GetStarted />
      <TrendTiles />
      <div className="grid items-start gap-6 @4xl:grid-cols-3">
        <NeedsAttention className="@4xl:order-2" />
        <div className="flex min-w-0 flex-col gap-6 @4xl:col-span-2">
          <News />
          <LiveNow empty={<NothingLive />} />
          <RecentChanges />
        </div>
      </div>
    </Page>
  );
}
