/*
 * All counts that the server keeps, against SQL over the rows of users.
 */

import { forEachPart } from './parts.mjs';

const DAY_MS = 24 * 60 * 60_000;

/** What differs between the engines: the parts of JSON that is stored as a text, as a table `j`. */
export const jsonOf = {
  sqlite: {
    ids: (/** @type {string} */ column) => ({ from: `json_each(${column}) as j`, id: `json_extract(j.value, '$.id')` }),
    keys: (/** @type {string} */ column) => ({ from: `json_each(${column}) as j`, id: 'j.key' }),
  },
  postgres: {
    ids: (/** @type {string} */ column) => ({
      from: `lateral json_array_elements(${column}::json) as j(value)`,
      id: `j.value ->> 'id'`,
    }),
    keys: (/** @type {string} */ column) => ({
      from: `lateral json_object_keys(${column}::json) as j(key)`,
      id: 'j.key',
    }),
  },
};

/**
 * Returns how many counts differ, of how many.
 * @param {'sqlite' | 'postgres'} engine
 * @param {(sql: string) => Promise<Record<string, unknown>[]>} run
 * @param {string} accountId
 * @param {number} now
 * @param {ReadonlyMap<string, unknown>} [made] what the parts have created
 */
export async function compareCounts(engine, run, accountId, now, made = new Map()) {
  const { ids, keys } = jsonOf[engine];
  const [choices, segments, items] = [ids('a.choices'), ids('a.segment_ids'), keys('a.items')];
  const today = Math.floor(now / DAY_MS);
  const whose = `join profiles p on p.account_id = a.account_id and p.id = a.profile_id
    where a.account_id = '${accountId}' and not p.is_test`;
  const differences = [];
  let compared = 0;
  const compare = async (/** @type {string} */ kept, /** @type {string} */ counted) => {
    const toMap = (/** @type {Record<string, unknown>[]} */ rows) =>
      new Map(rows.map(({ n, ...key }) => [JSON.stringify(Object.values(key)), Number(n)]));
    const [one, other] = [toMap(await run(kept)), toMap(await run(counted))];
    for (const key of new Set([...one.keys(), ...other.keys()])) {
      compared += 1;
      if ((one.get(key) ?? 0) !== (other.get(key) ?? 0))
        differences.push(`${key}: ${one.get(key)}, SQL ${other.get(key)}`);
    }
  };
  for (const [first, last] of [
    [0, today + 1],
    [today - 30, today],
    [today - 12, today - 5],
    [today, today],
  ]) {
    const days = (of = '') => `${of}day >= ${first} and ${of}day <= ${last}`;
    const kept = (/** @type {string} */ table, /** @type {string} */ columns, /** @type {string} */ condition) =>
      `select ${columns}, sum(count) as n from ${table} where account_id = '${accountId}' and ${days()} and ${condition}
        group by ${columns}`;
    await compare(
      kept('activity_counts', 'experience_id, what, part_id', `previous_day < ${first}`),
      `select a.experience_id, a.what, a.part_id, count(distinct a.profile_id) as n from activities a ${whose} and ${days('a.')}
        group by a.experience_id, a.what, a.part_id`,
    );
    await compare(
      kept('answer_counts', 'experience_id, step_id, button_id, value', `previous_day < ${first}`),
      `select experience_id, step_id, button_id, value, count(distinct profile_id) as n from (
          select a.experience_id, a.step_id, coalesce(a.button_id, '') as button_id, coalesce(a.value, '') as value, a.profile_id
            from answers a ${whose} and ${days('a.')} and coalesce(a.choices, '[]') = '[]'
          union all
          select a.experience_id, a.step_id, coalesce(a.button_id, ''), ${choices.id}, a.profile_id
            from answers a ${whose.replace('where', `cross join ${choices.from} where`)} and ${days('a.')} and a.choices is not null
        ) as given group by 1, 2, 3, 4`,
    );
    await compare(
      kept('score_counts', 'experience_id, step_id, value', `next_day > ${last}`),
      `select a.experience_id, a.step_id, a.value, count(*) as n from answers a ${whose} and ${days('a.')} and ${isScore('a')}
          and not exists (
            select 1 from answers b where b.account_id = a.account_id and b.profile_id = a.profile_id and b.step_id = a.step_id
              and b.response_id > a.response_id and ${days('b.')} and ${isScore('b')})
        group by a.experience_id, a.step_id, a.value`,
    );
  }
  for (const state of ['started', 'completed', 'exited', 'displayed'])
    await compare(
      `select experience_id, ${state}_count as n from experience_counts where account_id = '${accountId}'`,
      `select a.experience_id, count(a.${state}_at) as n from interactions a ${whose} group by a.experience_id`,
    );
  await compare(
    `select experience_id, segment_id, count as n from response_counts where account_id = '${accountId}'`,
    `select a.experience_id, '' as segment_id, count(*) as n from responses a ${whose} group by 1, 2
      union all
      select a.experience_id, ${segments.id}, count(*)
        from responses a ${whose.replace('where', `cross join ${segments.from} where`)} and a.segment_ids is not null group by 1, 2`,
  );
  // An ID begins with the second of its time.
  const events = await run(`select a.name, a.id from events a ${whose}`);
  const counted = new Map();
  for (const { name, id } of events) {
    const key = JSON.stringify([name, Math.floor(Number.parseInt(String(id).slice(0, 8), 16) / 900)]);
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  for (const { name, quarter, n } of await run(
    `select name, quarter, count as n from event_counts where account_id = '${accountId}'`,
  )) {
    const key = JSON.stringify([name, Number(quarter)]);
    compared += 1;
    if ((counted.get(key) ?? 0) !== Number(n)) differences.push(`events ${key}: ${n}, SQL ${counted.get(key)}`);
    counted.delete(key);
  }
  for (const [key, n] of counted) differences.push(`events ${key}: not counted, SQL ${n}`);
  // What a checklist knows of a user is what its funnel counts.
  await compare(
    `select experience_id, part_id, sum(count) as n from activity_counts
      where account_id = '${accountId}' and what = 'item' and previous_day < 0 group by 1, 2`,
    `select a.experience_id, ${items.id} as part_id, count(*) as n
      from interactions a ${whose.replace('where', `cross join ${items.from} where`)} and a.items is not null group by 1, 2`,
  );
  await forEachPart((part, own) => part.compareCounts?.({ compare, accountId, now, whose }, own), made);
  return { differences, compared };
}

const isScore = (/** @type {string} */ of) => `${of}.value in ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10')`;
