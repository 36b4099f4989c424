import { setTimeout as pause } from 'node:timers/promises';
import { SECRET, startUsher } from '../../bench/servers.mjs';
import { createStore } from '../../bench/store.mjs';

const TOKEN = 'public-token-of-the-killed-account';
const CHAIN = 10;
const JOINING = 4;
const NAMES = 20;
const REPORTERS = 8;
const HREF = 'http://localhost/home';
const settings = {
  USHER_BOOTSTRAP_TOKEN: TOKEN,
  USHER_LIMIT_PER_SECRET: '0',
  USHER_LIMIT_PER_ADDRESS: '0',
  USHER_LIMIT_SIGN_INS: '0',
};

/**
 * Kills Usher with -9 while it makes writes that consist of several: revokes chains of secrets, deletes names, lets people join, and
 * stores reports with their counts. After the restart, each of them is there as a whole or not at all.
 * @param {import('../../bench/harness.mjs').Bench} bench
 */
export async function killHalfWritten(bench) {
  const times = bench.quick ? 4 : 60;
  const store = await createStore(bench);
  const done = { revoked: 0, joined: 0, deleted: 0, reported: 0 };
  /** @type {Acknowledged} */
  const acknowledged = { revoked: [], joined: [], deleted: [], reported: [] };
  for (let time = 1; time <= times; time++) {
    const usher = await startUsher(bench, store, settings);
    const call = caller(usher.port);
    const prepared = await prepare(call, time);
    const work = Promise.all(startWrites(call, prepared, time, acknowledged));
    // Joining takes long, because a password is hashed: the first round waits until one person has joined.
    for (let waits = 0; time === 1 && waits < 200 && acknowledged.joined.length === 0; waits++) await pause(100);
    await pause(Math.random() * 2500);
    await usher.kill();
    await work;
    if (time % 10 === 0) bench.note(`${time} of ${times} kills, ${acknowledged.joined.length} people have joined`);
  }
  const usher = await startUsher(bench, store, settings);
  await usher.stop();
  const problems = await findHalfWritten(store, acknowledged);
  for (const problem of problems.slice(0, 20)) bench.note(problem);
  for (const name of /** @type {(keyof typeof done)[]} */ (Object.keys(done))) done[name] = acknowledged[name].length;
  return [
    { part: 'half written', value: problems.length, unit: 'writes', target: { most: 0 } },
    ...Object.entries(done).map(([part, value]) => ({ part, value, unit: 'writes', target: { least: 1 } })),
    { part: 'times', value: times, unit: 'kills' },
  ];
}

/** @typedef {(method: string, path: string, body?: unknown, secret?: string | null) => Promise<{ status: number, body: any } | undefined>} Call */
/** @typedef {Record<'revoked' | 'joined' | 'deleted' | 'reported', string[]>} Acknowledged the IDs, emails, names and uids */

/**
 * @param {number} port
 * @returns {Call} sends a request; undefined when the server ended before it responded
 */
function caller(port) {
  return async (method, path, body, secret = SECRET) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: secret === null ? { 'Sec-Fetch-Site': 'same-origin' } : { 'x-account-secret': secret },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return undefined;
    }
  };
}

/**
 * Creates what the writes of one round need.
 * @param {Call} call
 * @param {number} round
 */
async function prepare(call, round) {
  /** @type {string[]} */
  const chain = [];
  for (let by = SECRET, n = 0; n < CHAIN; n++) {
    const made = (await call('POST', '/v3/edit/secrets', { name: `chain ${round}`, scope: 'all' }, by))?.body.secret;
    await call('POST', '/v3/edit/invitations', { role: 'viewer', note: `chain ${round}` }, made.secret);
    chain.push(made.id);
    by = made.secret;
  }
  const invitations = [];
  for (let n = 0; n < JOINING; n++)
    invitations.push((await call('POST', '/v3/edit/invitations', { role: 'viewer', note: `join ${round}` }))?.body);
  const names = Array.from({ length: NAMES }, (_, n) => `n${round}_${n}`);
  await call('POST', '/v3/observe/hooks/profiles', {
    uid: `named ${round}`,
    ...Object.fromEntries(names.map((name) => [name, 1])),
  });
  const { properties } = (await call('GET', '/v3/edit/properties?kind=profile&limit=500'))?.body ?? {};
  const own = properties.filter((/** @type {{ prop: string }} */ { prop }) => names.includes(prop));
  const steps = [{ title: 'Here', elements: [{ selector: '#new' }], position_type: 'snap_to_element' }];
  const { tour } = (await call('POST', '/v3/edit/tours', { name: 'T', steps, published_at: '$now' }))?.body ?? {};
  return { chain, invitations, properties: own, tour };
}

/**
 * @param {Call} call
 * @param {Awaited<ReturnType<typeof prepare>>} prepared
 * @param {number} round
 * @param {Acknowledged} acknowledged
 */
