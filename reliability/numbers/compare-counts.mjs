/*
 * All counts that the server keeps, against SQL over the rows of users.
 */

import { forEachPart } from './parts.mjs';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns how many counts differ, of how many.
 * @param {(sql: string) => Promise<Record<string, unknown>[]>} run
 * @param {string} accountId
 * @param {number} now
 * @param {ReadonlyMap<string, unknown>} [made] what the parts have created
 */
export async function compareCounts(run, accountId, now, made = new Map()) {
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
      `select a.experience_id, a.step_id, coalesce(a.button_id, '') as button_id, coalesce(a.value, '') as value,
        count(distinct a.profile_id) as n from answers a ${whose} and ${days('a.')} group by 1, 2, 3, 4`,
    );
    await compare(
      kept('score_counts', 'experience_id, step_id, value', `next_day > ${last}`),
      `select a.experience_id, a.step_id, a.value, count(*) as n from answers a ${whose} and ${days('a.')} and not exists (
          select 1 from answers b where b.account_id = a.account_id and b.profile_id = a.profile_id and b.step_id = a.step_id
            and b.response_id > a.response_id and ${days('b.')})
        group by a.experience_id, a.step_id, a.value`,
    );
  }
  for (const state of ['started', 'completed', 'exited', 'displayed'])
    await compare(
      `select experience_id, ${state}_count as n from experience_counts where account_id = '${accountId}'`,
      `select a.experience_id, count(a.${state}_at) as n from interactions a ${whose} group by a.experience_id`,
    );
  await forEachPart((part, own) => part.compareCounts?.({ compare, accountId, now, whose }, own), made);
  return { differences, compared };
}
