import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRows, findRow, nextStart, type PageChain, pagesFor, putPage } from './page-chain.ts';

/**
 * Reads a list as a server does: numbers from the highest to the lowest, in pages. Some pages are short, because the
 * server stopped searching.
 */
function read(list: readonly number[], before: string | null, limit: number, found = limit) {
  const rest = list.filter((one) => before === null || one < Number(before));
  const rows = rest.slice(0, Math.min(limit, found));
  const next = rows.length < rest.length ? String(rows.at(-1) ?? rest[0]) : null;
  return { rows, page: { before, count: rows.length, next, isComplete: found >= limit } };
}

const numbers = (count: number) => [...Array(count).keys()].map((one) => count - one);
const chainOf = (list: readonly number[], limit: number, pages: number) => {
  let chain: PageChain = [];
  for (let count = 0; count < pages; count++) {
    const start = nextStart(chain);
    if (start !== undefined) chain = putPage(chain, read(list, start, limit).page);
  }
  return chain;
};

describe('a chain of pages', () => {
  it('begins with the first page, and ends at the end of the list', () => {
    expect(pagesFor([], { first: 0, last: 0 })).toEqual([null]);
    const chain = chainOf(numbers(250), 100, 9);
    expect(chain.map(({ count }) => count)).toEqual([100, 100, 50]);
    expect(countRows(chain)).toBe(250);
    expect(nextStart(chain)).toBe(undefined);
    expect(pagesFor(chain, { first: 240, last: 250 })).toEqual(['51']);
  });

  it('needs the pages that are visible, and the next one near the end only', () => {
    const chain = chainOf(numbers(1_000), 100, 3);
    expect(pagesFor(chain, { first: 0, last: 20 })).toEqual([null]);
    expect(pagesFor(chain, { first: 95, last: 115 })).toEqual([null, '901']);
    expect(pagesFor(chain, { first: 270, last: 290 })).toEqual(['801', '701']);
  });

  it('goes on while pages are empty because the server gave up', () => {
    const found = [
      { before: null, count: 0, next: '900', isComplete: false },
      { before: '900', count: 2, next: '700', isComplete: false },
    ];
    let chain: PageChain = [];
    for (const page of found) {
      expect(pagesFor(chain, { first: 0, last: countRows(chain) }).at(-1)).toBe(page.before);
      chain = putPage(chain, page);
    }
    expect(pagesFor(chain, { first: 0, last: 2 })).toEqual(['900', '700']);
    expect(findRow(chain, 1)).toEqual({ before: '900', place: 1 });
  });

  it('stays the same object if nothing has changed, and reads again what follows a page that has', () => {
    const chain = chainOf(numbers(500), 100, 4);
    const same = read(numbers(500), '401', 100).page;
    expect(putPage(chain, same)).toBe(chain);
    const without = numbers(500).filter((one) => one !== 350);
    const changed = putPage(chain, read(without, '401', 100).page);
    expect(changed.map(({ next }) => next)).toEqual(['401', '300']);
    // This late response is about a page that does not exist any more.
    expect(putPage(changed, read(without, '301', 100).page)).toBe(changed);
  });

  it('finds each row of any list once, whatever the sizes of its pages', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), fc.nat(60), (sizes, total) => {
        const list = numbers(total);
        const rows = new Map<string | null, number[]>();
        let chain: PageChain = [];
        for (const size of [...sizes, total + 1]) {
          const start = nextStart(chain);
          if (start === undefined) break;
          const { rows: found, page } = read(list, start, total + 1, size);
          rows.set(start, found);
          chain = putPage(chain, page);
        }
        const all = list.map((_, index) => {
          const at = findRow(chain, index);
          return at && rows.get(at.before)?.[at.place];
        });
        expect(all).toEqual(list);
        expect(findRow(chain, total)).toBe(undefined);
      }),
    );
  });
});
