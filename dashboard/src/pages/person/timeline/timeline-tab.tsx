import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { PersonTabProps } from '../../../people/person-details.ts';
import { Button } from '../../../ui/button.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { EntryItem } from './entry-item.tsx';
import { groupDays } from './group-days.ts';
import { KindFilter } from './kind-filter.tsx';
import { type TimelineEntry, timelineQuery } from './timeline-entry.ts';
import { useEntryKeys } from './use-entry-keys.ts';
import { useKinds } from './use-kinds.ts';
import { useNearEnd } from './use-near-end.ts';

const texts = text.person.timeline;

/** What a person saw, answered and did, newest first. Older entries are loaded when the end comes near. */
export default function TimelineTab({ person }: PersonTabProps) {
  const { kinds, setKinds } = useKinds();
  const list = useInfiniteQuery(timelineQuery(person.id, kinds));
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.entries), [list.data]);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const loadOlder = () => void (hasNextPage && !isFetchingNextPage && list.fetchNextPage());
  const endRef = useNearEnd(loadOlder, hasNextPage && !isFetchingNextPage && !isFetchNextPageError);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <KindFilter kinds={kinds} onChange={setKinds} />
      {!entries && !list.error && <TimelineSkeleton />}
      {entries?.length === 0 && <Empty isFiltered={kinds.length > 0} onShowAll={() => setKinds([])} />}
      {entries && entries.length > 0 && <Days entries={entries} isBusy={isFetchingNextPage} />}
      <ErrorNotice error={list.error} />
      {entries && entries.length > 0 && (
        <div ref={endRef} className="flex min-h-8 items-center">
          {hasNextPage ? (
            <Button isPending={isFetchingNextPage} onPress={loadOlder}>
              {texts.older}
            </Button>
          ) : (
            <p role="status" className="text-13 text-soft">
              {texts.end(formatNumber(entries.length), entries.length === 1)}
            </p>
          )}
        </div>
      )}
    </div>
  );
}

/** Each day is a feed. Page Up and Page Down, or `j` and `k`, move between the entries of all days. */
function Days({ entries, isBusy }: { entries: readonly TimelineEntry[]; isBusy: boolean }) {
  const ref = useRef<HTMLDivElement>(null);
  useEntryKeys(ref);
  const days = useMemo(() => groupDays(entries, Date.now()), [entries]);
  return (
    <div ref={ref} className="flex flex-col gap-6">
      {days.map((day) => (
        <section key={day.key} className="flex flex-col gap-1">
          <h2 id={`day-${day.key}`} className="sticky top-12 z-10 bg-ground py-1.5 text-13 font-semibold">
            {day.title}
          </h2>
          <div role="feed" aria-labelledby={`day-${day.key}`} aria-busy={isBusy}>
            {day.entries.map((entry, at) => (
              <article
                key={entry.id}
                tabIndex={-1}
                aria-labelledby={`entry-${entry.id}`}
                aria-posinset={at + 1}
                aria-setsize={-1}
                className="flex scroll-mt-24 gap-3 rounded-6 px-1 py-1.5"
              >
                <EntryItem entry={entry} />
              </article>
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function Empty({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  const { title, text: description } = isFiltered ? texts.nothingFound : texts.empty;
  return (
    <EmptyState
      picture={<Drawing of="timeline" />}
      title={title}
      action={isFiltered && <Button onPress={onShowAll}>{texts.nothingFound.action}</Button>}
    >
      {description}
    </EmptyState>
  );
}

function TimelineSkeleton() {
  return (
    <div role="status" aria-label={text.ui.loading(text.person.tabs.timeline)} className="flex flex-col gap-4 pt-2">
      {['44%', '61%', '38%', '52%', '47%'].map((width) => (
        <div key={width} className="flex items-center gap-3">
          <Skeleton width={28} height={28} />
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}
