/*
 * A list of any length is read page by page, each with the cursor that the page before it ends with. Only the cursors and the numbers of
 * rows are kept, so that the rows of a page can be dropped when they are out of sight, and read again.
 */

export interface ChainedPage {
  /** Where it begins: the cursor for the server. Null is the beginning of the list. */
  before: string | null;
  count: number;
  /** Where the next page begins. Null is the end of the list. */
  next: string | null;
  /** False if the server gave up before the page was full. */
  isComplete: boolean;
}

export type PageChain = readonly ChainedPage[];

/** Rows before the end at which the next page is loaded. */
const AHEAD = 40;

export function countRows(chain: PageChain): number {
  return chain.reduce((sum, { count }) => sum + count, 0);
}

/** Where the next page begins that is not known yet, or undefined at the end of the list. */
export function nextStart(chain: PageChain): string | null | undefined {
  const last = chain.at(-1);
  return last === undefined ? null : (last.next ?? undefined);
}

/** The beginnings of the pages that have these rows, and of the next one if the end is near. */
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
 * Adds a page that was loaded. If it is known and ends elsewhere now, since people came or went, what follows it is read again. Returns
 * the same chain if nothing has changed.
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
