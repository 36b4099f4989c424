import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { NameOf } from '@usher/domain/sentences';
import { useMemo } from 'react';
import { ErrorNotice } from '../app/error-notice.tsx';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Change } from './change.ts';
import { groupSittings } from './group-sittings.ts';
import { SittingItem } from './sitting-item.tsx';

const texts = text.history;

interface TimelineProps {
  list: UseInfiniteQueryResult<InfiniteData<{ changes: readonly Change[] }>>;
  /** The kind of the Experience, or `theme`. */
  kind: string;
  nameOf: NameOf;
  isReverting: boolean;
  /** The Change that a link names: its entry is marked and scrolled to. */
  shownId?: string;
  /** Goes back to the state after a Change. */
  onRevert?: (changeId: string) => void;
}

/** Changes by the people who made them, the newest first. */
export function Timeline({ list, kind, nameOf, isReverting, shownId, onRevert }: TimelineProps) {
  const sittings = useMemo(
    () => list.data && groupSittings(list.data.pages.flatMap((page) => page.changes)),
    [list.data],
  );
  return (
    <>
      <ErrorNotice error={list.error} />
      {!sittings && !list.error && <HistorySkeleton />}
      {sittings?.length === 0 && (
        <EmptyState picture={<Drawing of="history" />} title={texts.empty.title}>
          {texts.empty.description}
        </EmptyState>
      )}
      {sittings && sittings.length > 0 && (
        <ol className="flex flex-col">
          {sittings.map((sitting, at) => (
            <SittingItem
              key={sitting.id}
              sitting={sitting}
              kind={kind}
              nameOf={nameOf}
              isNewest={at === 0}
              isLast={at === sittings.length - 1}
              isShown={shownId !== undefined && sitting.changes.some(({ id }) => id === shownId)}
              {...(onRevert && at > 0 && { onRevert: () => onRevert(sitting.id) })}
              isReverting={isReverting}
            />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </>
  );
}

function HistorySkeleton() {
  return (
    <div role="status" aria-label={text.ui.loading(texts.loading)} className="flex flex-col gap-4">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={96} />
      ))}
    </div>
  );
}
