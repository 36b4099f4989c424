import { setTimeout as pause } from 'node:timers/promises';
import { groupBy, isIn, periods, readTruth, toDate } from './truth.mjs';

/*
 * The people whom all Experiences reached, counted again from what they did with each of them.
 */

const measures = ['shown', 'started', 'completed'];

/** @typedef {import('./truth.mjs').Row} Row */
/** @typedef {{ first: number, last: number, today: number }} Range */

/** @type {import('./parts.mjs').Part} */
export const reach = {
  name: 'reach',

  async compareNumbers(numbers, compare) {
    const { call, run, accountId } = numbers;
    const truth = await readTruth(numbers);
    const isDeleted = `account_id = '${accountId}' and experience_id not like 'all%' and experience_id not in
      (select id from experiences where account_id = '${accountId}')`;
    // Rows of an Experience are deleted in the background.
    for (let tries = 0; tries < 300; tries++) {
      if ((await run(`select 1 from activities where ${isDeleted} limit 1`)).length === 0) break;
      await pause(100);
    }
    const kinds = new Map(
      (await run(`select id, kind from experiences where account_id = '${accountId}'`)).map(({ id, kind }) => [
        id,
        kind,
      ]),
    );
    const columns = 'experience_id, what, day, at, url_group_id';
    const done = await truth.rowsOf('activities', columns, `part_id = '' and what in ('${measures.join("', '")}')`);
    const rows = done
      .filter(({ experience_id }) => kinds.has(experience_id))
      .map((row) => ({ ...row, day: Number(row.day), at: Number(row.at ?? 0), kind: kinds.get(row.experience_id) }));
    const { url_groups } = await call('/v3/edit/url_groups');
    const [{ id: tagId }] = (await call('/v3/edit/tags')).tags;
    const tagged = new Set(
      (await call(`/v3/edit/experiences?tag_id=${tagId}`)).experiences.map((/** @type {any} */ { id }) => id),
    );
    const all = () => true;
    const isLauncher = (/** @type {Row} */ { kind }) => kind === 'launcher';
    const [other, shop] = url_groups;
    const tests = [
      { query: '', matches: all },
      { query: '&by=week', matches: all, length: 7 },
      { query: '&kind=tour', matches: (/** @type {Row} */ { kind }) => kind === 'tour' },
      { query: `&url_group_id=${shop.id}`, matches: all, environment: shop.id },
      { query: `&url_group_id=${shop.id}&kind=launcher`, matches: isLauncher, environment: shop.id },
      { query: `&url_group_id=${other.id}&by=week`, matches: all, length: 7, environment: other.id },
      {
        query: `&tag_id=${tagId}`,
        matches: (/** @type {Row} */ row) => tagged.has(row.experience_id),
        isDistinct: false,
      },
    ];
    for (const range of periods(truth.timeZone))
      for (const { query, matches, length = 1, environment, isDistinct = true } of tests) {
        const { reach } = await call(`/v3/analyze/reach?${range.query}${query}`);
        const matching = rows.filter(matches);
        const name = (/** @type {string} */ what) => `${truth.timeZone}, reach, ${range.query}${query}: ${what}`;
        const compareAll = async (/** @type {string} */ what, /** @type {Row} */ counted, /** @type {Row[]} */ own) => {
          const groups = isDistinct ? [own] : [...groupBy(own, ({ experience_id }) => experience_id).values()];
          for (const measure of measures) {
            const sum = groups.reduce((sum, group) => sum + countPeople(group, measure, environment), 0);
            await compare(name(`${measure} ${what}`), counted[measure], sum);
          }
        };
        const days = range.last - range.first + 1;
        // Of the days before, no rows lie after their last day.
        const before = { first: range.first - days, last: range.first - 1, today: range.today + 1 };
        for (const [what, period, counted] of /** @type {[string, Range, any][]} */ ([
          ['in total', range, reach],
          ['in the period before', before, reach.before],
        ])) {
          const { first, last, today } = period;
          await compareAll(
            what,
            counted.totals,
            matching.filter(({ day }) => isIn(period, day)),
          );
          let until = last;
          for (const column of [...counted.days].reverse()) {
            const from = Math.max(until - length + 1, first);
            if (column.day !== toDate(from)) await compare(name(`${column.day} begins a column`), 0, 1);
            const own = matching.filter(({ day }) => isIn({ first: from, last: until, today }, day));
            await compareAll(`${what}, ${column.day}`, column, own);
            until = from - 1;
          }
          await compare(name(`columns ${what}`), until, first - 1);
        }
        const inRange = matching.filter(({ day }) => isIn(range, day));
        if (query === '' || environment === shop.id) {
          const byKind = groupBy(inRange, ({ kind }) => kind);
          for (const { kind, totals } of reach.kinds) await compareAll(kind, totals, byKind.get(kind) ?? []);
          const missing = [...byKind.keys()].filter(
            (kind) => !reach.kinds.some((/** @type {any} */ one) => one.kind === kind),
          );
          await compare(name('kinds that are missing'), environment ? 0 : missing.length, 0);
        }
        const byExperience = groupBy(inRange, ({ experience_id }) => experience_id);
        for (const { id, totals } of reach.experiences) await compareAll(id, totals, byExperience.get(id) ?? []);
        const shown = [...byExperience.values()].filter((own) =>
          measures.some((measure) => countPeople(own, measure, environment) > 0),
        );
        await compare(name('Experiences'), reach.experiences_count, shown.length);
      }
  },
};

/**
 * How many different people did it; with an Environment, those who did it there first.
 * @param {readonly Row[]} rows
 * @param {string} measure
 * @param {string | undefined} environment
 */
function countPeople(rows, measure, environment) {
  const own = groupBy(
    rows.filter(({ what }) => what === measure),
    ({ profile_id }) => profile_id,
  );
  if (environment === undefined) return own.size;
  const isEarlier = (/** @type {Row} */ one, /** @type {Row} */ other) =>
    one.day - other.day || one.at - other.at || (one.experience_id < other.experience_id ? -1 : 1);
  return [...own.values()].filter(([first, ...others]) => {
    const earliest = others.reduce((one, other) => (isEarlier(one, other) < 0 ? one : other), first ?? {});
    return earliest.url_group_id === environment;
  }).length;
}
