import { jsonOf } from './compare-counts.mjs';

/*
 * Results in a time zone whose clocks were changed lately, after users and administrators have changed a lot, beside the rows.
 */

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 90;
const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Auckland', 'America/Santiago'];

/**
 * @param {import('./compare.mjs').Numbers} numbers
 * @param {(method: string, path: string, content?: unknown) => Promise<any>} send
 * @returns {Promise<{ name: string, api: number, sql: number }[]>}
 */
export async function compareLocalDays({ engine, accountId, now, met, call, run }, send) {
  const time_zone = zones.find((zone) => hasChanged(zone, now)) ?? 'Europe/Berlin';
  await send('PATCH', '/v3/edit/account', { time_zone });
  /** @type {{ name: string, api: number, sql: number }[]} */
  const compared = [];
  const add = (/** @type {string} */ name, /** @type {unknown} */ api, /** @type {unknown} */ sql) =>
    compared.push({ name: `${time_zone}: ${name}`, api: Number(api), sql: Number(sql ?? 0) });
  const whose = `join profiles p on p.account_id = a.account_id and p.id = a.profile_id
    where a.account_id = '${accountId}' and not p.is_test`;

  const format = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone });
  const { event_names } = await call('/v3/analyze/event_names?limit=500');
  for (const { id, name, uid, counts } of event_names) {
    const times = (await run(`select a.id from events a ${whose} and a.name = '${uid}'`)).map((row) =>
      Number.parseInt(String(row.id).slice(0, 8), 16),
    );
    /** @type {Map<string, number>} */
    const byDay = new Map();
    for (const second of times) {
      const day = format.format(second * 1000);
      byDay.set(day, (byDay.get(day) ?? 0) + 1);
    }
    const details = (await call(`/v3/analyze/event_names/${id}?days=${DAYS}`)).event_name;
    for (const { date, count } of details.days) add(`${name} on ${date}`, count, byDay.get(date));
    const shown = details.days.slice(-30).reduce((/** @type {number} */ sum, { count }) => sum + count, 0);
    add(
      `${name} in 30 days`,
      shown,
      details.days.slice(-30).reduce((sum, { date }) => sum + (byDay.get(date) ?? 0), 0),
    );
    if (!(counts.last_24_hours <= counts.last_7_days && counts.last_7_days <= counts.last_30_days))
      add(`${name}: the counts of its list are in order`, 0, 1);
  }

  const range = `from=${day(now - DAYS * DAY_MS)}&until=${day(now + DAY_MS)}`;
  const { ids, keys } = jsonOf[engine];
  const choices = ids('a.choices');
  const asked = await call(`/v3/analyze/surveys/${met.asks.id}/stats?${range}`);
  for (const { step_id, title, options } of asked.stats.questions) {
    const rows = await run(`select ${choices.id} as id, count(distinct a.profile_id) as n from answers a
      ${whose.replace('where', `cross join ${choices.from} where`)} and a.step_id = '${step_id}' and a.choices is not null group by 1`);
    const counted = new Map(rows.map(({ id, n }) => [id, n]));
    for (const { id, count } of options) add(`${title} ${id}`, count, counted.get(id));
  }
  const items = keys('a.items');
  const { stats } = await call(`/v3/analyze/launchers/${met.checklist.id}/stats?${range}`);
  const done = await run(`select ${items.id} as id, count(*) as n from interactions a
    ${whose.replace('where', `cross join ${items.from} where`)} and a.experience_id = '${met.checklist.id}' and a.items is not null group by 1`);
  const completed = new Map(done.map(({ id, n }) => [id, n]));
  for (const { id, completed: count } of stats.steps[0].buttons) add(`item ${id}`, count, completed.get(id));
  return compared;
}

/** Whether the clocks of a time zone were changed in the last 29 days. */
function hasChanged(/** @type {string} */ timeZone, /** @type {number} */ now) {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offset = (/** @type {number} */ at) =>
    format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
  return offset(now) !== offset(now - 29 * DAY_MS);
}

function day(/** @type {number} */ at) {
  return new Date(at).toISOString().slice(0, 10);
}
