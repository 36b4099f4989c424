import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type ChainedPage, countRows, findRow, nextStart, type PageChain, pagesFor, putPage } from './page-chain.ts';

/** Rows that are out of sight are dropped after this time, so that memory does not grow with the list. */
const KEEP_ROWS_MS = 60_000;
/** How many lists keep their cursors, so that going back shows the place where a list was left. */
const MAX_CHAINS = 20;

interface LoadedPage<Item> extends Omit<ChainedPage, 'before' | 'count'> {
  items: readonly Item[];
}

/** The source of a list. Two sources with the same key have the same rows. */
export interface ListSource<Item> {
  key: readonly unknown[];
  /** Reads a page. The signal is aborted when the page is no longer needed. */
  load: (signal: AbortSignal, before: string | null) => Promise<LoadedPage<Item>>;
}

export interface PagedList<Item> {
  rowCount: number;
  itemAt: (index: number) => Item | undefined;
  /** Whether there may be more rows than are known. */
  hasMore: boolean;
  /** Whether more rows are being loaded. */
  isLoadingMore: boolean;
  /** Whether the server has not found enough yet, so that the list continues the search automatically. */
  isLooking: boolean;
  isStopped: boolean;
  /** Whether the first page is not loaded yet. */
  isFirstLoad: boolean;
  error: unknown;
  retry: () => void;
  setRange: (first: number, last: number) => void;
  setStopped: (isStopped: boolean) => void;
}

const chains = new Map<string, PageChain>();

export const nameOfSource = ({ key }: Pick<ListSource<unknown>, 'key'>): string => JSON.stringify(key);

function pageOptions<Item>({ key, load }: ListSource<Item>, before: string | null) {
  return {
    queryKey: [...key, 'page', before],
    queryFn: ({ signal }: { signal: AbortSignal }) => load(signal, before),
    gcTime: KEEP_ROWS_MS,
  };
}

/** A list of any length. Only its visible pages are loaded. The component needs a new `key` for another source. */
export function usePagedList<Item>(source: ListSource<Item>): PagedList<Item> {
  const name = nameOfSource(source);
  const [chain, setChain] = useState<PageChain>(() => chains.get(name) ?? []);
  const [range, setRangeState] = useState({ first: 0, last: 0 });
  const [isStopped, setStopped] = useState(false);
  const next = nextStart(chain);
  const wanted = pagesFor(chain, range).filter((before) => !isStopped || before !== next);
  const results = useQueries({ queries: wanted.map((before) => pageOptions(source, before)) });
  const loaded = new Map(wanted.map((before, index) => [before, results[index]?.data]));
  const updated = [...loaded].reduce(
    (all, [before, page]) =>
      page ? putPage(all, { before, count: page.items.length, next: page.next, isComplete: page.isComplete }) : all,
    chain,
  );
  if (updated !== chain) setChain(updated);
  useEffect(() => keepChain(name, chain), [name, chain]);
  const setRange = useCallback((first: number, last: number) => {
    setRangeState((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, []);
  const isLoadingMore = next !== undefined && wanted.includes(next);
  return {
    rowCount: countRows(chain),
    itemAt: (index) => {
      const row = findRow(chain, index);
      return row && loaded.get(row.before)?.items[row.place];
    },
    hasMore: next !== undefined,
    isLoadingMore,
    isLooking: isLoadingMore && chain.at(-1)?.isComplete === false,
    isStopped,
    isFirstLoad: chain.length === 0,
    error: results.find(({ error }) => error)?.error,
    retry: () => {
      for (const { error, refetch } of results) if (error) void refetch();
    },
    setRange,
    setStopped,
  };
}

function keepChain(name: string, chain: PageChain): void {
  chains.delete(name);
  chains.set(name, chain);
  const [oldest] = chains.keys();
  if (chains.size > MAX_CHAINS && oldest !== undefined) chains.delete(oldest);
}

/**
 * The source whose rows are shown: the wanted source as soon as its first page is loaded, and the previous source until
 * then.
 */
export function useShownSource<Item>(wanted: ListSource<Item>): { shown: ListSource<Item>; isWaiting: boolean } {
  const [shown, setShown] = useState(wanted);
  const isSame = nameOfSource(shown) === nameOfSource(wanted);
  const { data, error } = useQuery({ ...pageOptions(wanted, null), enabled: !isSame });
  if (!isSame && (data || error)) setShown(wanted);
  return { shown, isWaiting: !isSame };
}