function startWrites(call, { chain, invitations, properties, tour }, round, acknowledged) {
  const revoke = async () => {
    await pause(Math.random() * 800);
    const revoked = await call('DELETE', `/v3/edit/secrets/${chain[0]}`);
    if (revoked?.status === 200) acknowledged.revoked.push(`chain ${round}`);
  };
  const join = async (/** @type {any} */ { invitation }, /** @type {number} */ n) => {
    const email = `k${round}-${n}@people.example`;
    const [, token] = invitation.url.split('#');
    const params = { token, name: 'Kim', email, password: 'correct horse battery' };
    const joined = await call('POST', '/v3/links/accept', params, null);
    if (joined?.status === 200) acknowledged.joined.push(email);
  };
  const remove = async () => {
    for (const { id, prop } of properties) {
      const deleted = await call('DELETE', `/v3/edit/properties/${id}`);
      if (deleted === undefined) return;
      if (deleted.status === 200) acknowledged.deleted.push(prop);
    }
  };
  const report = async (/** @type {number} */ reporter) => {
    for (let n = 0; ; n++) {
      const uid = `r${round}-${reporter}-${n}`;
      const loaded = await call('POST', '/v3/observe/visits', { account_token: TOKEN, uid, href: HREF }, null);
      if (loaded?.status !== 200) return;
      const about = { experience_id: tour.id, href: HREF };
      const items = [
        { ...about, state: 'started' },
        { ...about, step_id: tour.steps[0].id, problem: { reason: 'not_found' } },
      ];
      const sent = { visit_token: loaded.body.visit.token, items };
      const reported = await call('POST', '/v3/observe/interactions', sent, null);
      if (reported === undefined) return;
      if (reported.status === 200) acknowledged.reported.push(uid);
    }
  };
  return [revoke(), remove(), ...invitations.map(join), ...Array.from({ length: REPORTERS }, (_, n) => report(n))];
}

/**
 * Reads the database, and lists what is there in part only, or was acknowledged and is missing.
 * @param {import('../../bench/store.mjs').Store} store
 * @param {Acknowledged} acknowledged
 */
async function findHalfWritten(store, acknowledged) {
  const connection = await store.connect();
  /** @type {string[]} */
  const problems = [];
  const read = async (/** @type {string} */ sql, /** @type {(row: any) => string} */ describe) => {
    for (const row of await connection.run(sql)) problems.push(describe(row));
  };
  await read(
    `select name, count(*) as count, count(revoked_at) as revoked from secrets where name like 'chain %'
     group by name having count(revoked_at) not in (0, count(*))`,
    ({ name, revoked }) => `${name}: ${revoked} secrets are revoked, and the others are not`,
  );
  await read(
    `select secrets.id from secrets where revoked_at is not null and not exists (select 1 from audit_entries
     where action = 'secret.delete' and target_id = secrets.id)`,
    ({ id }) => `the secret ${id} is revoked, and the audit log does not say so`,
  );
  await read(
    `select links.id from links join secrets on secrets.id = links.secret_id
     where secrets.revoked_at is not null and links.used_at is null`,
    ({ id }) => `the invitation ${id} works, and its secret is revoked`,
  );
  await read(
    `select email from people where email like 'k%@people.example'
     and not exists (select 1 from admins where admins.person_id = people.id)`,
    ({ email }) => `${email} is a person, and in no account`,
  );
  await read(
    `select admins.id from admins join people on people.id = admins.person_id where email like 'k%@people.example'
     and not exists (select 1 from audit_entries where action = 'admin.create' and target_id = admins.id)`,
    ({ id }) => `${id} has joined, and the audit log does not say so`,
  );
  const [{ used = 0, joined = 0 } = {}] = await connection.run(
    `select (select count(*) from links where note like 'join %' and used_at is not null) as used,
     (select count(*) from people where email like 'k%@people.example') as joined`,
  );
  if (Number(used) !== Number(joined)) problems.push(`${used} invitations are used, and ${joined} people have joined`);
  await read(
    `select interactions.id from interactions where not exists (select 1 from activities
     where activities.profile_id = interactions.profile_id and what = 'started')`,
    ({ id }) => `the Interaction ${id} has started, and is not counted`,
  );
  const [{ stored = 0, counted = 0 } = {}] = await connection.run(
    `select (select count(*) from findings) as stored,
     (select coalesce(sum(count), 0) from page_counts where what = 'problems') as counted`,
  );
  // The counts of the last second before each kill are lost, but never too many are counted.
  if (Number(counted) > Number(stored)) problems.push(`${counted} problems are counted, and ${stored} are stored`);

  const namesOf = async (/** @type {string} */ sql) =>
    new Set((await connection.run(sql)).map((row) => String(Object.values(row)[0])));
  const missing = (/** @type {string} */ what, /** @type {string[]} */ all, /** @type {Set<string>} */ there) => {
    for (const one of all) if (!there.has(one)) problems.push(`${one}: ${what} was acknowledged, and is missing`);
  };
  missing('revoking', acknowledged.revoked, await namesOf('select name from secrets where revoked_at is not null'));
  missing('joining', acknowledged.joined, await namesOf('select email from people'));
  missing(
    'a problem',
    acknowledged.reported,
    await namesOf('select uid from profiles join findings on findings.profile_id = profiles.id'),
  );
  const left = await namesOf('select prop from properties');
  for (const prop of acknowledged.deleted) if (left.has(prop)) problems.push(`${prop} was deleted, and is there`);
  await connection.close();
  return problems;
}
