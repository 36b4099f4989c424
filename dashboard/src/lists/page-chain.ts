/*
 * A list of any length is read page by page, each with the cursor at the end of the previous page. Only the cursors and
 * the numbers of rows are kept, so that the rows of a page can be dropped when they are out of sight, and read again.
 */

export interface ChainedPage {
  /** The cursor at which the page begins. Null is the beginning of the list. */
  before: string | null;
  count: number;
  /** Where the next page begins. Null is the end of the list. */
  next: string | null;
  /** False if the server stopped searching before the page was full. */
  isComplete: boolean;
}

export type PageChain = readonly ChainedPage[];

/** The next page is loaded when this many rows are left. */
const AHEAD = 40;

export function countRows(chain: PageChain): number {
  return chain.reduce((sum, { count }) => sum + count, 0);
}

/** The cursor at which the first unknown page begins, or undefined at the end of the list. */
export function nextStart(chain: PageChain): string | null | undefined {
  const last = chain.at(-1);
  return last === undefined ? null : (last.next ?? undefined);
}

/** The cursors of the pages that have these rows, and of the next page if the end is near. */
export function pagesFor(chain: PageChain, { first, last }: { first: number; last: number }): (string | null)[] {
  const starts: (string | null)[] = [];
  let row = 0;
  for (const { before, count } of chain) {
    if (row < last && row + count > first) starts.push(before);
    row += count;
  }
  const next = nextStart(chain);
  if (next !== undefined && last + AHEAD > row) starts.push(next);
  return starts;
}

/**
 * Adds a page that was loaded. If the page is known and ends elsewhere now, because rows were added or removed, the
 * following pages are read again. Returns the same chain if nothing has changed.
 */
export function putPage(chain: PageChain, page: ChainedPage): PageChain {
  const index = chain.findIndex(({ before }) => before === page.before);
  if (index < 0) return nextStart(chain) === page.before ? [...chain, page] : chain;
  const known = chain[index] as ChainedPage;
  if (known.next !== page.next) return [...chain.slice(0, index), page];
  if (known.count === page.count && known.isComplete === page.isComplete) return chain;
  return chain.map((one, at) => (at === index ? page : one));
}

/** The page that has a row, and the place of the row in it. */
export function findRow(chain: PageChain, index: number): { before: string | null; place: number } | undefined {
  let row = 0;
  for (const { before, count } of chain) {
    if (index < row + count) return { before, place: index - row };
    row += count;
  }
  return undefined;
}
