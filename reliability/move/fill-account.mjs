import { readFileSync } from 'node:fs';
import { sentProfile } from '../../bench/profiles.mjs';
import { SECRET } from '../../bench/servers.mjs';

/** @typedef {import('../figures/move.mjs').Usher} Usher */

const HREF = 'http://localhost/team';
/** How many users there are for each one who does something. */
const PER_ACTIVE = 20;

/**
 * Fills an account that has people with some of everything else that moves. Some users load pages, see tours and answer surveys.
 * @param {Usher} usher
 * @param {{ people: number, experiences: number }} counts
 */
export async function fillAccount(usher, { people, experiences }) {
  const create = async (/** @type {string} */ path, /** @type {object} */ params) => {
    const [record] = Object.values(JSON.parse(await usher.post(`/v3/edit/${path}`, params, 201)));
    return record;
  };
  const environment = await create('url_groups', { name: 'Staging', short_name: 'STG' });
  await create('urls', { host: 'localhost', enabled: 'on' });
  await create('urls', { host: 'staging.example.com', enabled: 'on', url_group_id: environment.id });
  const tag = await create('tags', { name: 'Onboarding' });
  const segment = await create('segments', {
    name: 'Pro',
    items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  });
  const theme = await create('themes', { name: 'Brand', published_at: '$now' });
  await create('properties', { name: 'Plan', description: 'What they pay', kind: 'profile' });
  await create('languages', { code: 'de' });
  const picture = await upload(usher);
  const all = [];
  for (let n = 0; n < experiences; n++) {
    const { path, params } = contentOf(n, { environment, tag, segment, theme }, picture, all);
    all.push({ path, ...(await create(path, params)) });
  }
  await translate(usher);
  const shown = all.filter(({ path }) => path === 'tours' || path === 'surveys');
  for (const { path, id } of all) await usher.post(`/v3/edit/${path}/${id}`, { published_at: '$now' }, 200, 'PATCH');
  await create('segments', { name: 'Has seen it', items: [{ kind: 'tour', value: shown[0].id, range: 'completed' }] });
  await create('limit_groups', { name: 'One a day', max_count: 1, period_hours: 24, experience_ids: [shown[0].id] });
  await addActivity(usher, Math.ceil(people / PER_ACTIVE), shown);
  // It comes last, so that it has nothing to send: what a server has sent does not move.
  await create('webhooks', { url: 'http://127.0.0.1:9/hook', topics: ['tour.*'] });
}

/**
 * The n-th Experience. Later ones lead to earlier ones.
 * @param {number} n
 * @param {Record<'environment' | 'tag' | 'segment' | 'theme', { id: string }>} named
 * @param {string} picture
 * @param {{ path: string, id: string }[]} all
 */
function contentOf(n, { environment, tag, segment, theme }, picture, all) {
  const place = { position_type: 'snap_to_element', elements: [{ selector: `#at-${n}` }] };
  const before = all.findLast(({ path }) => path === 'tours');
  const leads = before ? { additional_actions: ['tour'], action_campaign_id: before.id } : {};
  const contents = {
    tours: {
      steps: [
        {
          ...{ title: `Hello ${n}`, body: `This is **new** ![Tour](${picture})`, picture, ...place },
          buttons: [{ text: 'Next', ...leads }],
        },
      ],
    },
    surveys: {
      steps: [
        { title: `How is ${n}?`, preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
        { title: 'Why?', preset: 'response' },
      ],
    },
    launchers: {
      ...{ title: 'Help', preset: 'help', icon_size: 32, blocked_domains: ['old.example.com'] },
      search_placeholder: 'Search',
      items: [{ kind: 'url', title: `Docs ${n}`, url: 'https://example.com/docs' }],
    },
    tooltips: { steps: [{ title: `Tip ${n}`, ...place }] },
    embeds: { style: 'card', steps: [{ title: `News ${n}`, ...place, position_type: 'inline' }] },
  };
  const paths = /** @type {(keyof typeof contents)[]} */ (Object.keys(contents));
  const path = paths[n % paths.length] ?? 'tours';
  const targeting = n % 4 === 3 ? { segment_ids: [segment.id], url_group_ids: [environment.id] } : {};
  return {
    path,
    params: { name: `Number ${n}`, tag_ids: [tag.id], theme_id: theme.id, ...targeting, ...contents[path] },
  };
}

/**
 * Uploads a picture, and returns its path.
 * @param {Usher} usher
 */
async function upload(usher) {
  const form = new FormData();
  form.append(
    'files[]',
    new Blob([readFileSync(new URL('../../docs/pictures/tour.png', import.meta.url))]),
    'tour.png',
  );
  const headers = { 'x-account-secret': SECRET };
  const url = `http://127.0.0.1:${usher.port}/v3/edit/pictures`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`The picture was rejected: ${await response.text()}`);
  return JSON.parse(await response.text()).picture.path;
}

/** @param {Usher} usher */
async function translate(usher) {
  const file = await usher.get('/v3/edit/experiences/i18n.json?language=de');
  const form = new FormData();
  form.append('file', new Blob([file.replaceAll('Hello', 'Hallo').replaceAll('Good', 'Gut')]), 'de.json');
  const headers = { 'x-account-secret': SECRET };
  const url = `http://127.0.0.1:${usher.port}/v3/edit/i18n`;
  const response = await fetch(url, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`The translation was rejected: ${await response.text()}`);
}

/**
 * @param {Usher} usher
 * @param {number} active
 * @param {{ path: string, id: string, steps: { id: string, buttons: { id: string }[] }[] }[]} shown
 */
async function addActivity(usher, active, shown) {
  const { account } = JSON.parse(await usher.get('/v3/edit/account'));
  const call = async (/** @type {string} */ path, /** @type {object} */ params, status = 200) =>
    JSON.parse(await usher.post(`/v3/observe/${path}`, params, status));
  for (let start = 0; start < active; start += 500) {
    const profiles = Array.from({ length: Math.min(500, active - start) }, (_, at) => {
      const n = start + at;
      return { ...sentProfile(n), city: `City ${n % 50}`, company: { uid: `company ${n % 97}`, size: n % 97 } };
    });
    await call('hooks/profiles/batch', { profiles }, 202);
  }
  for (let n = 0; n < active; n++) {
    const { visit, profile } = await call('visits', { account_token: account.token, uid: `user-${n}`, href: HREF });
    const one = shown[n % shown.length];
    const [step] = one?.steps ?? [];
    if (!one || !step) continue;
    const report = { visit_token: visit.token, experience_id: one.id, step_id: step.id, href: HREF };
    await call('interactions', { ...report, state: 'started' });
    if (n % 4 === 0) await call('interactions', { ...report, state: 'exited' });
    else if (n % 4 < 3) {
      const response = one.path === 'surveys' ? { response: { button_id: step.buttons[n % 2]?.id } } : {};
      await call('interactions', { ...report, ...response, state: 'completed' });
    }
    if (n % 50 === 0) {
      const model = { model_kind: one.path.slice(0, -1), model_id: one.id, idempotency_key: `key ${n}` };
      await usher.post('/v3/edit/deliveries', { ...model, profile_id: profile.id, options: { n } }, 201);
    }
  }
}
