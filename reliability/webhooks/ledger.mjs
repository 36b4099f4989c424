/** What was told to webhooks, by whom it was done and as how manieth thing: what came first, and whether it was taken. */
export class Ledger {
  /** By path, then by the page that was reported. @type {Map<string, Map<string, { ids: Set<string>, taken: number }>>} */
  #heard = new Map();

  /**
   * @param {string} path of the webhook
   * @param {{ id: string, data: { action: { href: string } } }} item
   */
  hear(path, { id, data }) {
    const pages = this.#heard.get(path) ?? new Map();
    this.#heard.set(path, pages);
    const page = pages.get(data.action.href) ?? { ids: new Set(), taken: 0 };
    pages.set(data.action.href, page);
    page.ids.add(id);
    return {
      taken: () => {
        page.taken += 1;
      },
    };
  }

  /**
   * @param {readonly string[]} paths
   * @param {readonly string[]} acknowledged the pages of all reports that were answered
   */
  judge(paths, acknowledged) {
    const heard = paths.map((path) => this.#heard.get(path) ?? new Map());
    const all = heard.flatMap((pages) => [...pages.values()]);
    const lost = heard.flatMap((pages) => acknowledged.filter((href) => !pages.get(href)?.taken));
    const renamed = acknowledged.filter(
      (href) => new Set(heard.flatMap((pages) => [...(pages.get(href)?.ids ?? [])])).size > 1,
    );
    return {
      lost,
      renamed,
      disordered: heard.flatMap((pages) => outOfOrder([...pages.keys()])),
      twice: all.filter(({ taken }) => taken > 1).length,
    };
  }
}

/**
 * Whether it finds what it is there for, and nothing else.
 * @returns {number} how many made-up histories it judged
 */
export function checkTheLedger() {
  const judge = (/** @type {[string, string, number, boolean?][]} */ ...heard) => {
    const ledger = new Ledger();
    for (const [path, id, n, taken = true] of heard) {
      const told = ledger.hear(path, { id, data: { action: { href: `http://localhost/ann/${n}` } } });
      if (taken) told.taken();
    }
    const { lost, renamed, disordered } = ledger.judge(
      ['/one', '/two'],
      [1, 2].map((n) => `http://localhost/ann/${n}`),
    );
    return `${lost.length} ${renamed.length} ${disordered.length}`;
  };
  const second = /** @type {[string, string, number][]} */ ([
    ['/two', 'a', 1],
    ['/two', 'b', 2],
  ]);
  const judged = [
    [judge(['/one', 'a', 1], ['/one', 'b', 2], ...second), '0 0 0'],
    [judge(['/one', 'a', 1, false], ['/one', 'a', 1], ['/one', 'b', 2], ['/one', 'a', 1], ...second), '0 0 0'],
    [judge(['/one', 'a', 1], ...second), '1 0 0'],
    [judge(['/one', 'a', 1], ['/one', 'b', 2, false], ...second), '1 0 0'],
    [judge(['/one', 'a', 1], ['/one', 'c', 2], ...second), '0 1 0'],
    [judge(['/one', 'b', 2], ['/one', 'a', 1], ...second), '0 0 1'],
  ];
  for (const [index, [found, expected]] of judged.entries())
    if (found !== expected) throw new Error(`The ledger finds in history ${index}: ${found}, not ${expected}`);
  return judged.length;
}

/**
 * Those that came after a later one of the same user; a map keeps the order of first arrival.
 * @param {readonly string[]} hrefs
 */
function outOfOrder(hrefs) {
  /** @type {Map<string, number>} */
  const last = new Map();
  return hrefs.filter((href) => {
    const [, user = '', n = ''] = new URL(href).pathname.split('/');
    const before = last.get(user) ?? -1;
    last.set(user, Math.max(before, Number(n)));
    return Number(n) < before;
  });
}
