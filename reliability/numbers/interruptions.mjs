import { createIds, createWriter } from './generate.mjs';
import { countListed, DAY_MS, dayWriter, groupBy, quantileOf, readTruth, toDate } from './truth.mjs';

/*
 * Interruptions by week, counted again from the rows of each person, with the people of the numbers. A ledger keeps what pages reported of tours that
 * started automatically.
 */

const COMMUTERS = 30;
const WEEKS = 9;
const measures = ['interruptions', 'steps', 'seconds'];
/** The first number of each group of people after "none". @type {Record<string, number[]>} */
const groups = {
  interruptions: [1, 2, 3, 4, 6, 11],
  steps: [1, 2, 3, 4, 6, 11, 21],
  seconds: [1, 11, 31, 61, 121, 301, 601],
};

/** @typedef {import('./truth.mjs').Row} Row */
/** @typedef {Record<string, number>} Use of one person, by measure */

/** @type {import('./parts.mjs').Part} */
export const interruptions = {
  name: 'interruptions',

  async create(call) {
    const tours = [];
    for (const name of ['First', 'Second', 'Third']) {
      const steps = ['One', 'Two', 'Three'].map((title) => ({ title }));
      tours.push((await call('/v3/edit/tours', { name, steps, published_at: '$now' })).tour);
    }
    return { tours, ledger: new Map() };
  },

  async generate({ run, accountId, now, random }, { tours }) {
    const pick = (/** @type {number} */ below) => Math.floor(random() * below);
    const newId = createIds(2 ** 44);
    const write = createWriter(run, accountId);
    const people = await run(`select id from profiles where account_id = '${accountId}' order by id`);
    const today = Math.floor(now / DAY_MS);
    for (const { id: profile_id } of people)
      for (const { id: experience_id } of tours) {
        if (pick(3) === 0) continue;
        const at = now - pick(50) * DAY_MS - DAY_MS / 2;
        await write('interactions', {
          ...{ id: newId(at), updated_at: at, experience_id, profile_id, group_kind: 'campaign' },
          ...{ state: 'completed', started_at: at, completed_at: at },
        });
        for (const day of new Set(Array.from({ length: 1 + pick(4) }, () => today - 1 - pick(50)))) {
          const use = { interruptions: pick(3), steps: pick(4), seconds: pick(3) === 0 ? 0 : pick(700) };
          await write('interruption_days', { profile_id, experience_id, day, ...use });
        }
      }
    await write.flush();
  },

  actions({ call, send, pick, load }, { tours, ledger }) {
    const uidOf = () => `commuter-${pick(COMMUTERS)}`;
    const idOf = async (/** @type {string} */ uid) => (await call('/v3/observe/hooks/profiles', { uid })).profile.id;
    const entryOf = (/** @type {string} */ uid) => {
      if (!ledger.has(uid)) ledger.set(uid, { seen: new Set(), uses: [] });
      return ledger.get(uid);
    };
    /** A page shows a tour. Each step but the last one was there for a moment, which is a second. @returns {Promise<Use>} */
    const commute = async (/** @type {string} */ visit_token, /** @type {any} */ tour, group_kind = 'campaign') => {
      const steps = tour.steps.slice(0, 1 + pick(3));
      for (const [at, { id: step_id }] of steps.entries()) {
        const before = Date.now();
        await send('POST', '/v3/observe/interactions', {
          ...{ visit_token, experience_id: tour.id, href: 'http://localhost/', group_kind, elapsed: 60_000 },
          ...{ step_id, ...(at === 0 && { state: 'started' }) },
        });
        // Two steps of one millisecond have no order.
        while (Date.now() <= before + 1) await Promise.resolve();
      }
      return { interruptions: 1, steps: steps.length, seconds: steps.length - 1 };
    };
    const meet = async (/** @type {string} */ uid) => {
      const entry = entryOf(uid);
      const tour = tours[pick(tours.length)];
      const { visit } = await load({ uid });
      if (entry.seen.has(tour.id)) return;
      entry.seen.add(tour.id);
      const kind = ['campaign', 'campaign', 'link'][pick(3)];
      const use = await commute(visit.token, tour, kind);
      if (kind === 'campaign') entry.uses.push(use);
    };
    return [
      ...Array.from({ length: 3 }, () => () => meet(uidOf())),
      async () => {
        // Both have been interrupted: by the same tour, too.
        const uid = uidOf();
        const { visit, profile } = await load({});
        const tour = tours[pick(tours.length)];
        const use = await commute(visit.token, tour);
        await meet(uid);
        await load({ uid, anonymous_uid: profile.uid });
        const entry = entryOf(uid);
        entry.seen.add(tour.id);
        entry.uses.push(use);
      },
      async () => {
        const uid = uidOf();
        await send('DELETE', `/v3/edit/profiles/${await idOf(uid)}${pick(2) === 0 ? '/forget' : ''}`);
        ledger.delete(uid);
      },
      async () => send('PATCH', `/v3/edit/profiles/${await idOf(uidOf())}`, { test: pick(2) === 0 }),
    ];
  },

  async compareNumbers(numbers, compare, { ledger }) {
    const { call, run, accountId } = numbers;
    const truth = await readTruth(numbers);
    const rows = await truth.rowsOf('interruption_days', `day, ${measures.join(', ')}`);
    const toMonday = (/** @type {number} */ day) => day - ((day + 3) % 7);
    const today = Math.floor(Date.parse(dayWriter(truth.timeZone)(Date.now())) / DAY_MS);
    const { interruptions } = await call(`/v3/analyze/interruptions?weeks=${WEEKS}`);
    await compare('interruptions: known people', interruptions.known_people, truth.people.size);
    for (const [at, week] of interruptions.weeks.entries()) {
      const monday = toMonday(today) - 7 * (WEEKS - 1 - at);
      const name = (/** @type {string} */ what) => `${truth.timeZone}, interruptions, ${week.week}: ${what}`;
      await compare(name('begins on Monday'), Date.parse(week.week) / DAY_MS, monday);
      const own = rows.filter(({ day }) => toMonday(Number(day)) === monday);
      for (const measure of measures) {
        const sums = [...groupBy(own, ({ profile_id }) => profile_id).values()].map((days) =>
          days.reduce((sum, row) => sum + Number(row[measure]), 0),
        );
        const some = sums.filter((sum) => sum > 0);
        const { people, median, p90, max, buckets } = week[measure];
        const of = (/** @type {string} */ what) => name(`${what} of ${measure}`);
        await compare(of('people'), people, some.length);
        await compare(of('median'), median ?? -1, quantileOf(some, 0.5));
        await compare(of('9 of 10'), p90 ?? -1, quantileOf(some, 0.9));
        await compare(of('most'), max ?? -1, quantileOf(some, 1));
        await compare(of('groups'), buckets.length, (groups[measure]?.length ?? 0) + 1);
        for (const [at, { least, most, people: counted }] of buckets.entries()) {
          const starts = [0, ...(groups[measure] ?? []), Number.POSITIVE_INFINITY];
          const [from = 0, before = 0] = starts.slice(at, at + 2);
          const inGroup = some.filter((sum) => sum >= from && sum < before).length;
          await compare(of(`from ${from}`), counted, at === 0 ? truth.people.size - some.length : inGroup);
          if (at > 3) continue;
          const path = `/v3/analyze/interruptions/people?week=${toDate(monday + 3)}&measure=${measure}`;
          const listed = await countListed(call, `${path}&least=${least}${most === null ? '' : `&most=${most}`}`);
          await compare(of(`list from ${from}`), listed, counted);
        }
      }
    }

    const stored = await run(`select p.uid, ${measures.map((measure) => `sum(d.${measure}) as ${measure}`).join(', ')}
      from profiles p join interruption_days d on d.account_id = p.account_id and d.profile_id = p.id
      where p.account_id = '${accountId}' and p.uid like 'commuter-%' group by p.uid`);
    const byUid = new Map(stored.map((row) => [row.uid, row]));
    for (const [uid, { uses }] of ledger)
      for (const measure of measures) {
        const sum = uses.reduce((/** @type {number} */ sum, /** @type {Use} */ use) => sum + (use[measure] ?? 0), 0);
        await compare(`${measure} of ${uid} on pages`, byUid.get(uid)?.[measure] ?? 0, sum);
      }
    await compare('people on pages', [...byUid.keys()].filter((uid) => !ledger.has(String(uid))).length, 0);
  },

  async compareCounts({ compare, accountId, whose }) {
    for (const measure of measures)
      await compare(
        `select week, value, count as n from interruption_counts where account_id = '${accountId}' and measure = '${measure}'`,
        `select week, value, count(*) as n from (
            select a.profile_id, a.day - (a.day + 3) % 7 as week, cast(sum(a.${measure}) as integer) as value from interruption_days a ${whose}
            group by a.profile_id, a.day - (a.day + 3) % 7) as used
          where value > 0 group by week, value`,
      );
  },
};
