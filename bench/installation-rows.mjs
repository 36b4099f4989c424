import { idAt, insertRows, numbers, onBoth } from './rows.mjs';

/*
 * What the users of a large installation have done, written as plain SQL. Rows are numbered, and everything about a row
 * follows from its number, so the same sizes give the same rows.
 */

const FIRST_MS = 1_600_000_000_000;
const DAY_MS = 24 * 60 * 60_000;
export const DAYS = 90;
/** Steps through the users in another order than that of their IDs. It is prime, so that every user is met once. */
const STRIDE = 7919;
const PEOPLE_IN_COMPANY = 50;

/**
 * @typedef {object} Content what the users have seen; it was created through the API
 * @property {{ id: string, steps: { id: string, buttons: { id: string }[] }[] }} tour with three steps
 * @property {Content['tour']} survey with a score, a choice and a text
 * @property {string} host
 */

/** @typedef {{ rows: number, bytes: number }} Size of a table with its indexes */

/** The number of the user who was the n-th to see the tour. @param {number} profiles @param {number} n */
export function whoSawTour(profiles, n) {
  return (n * STRIDE) % profiles;
}

/** @param {number} profiles */
export function countCompanies(profiles) {
  return Math.max(2, Math.floor(profiles / PEOPLE_IN_COMPANY));
}

/**
 * Fills the tables.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store on which no Usher runs
 * @param {number} profiles
 * @param {Content} content
 * @returns {Promise<Record<string, Size>>}
 */
export async function fillInstallation(bench, store, profiles, content) {
  /** @type {Record<string, Size>} */
  const sizes = {};
  for (const [table, { count, statements }] of Object.entries(tablesOf(profiles, content))) {
    sizes[table] = await fillTable(bench, store, table, () => insertRows(bench, store, table, count, statements));
  }
  sizes.profile_events = await fillTable(bench, store, 'profile_events', () => rebuildRollups(store, profiles));
  return sizes;
}

/**
 * Tables that Usher derives from other rows are filled here and nowhere else, after all other tables. A new table of this
 * kind is added here, preferably with the function by which the server itself rebuilds it.
 * @param {import('./store.mjs').Store} store
 * @param {number} profiles
 */
async function rebuildRollups(store, profiles) {
  const engine = store.env.DATABASE_URL ? 'postgres' : 'sqlite';
  const count = 5 * profiles;
  const connection = await store.connect();
  await connection.run(`
    insert into profile_events (account_id, profile_id, name, count, first_at, last_at)
    select (select id from accounts), ${profileId(engine, 'who')}, name, count(*), min(at), max(at)
    from (select ${whoDid(profiles)} as who, ${eventName(profiles)} as name, ${timeOf(count)} as at
      from ${numbers[engine](0, count)} as numbered) as done
    group by who, name`);
  // The server counts activities and answers when it starts. With 0, PostgreSQL would count again an hour later.
  await connection.run('update accounts set recount_at = 1');
  if (engine === 'postgres') await connection.run('vacuum analyze profile_events');
  await connection.close();
}

/**
 * Fills a table without its indexes and creates them again afterwards, which takes a fraction of the time.
 * @param {import('./harness.mjs').Bench} bench
 * @param {import('./store.mjs').Store} store
 * @param {string} table
 * @param {() => Promise<void>} fill
 * @returns {Promise<Size>}
 */
