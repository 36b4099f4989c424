import { firstIdAt, isId, timeOfId, toTimestamp } from '@usher/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRuns } from '../../../../domain/test/random-runs.ts';
import { type Api, newEmail, startApi } from '../../../test/api.ts';
import { type CreatedAccount, createAccount } from '../../features/team/accounts/create-account.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const START = Date.UTC(2029, 3, 7, 12, 18);
const runs = { numRuns: randomRuns(10) };

/** IDs of a few milliseconds, so that many share the same one. */
const id = fc
  .tuple(fc.nat(4), fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 13, maxLength: 13 }))
  .map(([ms, rest]) => firstIdAt(START + ms).slice(0, 11) + rest);
const time = fc.integer({ min: -1, max: 6 }).map((ms) => toTimestamp(START + ms));
const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

/** The rows at the start, and the rows that are added after each page. */
const scenario = fc
  .record({
    ids: fc.uniqueArray(id, { maxLength: 60 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    batch: fc.integer({ min: 1, max: 4 }),
    limits,
  })
  .map(({ ids, share, batch, limits }) => {
    const first = Math.ceil(ids.length * share);
    return { existing: ids.slice(0, first), added: inBatches(ids.slice(first), batch), limits };
  });

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function newAccount(): Promise<CreatedAccount> {
  return createAccount(api.app, { name: 'Pages', email: newEmail() });
}

async function insert({ account_id }: CreatedAccount, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({
    account_id,
    id,
    updated_at: START,
    host: `${id}.test`,
    domain: `${id}.test`,
    enabled: 'on' as const,
  }));
  await api.app.storage.write(account_id, (db) => db.insertInto('urls').values(rows).execute());
}

interface Bounds {
  before?: string | undefined;
  after?: string | undefined;
}

interface ListPage {
  ids: string[];
  cursor: { limit: number; before: string | null };
}

async function getPage(as: CreatedAccount, limit: number, { before, after }: Bounds): Promise<ListPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(before && { before }), ...(after && { after }) });
  const { status, body } = await api.get('/v3/edit/urls', { as, query: query.toString() });
  expect(status).toBe(200);
  return { ids: body.urls.map((url: { id: string }) => url.id), cursor: body.cursor };
}

/** Follows the cursor to the end; `between` is called after each page. */
async function readAll(
  as: CreatedAccount,
  limits: readonly number[],
  { before, after }: Bounds = {},
  between: (page: ListPage, limit: number, before: string | undefined) => Promise<void> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  let next = before;
  for (let pages = 0; ; pages++) {
    const limit = limits[pages % limits.length] ?? 1;
    const page = await getPage(as, limit, { before: next, after });
    seen.push(...page.ids);
    await between(page, limit, next);
    if (page.cursor.before === null) return seen;
    next = page.cursor.before;
  }
}

/** The same rule as in the query, by the time in the ID. */
function isWithin(id: string, { before, after }: Bounds): boolean {
  const isBefore = before === undefined || (isId(before) ? id < before : timeOfId(id) < Date.parse(before));
  const isAfter = after === undefined || (isId(after) ? id > after : timeOfId(id) > Date.parse(after));
  return isBefore && isAfter;
}

function newestFirst(ids: Iterable<string>): string[] {
  return [...ids].sort().reverse();
}

/** Reads all pages within the bounds while rows are added, and compares each page with the rows at that time. */
async function checkPages(
  { existing, added, limits }: { existing: string[]; added: string[][]; limits: number[] },
  bounds: Bounds,
): Promise<void> {
  const as = await newAccount();
  await insert(as, existing);
  const present = new Set(existing);
  const queue = [...added];
  const seen = await readAll(as, limits, bounds, async (page, limit, before) => {
    const left = newestFirst(present).filter((id) => isWithin(id, { before, after: bounds.after }));
    expect(page.ids).toEqual(left.slice(0, limit));
    expect(page.cursor).toEqual({ limit, before: left.length > limit ? left[limit - 1] : null });
    const batch = queue.shift() ?? [];
    await insert(as, batch);
    for (const id of batch) present.add(id);
  });
  expect(seen).toEqual(newestFirst(new Set(seen)));
  const missed = existing.filter((id) => isWithin(id, bounds) && !seen.includes(id));
  expect(missed).toEqual([]);
}

