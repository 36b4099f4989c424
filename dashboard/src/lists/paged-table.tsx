import type { ReactNode } from 'react';
import { ErrorNotice } from '../app/error-notice.tsx';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { LongTable } from '../ui/long-table.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { TableColumn } from '../ui/table.tsx';
import { isNarrow, useWidth } from '../ui/use-width.ts';
import { type ListSource, nameOfSource, type PagedList, usePagedList, useShownSource } from './use-paged-list.ts';

const texts = text.lists;
const FIRST_ROWS = 8;

interface PagedTableProps<Item> {
  label: string;
  source: ListSource<Item>;
  /** The columns. In narrow windows, rows have two lines. */
  columns: (narrow: boolean) => readonly TableColumn<Item>[];
  hrefOf: (item: Item) => string;
  /** Shown if there are no rows. */
  empty: ReactNode;
  /** Describes how many rows were found, from the number of loaded rows. */
  describeCount: (loaded: number, hasMore: boolean) => ReactNode;
}

/** A list of any length with what is found so far under it. While the results of another search load, the previous results stay. */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { shown, isWaiting } = useShownSource(props.source);
  return <ShownTable key={nameOfSource(shown)} {...props} source={shown} isWaiting={isWaiting} />;
}

function ShownTable<Item>(props: PagedTableProps<Item> & { isWaiting: boolean }) {
  const { label, source, hrefOf, empty, describeCount, isWaiting } = props;
  const list = usePagedList(source);
  const [ref, width] = useWidth();
  const { rowCount, hasMore, isFirstLoad, isLoadingMore, error } = list;
  const isEmpty = rowCount === 0 && !hasMore;
  const loadingRows = isFirstLoad ? FIRST_ROWS : isLoadingMore && !list.isLooking && !error ? 1 : 0;
  const narrow = isNarrow(width);
  return (
    <div ref={ref} className="flex flex-col gap-3">
      {error !== undefined && error !== null && (
        <div className="flex flex-col items-start gap-3">
          <ErrorNotice error={error} />
          <Button onPress={list.retry}>{texts.retry}</Button>
        </div>
      )}
      {isEmpty && !isFirstLoad
        ? empty
        : (rowCount > 0 || !error) &&
          rowCount + loadingRows > 0 && (
            <LongTable
              label={label}
              columns={props.columns(narrow)}
              rowCount={rowCount}
              loadingRows={loadingRows}
              hasMore={hasMore}
              itemAt={list.itemAt}
              onRange={list.setRange}
              hrefOf={hrefOf}
              placeKey={nameOfSource(source)}
              hasTwoLines={narrow}
              isBusy={isWaiting}
            />
          )}
      {!isEmpty && !isFirstLoad && <Found list={list}>{describeCount(rowCount, hasMore)}</Found>}
    </div>
  );
}

/** Below the table: how many rows there are, or that the server is still searching. */
function Found({ list, children }: { list: PagedList<unknown>; children: ReactNode }) {
  const { rowCount, isLooking, isStopped, setStopped } = list;
  const found = formatNumber(rowCount);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2 text-13 text-soft">
      <p role="status" className="flex items-center gap-2">
        {isLooking && <Spinner />}
        {isLooking ? texts.looking(found, rowCount) : isStopped ? texts.stopped(found, rowCount) : children}
      </p>
      {isLooking && (
        <Button size="small" onPress={() => setStopped(true)}>
          {texts.stop}
        </Button>
      )}
      {isStopped && (
        <Button size="small" onPress={() => setStopped(false)}>
          {texts.goOn}
        </Button>
      )}
    </div>
  );
}
