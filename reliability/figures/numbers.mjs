import { setTimeout as pause } from 'node:timers/promises';
import { startUsher, unlimited } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';
import { changeUse } from '../numbers/change-use.mjs';
import { compareNumbers, compareParts, createMet } from '../numbers/compare.mjs';
import { compareCounts } from '../numbers/compare-counts.mjs';
import { compareLocalDays } from '../numbers/compare-local-days.mjs';
import { createRandom, generate } from '../numbers/generate.mjs';
import { forEachPart } from '../numbers/parts.mjs';
import { callApi } from '../sync/call-api.mjs';

/**
 * Generates people, events, Interactions and answers with SQL, and compares the numbers of the API with plain SQL.
 * @param {{ people?: number | undefined, events?: number | undefined, seed?: number | undefined }} options
 */
export function numbersAgainstSql({ people, events, seed = 1 }) {
  return async (/** @type {import('../../bench/harness.mjs').Bench} */ bench) => {
    const sizes = {
      people: people ?? (bench.quick ? 1000 : 100_000),
      events: events ?? (bench.quick ? 10_000 : 1_000_000),
      seed,
    };
    const store = await createStore(bench);
    const first = await startUsher(bench, store);
    const call = (/** @type {number} */ port) => (/** @type {string} */ path, /** @type {unknown} */ content) =>
      callApi(port, path, { content });
    const { account } = await call(first.port)('/', undefined);
    const met = await createMet(call(first.port));
    const made = new Map();
    await forEachPart(async (part) => made.set(part.name, await part.create?.(call(first.port), met)));
    await first.stop();

    const now = Date.now();
    bench.note(`writes ${sizes.people} people and ${sizes.events} events, seed ${seed}`);
    const connection = await store.connect();
    await connection.run('begin');
    await generate(connection.run, account.id, now, met, sizes);
    const generating = {
      run: connection.run,
      accountId: account.id,
      now,
      met,
      random: createRandom(seed),
      people: sizes.people,
    };
    await forEachPart((part, own) => part.generate?.(generating, own), made);
    // The server counts the rows when it starts.
    await connection.run('update accounts set recount_at = 0');
    await connection.run('commit');
    await connection.run('analyze');

    const usher = await startUsher(bench, store, { ...unlimited, USHER_PAGE_PROFILES_PER_DAY: '1000000' });
    const send = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ content) =>
      callApi(usher.port, path, { method, content });
    const numbers = {
      send,
      engine: bench.engine,
      accountId: account.id,
      now,
      met,
      call: call(usher.port),
      run: connection.run,
      made,
    };
    const compared = await compareNumbers(numbers);
    const times = bench.quick ? 1500 : 3000;
    await changeUse({ call: numbers.call, send }, met, times, createRandom(seed), made);
    const toMark =
      'select count(*) as n from accounts where test_emails_changed_at <> coalesce(test_emails_marked_at, 0)';
    while (Number((await connection.run(toMark))[0]?.n) > 0) await pause(100);
    compared.push(...(await compareParts(numbers)));
    const counts = await compareCounts(bench.engine, connection.run, account.id, Date.now(), made);
    compared.push(...(await compareLocalDays({ ...numbers, now: Date.now() }, send)));
    compared.push(...(await compareParts(numbers, 'in a time zone whose clocks were changed')));
    await connection.close();
    for (const difference of counts.differences) console.log(`DIFFERS  ${difference}`);
    for (const { name, api, sql } of compared)
      console.log(`${api === sql ? 'same   ' : 'DIFFERS'}  ${name}: ${api}${api === sql ? '' : `, SQL ${sql}`}`);
    const different = compared.filter(({ api, sql }) => api !== sql).length;
    return [
      { part: 'different', value: different, unit: 'numbers', target: { most: 0 } },
      { part: 'compared', value: compared.length, unit: 'numbers' },
      { part: 'counts.different', value: counts.differences.length, unit: 'numbers', target: { most: 0 } },
      { part: 'counts.compared', value: counts.compared, unit: 'numbers' },
    ];
  };
}
