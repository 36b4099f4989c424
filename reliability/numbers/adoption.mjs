import { groupBy, periods, readTruth, startOfDay, timeOfId, toDate } from './truth.mjs';

/*
 * The adoption of every event: how many people did it for the first time, by day and week, and how often it was tracked.
 */

/** @type {import('./parts.mjs').Part} */
export const adoption = {
  name: 'adoption',

  async compareNumbers(numbers, compare) {
    const { call } = numbers;
    const truth = await readTruth(numbers);
    const events = groupBy(await truth.rowsOf('events', 'id, name'), ({ name }) => name);
    for (const { id, uid } of (await call('/v3/analyze/event_names?limit=500')).event_names) {
      const times = (events.get(uid) ?? []).map(({ id, profile_id }) => ({ profile_id, at: timeOfId(id) }));
      const firsts = [...groupBy(times, ({ profile_id }) => profile_id).values()].map((own) =>
        own.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY),
      );
      for (const { first, last, query } of periods(truth.timeZone))
        for (const [by, length] of /** @type {const} */ ([
          ['day', 1],
          ['week', 7],
        ])) {
          const path = `/v3/analyze/event_names/${id}/adoption?${query}&by=${by}`;
          const { adoption } = await call(path);
          const name = (/** @type {string} */ what) =>
            `${truth.timeZone}, adoption of ${uid}, ${query}, ${by}: ${what}`;
          const [start, end] = [startOfDay(first, truth.timeZone), startOfDay(last + 1, truth.timeZone)];
          const newIn = (from = 0, before = end) => firsts.filter((at) => at >= from && at < before).length;
          const trackedIn = (from = start, before = end) => times.filter(({ at }) => at >= from && at < before).length;
          await compare(name('people'), adoption.people, truth.people.size);
          await compare(name('tracked'), adoption.count, trackedIn());
          await compare(name('new people'), adoption.new_people, newIn(start));
          await compare(name('adopters'), adoption.adopters, newIn());
          // The last week ends with the period.
          const columns = [];
          for (let until = last; until >= first; until -= length) columns.unshift(Math.max(until - length + 1, first));
          await compare(name('columns'), adoption.days.length, columns.length);
          for (const [at, column] of columns.entries()) {
            const [from, before] = [column, columns[at + 1] ?? last + 1].map((day) => startOfDay(day, truth.timeZone));
            const { day, ...counted } = adoption.days[at];
            if (day !== toDate(column)) await compare(name(`${day} begins a column`), 0, 1);
            await compare(name(`tracked on ${day}`), counted.count, trackedIn(from, before));
            await compare(name(`new people on ${day}`), counted.new_people, newIn(from, before));
            await compare(name(`adopters on ${day}`), counted.adopters, newIn(0, before));
          }
        }
    }
  },
};