describe('pages of a list', () => {
  it('lists every row once, newest first, while rows are added between pages', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, (params) => checkPages(params, {})),
      runs,
    );
  });

  it('lists only rows before an ID or a time', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.oneof(id, time), (params, before) => checkPages(params, { before })),
      runs,
    );
  });

  it('lists only rows before the ID of a row', async () => {
    const withCursor = scenario
      .filter(({ existing }) => existing.length > 0)
      .chain((params) => fc.tuple(fc.constant(params), fc.constantFrom(...params.existing)));
    await fc.assert(
      fc.asyncProperty(withCursor, ([params, before]) => checkPages(params, { before })),
      runs,
    );
  });

  it('lists only rows after an ID or a time', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.oneof(id, time), (params, after) => checkPages(params, { after })),
      runs,
    );
  });

  it('lists only rows between both bounds', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.oneof(id, time), fc.oneof(id, time), (params, before, after) =>
        checkPages(params, { before, after }),
      ),
      runs,
    );
  });

  it('lists only new rows after the newest ID that the client has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(id, { minLength: 2, maxLength: 40 }),
        fc.nat(),
        limits,
        async (ids, share, limits) => {
          const as = await newAccount();
          const oldestFirst = newestFirst(ids).reverse();
          const at = 1 + (share % (ids.length - 1));
          await insert(as, oldestFirst.slice(0, at));
          const known = await readAll(as, limits);
          await insert(as, oldestFirst.slice(at));
          const added = await readAll(as, limits, { after: known[0] });
          expect([...added, ...known]).toEqual(newestFirst(ids));
        },
      ),
      runs,
    );
  });

  it('misses and repeats no row while rows are added at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ existing, added, limits }) => {
        const as = await newAccount();
        await insert(as, existing);
        const writes: Promise<void>[] = [];
        const queue = [...added];
        const addBatch = () => writes.push(insert(as, queue.shift() ?? []));
        addBatch();
        const seen = await readAll(as, limits, {}, async () => void addBatch());
        await Promise.all(writes);
        expect(seen).toEqual(newestFirst(new Set(seen)));
        expect(existing.filter((id) => !seen.includes(id))).toEqual([]);
      }),
      runs,
    );
  });

  it('lists no rows of another account', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { maxLength: 30 }), fc.nat(30), limits, async (ids, share, limits) => {
        const [one, other] = [await newAccount(), await newAccount()];
        await insert(one, ids.slice(0, share));
        await insert(other, ids.slice(share));
        expect(await readAll(one, limits)).toEqual(newestFirst(ids.slice(0, share)));
        expect(await readAll(other, limits)).toEqual(newestFirst(ids.slice(share)));
      }),
      runs,
    );
  });
});

describe('the limit of a page', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => firstIdAt(START + index));

  it('returns 500 rows at most, and the cursor has that limit', async () => {
    const as = await newAccount();
    const ids = numbered(501);
    await insert(as, ids);
    const page = await getPage(as, 100_000, {});
    expect(page).toEqual({ ids: newestFirst(ids).slice(0, 500), cursor: { limit: 500, before: ids[1] } });
    expect(await getPage(as, 501, { before: ids[1] })).toEqual({ ids: [ids[0]], cursor: { limit: 500, before: null } });
  });

  it('returns no cursor when the last page is full', async () => {
    const as = await newAccount();
    await insert(as, numbered(6));
    expect((await getPage(as, 6, {})).cursor).toEqual({ limit: 6, before: null });
    expect((await getPage(as, 5, {})).cursor).toEqual({ limit: 5, before: numbered(6)[1] });
  });

  it('returns 50 rows without a limit', async () => {
    const as = await newAccount();
    const ids = numbered(51);
    await insert(as, ids);
    const { body } = await api.get('/v3/edit/urls', { as });
    expect(body.urls).toHaveLength(50);
    expect(body.cursor).toEqual({ limit: 50, before: ids[1] });
  });

  it('rejects invalid limits and cursors', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=x',
      'limit=',
      'before=x',
      'after=',
      'before=2029-02-30',
    ]) {
      const { status, body } = await api.get('/v3/edit/urls', { query });
      expect([query, status]).toEqual([query, 422]);
      expect(body.messages).toEqual([expect.stringContaining(`\`${query.split('=')[0]}\` must be`)]);
    }
  });
});

describe('times as cursors', () => {
  it('accepts any time as before and after', async () => {
    const as = await newAccount();
    const ids = [firstIdAt(START), firstIdAt(START + 1)];
    await insert(as, ids);
    const far = '9999-12-31T23:59:59.999Z';
    expect(await readAll(as, [1], { before: far, after: '1970-01-01' })).toEqual(newestFirst(ids));
    expect(await readAll(as, [1], { after: far })).toEqual([]);
    expect(await readAll(as, [1], { before: '0' })).toEqual([]);
    expect(await readAll(as, [1], { before: String(START / 1000 + 1), after: String(START / 1000) })).toEqual([ids[1]]);
  });
});