export async function fillTable(bench, store, table, fill) {
  const connection = await store.connect();
  const read = async (/** @type {string} */ sql) => Number((await connection.run(sql))[0]?.value);
  const bytesUsed = () =>
    read(
      bench.engine === 'sqlite'
        ? 'select (page_count - freelist_count) * page_size as value from pragma_page_count, pragma_freelist_count, pragma_page_size'
        : `select pg_total_relation_size('${table}') as value`,
    );
  try {
    const indexes = await connection.run(
      bench.engine === 'sqlite'
        ? `select name, sql from sqlite_master where type = 'index' and tbl_name = '${table}' and sql is not null`
        : `select indexname as name, indexdef as sql from pg_indexes where tablename = '${table}' and indexname not in (select conname from pg_constraint)`,
    );
    const drop = async () => {
      for (const { name } of indexes) await connection.run(`drop index ${name}`);
    };
    const create = async () => {
      for (const { sql } of indexes) await connection.run(String(sql));
    };
    // A new index is smaller than one that has grown. The rows that the API has made shall not count for this.
    await drop();
    await create();
    const count = () => read(`select count(*) as value from ${table}`);
    const [rowsBefore, bytesBefore] = [await count(), await bytesUsed()];
    await drop();
    await fill();
    await create();
    const [rows, bytes] = [(await count()) - rowsBefore, (await bytesUsed()) - bytesBefore];
    bench.note(`${rows} rows of ${table}: ${Math.round(bytes / Math.max(1, rows))} bytes each, with the indexes`);
    return { rows, bytes };
  } finally {
    await connection.close();
  }
}

/** @typedef {'sqlite' | 'postgres'} Engine */

const startOfTime = Date.now() - DAYS * DAY_MS;
/** The time of the n-th of so many rows, in SQL. They are spread evenly over the days. @param {number} count */
const timeOf = (count) => `(${startOfTime} + n * ${DAYS * DAY_MS} / ${count})`;
/** The ID of the user with a number. @param {Engine} engine @param {string} who */
const profileId = (engine, who) => idAt[engine](`${FIRST_MS} + ${who}`);
/** Who did the n-th event: a third of all events is of a tenth of the users. @param {number} profiles */
const whoDid = (profiles) =>
  `(case when n % 3 = 0 then n * ${STRIDE} % ${Math.ceil(profiles / 10)} else n * ${STRIDE} % ${profiles} end)`;
/** @param {number} profiles */
const eventName = (profiles) =>
  `(case (n + n / ${profiles}) % 10 when 0 then 'paid' when 1 then 'exported' when 2 then 'invited' when 3 then 'saved' when 4 then 'saved' else 'opened' end)`;
/** @param {Engine} engine @param {string} text */
const json = (engine, text) => (engine === 'sqlite' ? text : `(${text})::jsonb`);

/**
 * @param {number} profiles
 * @param {Content} content
 */
