/** Records which items the webhooks received, in which order, and which of them they accepted. */
export class Ledger {
  /** The items by the path of the webhook, then by the page of the report. @type {Map<string, Map<string, { ids: Set<string>, accepted: number }>>} */
  #received = new Map();

  /**
   * @param {string} path the path of the webhook
   * @param {{ id: string, data: { action: { href: string } } }} item
   */
  record(path, { id, data }) {
    const pages = this.#received.get(path) ?? new Map();
    this.#received.set(path, pages);
    const page = pages.get(data.action.href) ?? { ids: new Set(), accepted: 0 };
    pages.set(data.action.href, page);
    page.ids.add(id);
    return {
      accepted: () => {
        page.accepted += 1;
      },
    };
  }

  /**
   * @param {readonly string[]} paths
   * @param {readonly string[]} acknowledged the pages of all reports that the server accepted
   */
  check(paths, acknowledged) {
    const received = paths.map((path) => this.#received.get(path) ?? new Map());
    const all = received.flatMap((pages) => [...pages.values()]);
    const lost = received.flatMap((pages) => acknowledged.filter((href) => !pages.get(href)?.accepted));
    const renamed = acknowledged.filter(
      (href) => new Set(received.flatMap((pages) => [...(pages.get(href)?.ids ?? [])])).size > 1,
    );
    return {
      lost,
      renamed,
      disordered: received.flatMap((pages) => outOfOrder([...pages.keys()])),
      twice: all.filter(({ accepted }) => accepted > 1).length,
    };
  }
}

/**
 * Checks with invented histories that the ledger finds each kind of loss, and nothing else.
 * @returns {number} how many histories were checked
 */
export function checkLedger() {
  const check = (/** @type {[string, string, number, boolean?][]} */ ...received) => {
    const ledger = new Ledger();
    for (const [path, id, n, accepted = true] of received) {
      const item = ledger.record(path, { id, data: { action: { href: `http://localhost/ann/${n}` } } });
      if (accepted) item.accepted();
    }
    const { lost, renamed, disordered } = ledger.check(
      ['/one', '/two'],
      [1, 2].map((n) => `http://localhost/ann/${n}`),
    );
    return `${lost.length} ${renamed.length} ${disordered.length}`;
  };
  const second = /** @type {[string, string, number][]} */ ([
    ['/two', 'a', 1],
    ['/two', 'b', 2],
  ]);
  const results = [
    [check(['/one', 'a', 1], ['/one', 'b', 2], ...second), '0 0 0'],
    [check(['/one', 'a', 1, false], ['/one', 'a', 1], ['/one', 'b', 2], ['/one', 'a', 1], ...second), '0 0 0'],
    [check(['/one', 'a', 1], ...second), '1 0 0'],
    [check(['/one', 'a', 1], ['/one', 'b', 2, false], ...second), '1 0 0'],
    [check(['/one', 'a', 1], ['/one', 'c', 2], ...second), '0 1 0'],
    [check(['/one', 'b', 2], ['/one', 'a', 1], ...second), '0 0 1'],
  ];
  for (const [index, [found, expected]] of results.entries())
    if (found !== expected) throw new Error(`The ledger found in history ${index}: ${found}, not ${expected}`);
  return results.length;
}

/**
 * Lists the pages that came after a later page of the same user. Pages are ordered by their first arrival.
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