function tablesOf(profiles, { tour, survey, host }) {
  const companies = countCompanies(profiles);
  const events = 5 * profiles;
  const viewers = Math.floor(profiles / 2);
  const respondents = Math.max(1, Math.floor(profiles / 5));
  const changes = Math.max(1, Math.floor(profiles / 10));
  const paths = Math.min(1000, Math.max(10, Math.floor(profiles / 1000)));
  /** How far the n-th user got, from 0 to 7. */
  const far = 'n % 8';
  const state = `case when ${far} < 2 then 'displayed' when ${far} = 2 then 'started' when ${far} < 5 then 'exited' else 'completed' end`;
  const viewer = `n * ${STRIDE} % ${profiles}`;
  const respondent = `(n * ${STRIDE} + ${Math.floor(profiles / 3)}) % ${profiles}`;
  const [first, second, third] = tour.steps;
  const [score, choice, text] = survey.steps;

  /**
   * Who used an Experience. Each part is what somebody did, the step or button, from and to how far, and how many days later.
   * @typedef {object} Use
   * @property {string} experience
   * @property {string} who
   * @property {number} count
   * @property {string} result
   * @property {[string, string | undefined, number, number, number][]} parts
   */
  /** @type {{ tour: Use, survey: Use }} */
  const uses = {
    tour: {
      ...{ experience: tour.id, who: viewer, count: viewers, result: state },
      parts: [
        ['displayed', '', 0, 7, 0],
        ['step', first?.id, 0, 7, 0],
        ['started', '', 2, 7, 0],
        ['step', second?.id, 3, 7, 0],
        ['button', first?.buttons[0]?.id, 3, 7, 0],
        ['exited', '', 3, 4, 0],
        ['step', third?.id, 5, 7, 0],
        ['button', second?.buttons[0]?.id, 5, 7, 0],
        ['completed', '', 5, 7, 0],
        // Some users have seen it the day before, too. They count once in the totals.
        ['displayed', '', 6, 7, 1],
        ['step', first?.id, 6, 7, 1],
      ],
    },
    survey: {
      ...{ experience: survey.id, who: respondent, count: respondents, result: "'completed'" },
      parts: [
        ['displayed', '', 0, 7, 0],
        ['started', '', 0, 7, 0],
        ['completed', '', 0, 7, 0],
        ['step', score?.id, 0, 7, 0],
        ['step', choice?.id, 0, 7, 0],
        ['step', text?.id, 0, 7, 0],
      ],
    },
  };
  /** @param {Engine} engine @param {Use} use @param {number} from @param {number} to */
  const interactions = (engine, { experience, who, count, result }, from, to) => `
    select (select id from accounts), ${idAt[engine]('at', experience === tour.id ? 'n' : `n + ${viewers}`)}, at, '${experience}', ${profileId(engine, 'who')}, state, 'campaign',
      at, case when state <> 'displayed' then at + 1000 end, case when state = 'completed' then at + 2000 end,
      case when state = 'exited' then at + 2000 end, at * 1024
    from (select n, ${timeOf(count)} as at, ${who} as who, ${result} as state from ${numbers[engine](from, to)} as numbered) as seen`;
  /** @param {Engine} engine @param {Use} use @param {number} from @param {number} to */
  const activities = (engine, { experience, who, count, parts }, from, to) => `
    select (select id from accounts), '${experience}', ${timeOf(count)} / ${DAY_MS} - column5, column1, column2, ${profileId(engine, `(${who})`)}
    from ${numbers[engine](from, to)} as numbered
    join (values ${parts.map(([what, part, ...limits]) => `('${what}', '${part}', ${limits.join(', ')})`).join(', ')}) as parts
      on ${far} between column3 and column4`;

  return {
    companies: {
      count: companies,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into companies (account_id, id, updated_at, uid, custom)
        select '${account}', ${idAt[engine](`${FIRST_MS} + n`)}, ${FIRST_MS} + n, 'company-' || n,
          ${json(engine, `'{"name":"Company ' || n || '","size":' || (n % 40) || '}'`)}
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    profiles: {
      count: profiles,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into profiles (account_id, id, updated_at, uid, email, email_key, company_id, percent, last_seen_at, last_seen_session_count, is_test, custom)
        select '${account}', ${profileId(engine, 'n')}, ${FIRST_MS} + n, 'user-' || n, 'user' || n || '@example.com', 'user' || n || '@example.com',
          case when n % 10 < 7 then ${idAt[engine](`${FIRST_MS} + n % ${companies}`)} end, n % 10000 / 100.0,
          ${startOfTime} + (n * ${STRIDE} % ${profiles}) * ${DAYS * DAY_MS} / ${profiles}, n % 12, n % 1000 = 999,
          ${json(
            engine,
            `'{"name":"Some Name ' || n || '","plan":"' || case n % 3 when 0 then 'free' when 1 then 'pro' else 'team' end ||
              '","seats":' || (n % 100) || ',"signed_up_at":"2029-01-01T00:00:00.000Z","beta":' || case n % 2 when 0 then 'true' else 'false' end || '}'`,
          )}
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    events: {
      count: events,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into events (account_id, id, profile_id, name, custom)
        select '${account}', ${idAt[engine](timeOf(events), 'n')}, ${profileId(engine, whoDid(profiles))}, ${eventName(profiles)},
          ${json(engine, `'{"place":"toolbar","count":' || (n % 50) || '}'`)}
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    interactions: {
      count: viewers + respondents,
      statements: onBoth((_account, engine, from, to) => {
        const columns =
          'account_id, id, updated_at, experience_id, profile_id, state, group_kind, displayed_at, started_at, completed_at, exited_at, updated_tick';
        const ofTour = interactions(engine, uses.tour, from, Math.min(to, viewers));
        const [after, end] = [Math.max(0, from - viewers), to - viewers];
        const ofSurvey = interactions(engine, uses.survey, after, end);
        const parts = [...(from < viewers ? [ofTour] : []), ...(to > viewers ? [ofSurvey] : [])];
        return `insert into interactions (${columns}) ${parts.join(' union all ')}`;
      }),
    },
    activities: {
      count: viewers,
      statements: onBoth((_account, engine, from, to) => {
        const ofTour = activities(engine, uses.tour, from, to);
        const ofSurvey = activities(engine, uses.survey, from, Math.min(to, respondents));
        const parts = [ofTour, ...(from < respondents ? [ofSurvey] : [])];
        return `insert into activities (account_id, experience_id, day, what, part_id, profile_id) ${parts.join(' union all ')}`;
      }),
    },
    // Each viewer was on the page of the first step. One of eight did not see it.
    findings: {
      count: viewers,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into findings (account_id, experience_id, day, part_id, path, finding, profile_id, at, first_at, browser, is_known)
        select '${account}', '${tour.id}', ${timeOf(viewers)} / ${DAY_MS}, '${first?.id}', '/dashboard/reports/report-' || (n % 50),
          case when ${far} = 0 then 'not_found' else 'found' end, ${profileId(engine, `(${viewer})`)}, ${timeOf(viewers)}, ${timeOf(viewers)},
          case n % 3 when 0 then 'firefox' when 1 then 'safari' else 'chrome' end, true
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    responses: {
      count: respondents,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into responses (account_id, id, updated_at, experience_id, profile_id, showing_from, updated_tick, href, finished_at)
        select '${account}', ${idAt[engine](timeOf(respondents), 'n')}, ${timeOf(respondents)}, '${survey.id}',
          ${profileId(engine, `(${respondent})`)}, 0, ${timeOf(respondents)} * 1024, 'https://${host}/dashboard/reports', ${timeOf(respondents)} + 20000
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    answers: {
      count: respondents,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into answers (account_id, response_id, step_id, profile_id, experience_id, question_order, button_id, button_index, button_text, value, input)
        select '${account}', ${idAt[engine](timeOf(respondents), 'n')}, column2, ${profileId(engine, `(${respondent})`)}, '${survey.id}', column1,
          case when column1 = 1 then case n % 2 when 0 then '${choice?.buttons[0]?.id}' else '${choice?.buttons[1]?.id}' end end,
          case column1 when 0 then n % 11 when 1 then n % 2 end,
          case column1 when 0 then '' || (n % 11) when 1 then case n % 2 when 0 then 'Good' else 'Bad' end end,
          case when column1 = 0 then '' || (n % 11) end,
          case when column1 = 2 then 'The reports are good, but number ' || n || ' took long to load.' end
        from ${numbers[engine](from, to)} as numbered
        join (values (0, '${score?.id}'), (1, '${choice?.id}'), (2, '${text?.id}')) as questions on column1 < 2 or n % 3 = 0`,
      ),
    },
    changes: {
      count: changes,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into changes (account_id, id, write_id, experience_id, model_id, model_type, kind, op, path, object, options, admin_id)
        select '${account}', made, made, '${tour.id}', '${tour.id}', 'Campaign', 'update', 'update', 'model',
          '{"name":["Welcome","Welcome aboard"]}', '{"capture_id":[null,null]}', (select id from admins limit 1)
        from (select ${idAt[engine](timeOf(changes), 'n')} as made from ${numbers[engine](from, to)} as numbered) as made_of_them`,
      ),
    },
    change_properties: {
      count: changes,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into change_properties (account_id, property, change_id, experience_id)
        select '${account}', 'name', ${idAt[engine](timeOf(changes), 'n')}, '${tour.id}' from ${numbers[engine](from, to)} as numbered`,
      ),
    },
    visited_paths: {
      count: DAYS * paths,
      statements: onBoth(
        (account, engine, from, to) => `
        insert into visited_paths (account_id, day, host, path, count, last_seen_at)
        select '${account}', ${startOfTime} / ${DAY_MS} + n / ${paths}, '${host}', '/dashboard/reports/report-' || (n % ${paths}), 1 + n % 500,
          ${startOfTime} + n / ${paths} * ${DAY_MS}
        from ${numbers[engine](from, to)} as numbered`,
      ),
    },
  };
}
