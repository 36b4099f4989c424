import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { surveyLink } from '../../../../../client/src/index.ts';
import { buildScriptIfNeeded } from '../../../../build.js';
import { type Api, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';
import { sweepAnonymous } from '../../audience/merges/sweep-anonymous.ts';

const DAY = 24 * 60 * 60_000;
let now = Date.UTC(2029, 3, 7, 12, 18);
let api: Api;
beforeAll(async () => {
  await buildScriptIfNeeded();
  api = await startApi({ inTest: false, now: () => now, env: { USHER_PUBLIC_URL: 'https://usher.example.com' } });
  await openDomain(api);
}, 120_000);
afterAll(() => api.stop());

interface Survey {
  id: string;
  public_page_url: string | null;
  steps: { id: string }[];
}

const steps = [
  { title: 'Would you recommend us, {{first_name fallback="friend"}}?', preset: 'survey_nps' },
  { title: 'Why?', preset: 'response' },
  { title: 'Thank you', preset: 'thank_you' },
];

async function addSurvey(params: object = {}, as = api.account): Promise<Survey> {
  const { status, body } = await api.post(
    '/v3/edit/surveys',
    { name: 'Asks', steps, style: 'manual', public_page: true, published_at: '$now', ...params },
    { as },
  );
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.survey;
}

const pathOf = ({ public_page_url }: Survey) => new URL(public_page_url ?? '').pathname;

/** Pages are HTML, which the published schema does not describe. */
async function fetchPage(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(api.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const open = (survey: Survey, query = '', headers: Record<string, string> = {}) =>
  fetchPage(`${pathOf(survey)}${query && `?${query}`}`, headers);

/** What the page gets to paint. */
interface PageData {
  page: string;
  experience: { steps: { title: unknown }[] };
  labels: Record<string, string>;
  texts: Record<string, string>;
}

function dataOf({ text }: { text: string }): PageData {
  return JSON.parse(/id="survey">(.*)<\/script>/.exec(text)?.[1] ?? 'null');
}

const pageOf = async (survey: Survey, query = '') => dataOf(await open(survey, query)).page;

function answer(survey: Survey, params: object, path = pathOf(survey)) {
  const [first] = survey.steps;
  const items = [
    { state: 'started', step_id: first?.id },
    { step_id: first?.id, response: { value: '9' } },
  ];
  return api.post(path, { items, ...params }, { as: null });
}

const linksFor = async (survey: Survey, params: object, as = api.account) => {
  const { status, body } = await api.post('/v3/edit/survey_links', { survey_id: survey.id, ...params }, { as });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.survey_links as { uid: string; url: string; expires_at: string }[];
};
const linkFor = async (survey: Survey, uid: string, params: object = {}, as = api.account) => {
  const [link] = await linksFor(survey, { uids: [uid], ...params }, as);
  return new URL(link?.url ?? '').searchParams.get('link') ?? '';
};

const responsesOf = async ({ id }: Survey, as = api.account) =>
  (await api.get('/v3/analyze/responses', { query: `id=${id}&expand.profile=all`, as })).body.responses;
async function countProfiles(): Promise<number> {
  const rows = await api.app.storage
    .reader(api.account.account_id)
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', api.account.account_id)
    .execute();
  return rows.length;
}

describe('the public page', () => {
  it('has an address that nobody can guess, from the first publishing with the switch on', async () => {
    const draft = await addSurvey({ published_at: null });
    expect(draft.public_page_url).toBeNull();
    const { body } = await api.patch(`/v3/edit/surveys/${draft.id}`, { published_at: '$now' });
    expect(body.survey.public_page_url).toMatch(/^https:\/\/usher\.example\.com\/s\/[\w-]{32}$/);
    const off = await api.patch(`/v3/edit/surveys/${draft.id}`, { public_page: false, published_at: '$now' });
    expect(off.body.survey.public_page_url).toBeNull();
    const on = await api.patch(`/v3/edit/surveys/${draft.id}`, { public_page: true, published_at: '$now' });
    expect(on.body.survey.public_page_url).toBe(body.survey.public_page_url);
    const other = await addSurvey();
    expect(other.public_page_url).not.toBe(body.survey.public_page_url);
  });

  it('paints with files of the script only, stores nothing and sets no cookie', async () => {
    const survey = await addSurvey();
    const before = await countProfiles();
    const page = await open(survey);
    expect(page.status).toBe(200);
    expect(dataOf(page).experience).toMatchObject({ id: survey.id, kind: 'survey' });
    expect(dataOf(page).experience.steps[0]?.title).toEqual(['Would you recommend us, friend?']);
    const policy = page.headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    const scripts = [...page.text.matchAll(/<script ([^>]+)>/g)].map(([, attributes = '']) => attributes);
    for (const attributes of scripts.filter((one) => !one.includes('application/json')))
      expect(attributes).toMatch(new RegExp(`nonce="${nonce.replace(/[+/]/g, '\\$&')}".*integrity="sha384-`));
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('set-cookie')).toBeNull();
    expect([await countProfiles(), await responsesOf(survey)]).toEqual([before, []]);
    for (const [, path = ''] of page.text.matchAll(/src="\.\.([^"]+)"/g))
      expect((await fetchPage(path)).status).toBe(200);
  });

  it('is in the language of the browser, or of the address', async () => {
    await api.post('/v3/edit/languages', { code: 'de' });
    const survey = await addSurvey({ published_at: null });
    const [first] = survey.steps;
    const texts = [{ model_id: first?.id, field: 'title', text: 'Würden Sie?' }];
    await api.patch(`/v3/edit/surveys/${survey.id}/translations`, { language: 'de', texts });
    const { body } = await api.patch(`/v3/edit/surveys/${survey.id}`, { published_at: '$now' });
    const german = await open(body.survey, '', { 'accept-language': 'de-CH,en;q=0.5' });
    expect(german.text).toContain('<html lang="de" dir="ltr">');
    expect(dataOf(german).labels.submit).toBe('Senden');
    expect(dataOf(german).experience).toMatchObject({ language: 'de', steps: [{ title: ['Würden Sie?'] }, {}, {}] });
    expect(dataOf(await open(body.survey, 'lang=fr', { 'accept-language': 'de' })).texts.survey).toBe('Enquête');
    expect((await open(body.survey, 'lang=he')).text).toContain('<html lang="he" dir="rtl">');
    expect((await open(body.survey, 'lang=<script>')).text).toContain('<html lang="en"');
  });

  it('says in plain words when the survey is not open', async () => {
    const survey = await addSurvey();
    const path = pathOf(survey);
    const wrong = `${path.slice(0, -4)}AAAA`;
    for (const at of [wrong, '/s/x', `/s/${'A'.repeat(32)}`, `/s/${'%00'.repeat(3)}`]) {
      const page = await fetchPage(at);
      expect([at, page.status, page.headers.get('content-type')]).toEqual([at, 404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('This survey is not open.');
      expect((await answer(survey, { page: 'x' }, at)).status).toBe(404);
    }
    const page = await pageOf(survey);
    for (const change of [
      { published_at: null },
      { published_at: '$now', public_page: false },
      { public_page: true, published_at: '$now', archived_at: '$now' },
    ]) {
      await api.patch(`/v3/edit/surveys/${survey.id}`, change);
      expect((await open(survey)).status).toBe(404);
      expect((await answer(survey, { page })).status).toBe(404);
    }
    expect(await responsesOf(survey)).toEqual([]);
  });

  it('is closed when the survey has the Responses after which it ends, except for those who have begun', async () => {
    const survey = await addSurvey({ stop_after_responses: 1 });
    const [late, page] = [await pageOf(survey), await pageOf(survey)];
    const link = await linkFor(survey, newUid());
    expect((await answer(survey, { page, link })).status).toBe(200);
    const closed = await open(survey);
    expect([closed.status, closed.text.includes('This survey is not open.')]).toEqual([404, true]);
    expect((await open(survey, `link=${await linkFor(survey, newUid())}`)).status).toBe(404);
    expect((await open(survey, `link=${link}`)).status).toBe(200);
    // What was written on a page that was open is not lost.
    expect((await answer(survey, { page: late })).status).toBe(200);
    expect(await responsesOf(survey)).toHaveLength(2);
  });

  it('says that a link is wrong when it is mangled to anything', async () => {
    const survey = await addSurvey();
    for (const query of ['link[a]=1', 'link=a&link=b', 'link[]=a', 'link.a=1', 'link=%'])
      expect([query, (await open(survey, query)).status]).toEqual([query, 403]);
  });

  it('shows texts of authors as texts', async () => {
    const title = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)>';
    const survey = await addSurvey({ steps: [{ title, preset: 'survey_nps' }] });
    const page = await open(survey);
    expect(page.text).not.toContain('<script>alert');
    expect(page.text.match(/<\/script>/g)).toHaveLength(page.text.match(/<script /g)?.length ?? 0);
    expect(dataOf(page).experience.steps[0]?.title).toEqual([title]);
  });
});

describe('answers of a browser', () => {
  it('are one Response of one anonymous user, whatever the account says of anonymous users', async () => {
    const survey = await addSurvey();
    const before = await countProfiles();
    const page = await pageOf(survey);
    expect((await answer(survey, { page })).status).toBe(200);
    const [, second] = survey.steps;
    const more = { items: [{ step_id: second?.id, response: { input: 'It works' } }, { state: 'completed' }] };
    expect((await answer(survey, { page, ...more })).status).toBe(200);
    const responses = await responsesOf(survey);
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatchObject({
      ...{ source: 'link', button_text: '9', comment_step_input_text2: null, input_text: 'It works' },
      ...{ href: survey.public_page_url, profile: { uid: expect.stringMatching(/^anon_usher_/) } },
    });
    expect(responses[0].finished_at).not.toBeNull();
    expect(await countProfiles()).toBe(before + 1);
    const csv = await api.get('/v3/analyze/responses.csv', { query: `id=${survey.id}` });
    expect(csv.text.split('\n')[0]).toContain('href,source,');
    expect(csv.text.split('\n')[1]).toContain(`${survey.public_page_url},link,`);

    const again = await answer(survey, { page });
    expect([again.status, again.body]).toEqual([
      409,
      { code: 409, messages: ['You have already answered this survey'] },
    ]);
    expect(await responsesOf(survey)).toHaveLength(1);
  });

  it('are kept when old anonymous users are deleted', async () => {
    const survey = await addSurvey();
    await answer(survey, { page: await pageOf(survey) });
    now += 400 * DAY;
    await sweepAnonymous(api.app);
    expect(await responsesOf(survey)).toHaveLength(1);
  });

  it('are recorded once when a request is sent again', async () => {
    const survey = await addSurvey();
    const page = await pageOf(survey);
    const sent = await Promise.all([1, 2, 3].map(() => answer(survey, { page })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await responsesOf(survey)).toHaveLength(1);
    const { body } = await api.get(`/v3/edit/surveys/${survey.id}`);
    expect(body.survey.stats.started_count).toBe(1);
  });

  it('of a page of another survey, of a forged page, and of an old page are rejected', async () => {
    const [survey, other] = [await addSurvey(), await addSurvey()];
    const page = await pageOf(survey);
    const [purpose, time, nonce, signature] = page.split('.');
    const forged = [
      await pageOf(other),
      [purpose, (now + 1).toString(36), nonce, signature].join('.'),
      [purpose, time, `${nonce}x`, signature].join('.'),
      [purpose, time, nonce, signature, ''].join('.'),
      `${page}x`,
      'survey_page...',
      '',
    ];
    for (const one of forged) expect([403, 422]).toContain((await answer(survey, { page: one })).status);
    now += 31 * DAY;
    expect((await answer(survey, { page })).status).toBe(403);
    expect(await responsesOf(survey)).toEqual([]);
  });

  it('are rejected when they do not fit, and change nothing', async () => {
    const survey = await addSurvey();
    const page = await pageOf(survey);
    const before = await countProfiles();
    const [first] = survey.steps;
    for (const items of [
      undefined,
      [],
      'x',
      [1],
      Array(51).fill({ state: 'started' }),
      [{ state: 'snoozed', step_id: first?.id }],
      [{ state: 'displayed' }],
    ])
      expect((await answer(survey, { page, items })).status).toBe(422);
    expect(await countProfiles()).toBe(before);
    const { body } = await answer(survey, { page, items: [{ step_id: first?.id, response: { value: '11' } }] });
    expect(body.items).toEqual([{ code: 422, messages: ['`response.value` must be a whole number from 0 to 10'] }]);
    expect(await responsesOf(survey)).toEqual([]);
  });

  it('create no profile before one of them fits', async () => {
    const survey = await addSurvey();
    const [first] = survey.steps;
    const before = await countProfiles();
    for (const items of [
      [{ state: 'started', step_id: first?.id }],
      [{ state: 'completed' }, { step_id: first?.id, response: { value: '11' } }],
      [{ step_id: api.account.account_id, response: { value: '9' } }],
    ]) {
      const { status, body } = await answer(survey, { page: await pageOf(survey), items });
      expect([status, body.items.map(({ code }: { code: number }) => code >= 400)]).toEqual([
        200,
        items.map(() => true),
      ]);
    }
    const link = await linkFor(survey, newUid());
    await answer(survey, { page: await pageOf(survey), link, items: [{ state: 'started' }] });
    expect(await countProfiles()).toBe(before);
  });

  it('take only a part of the room that the pages of the product have', async () => {
    const small = await startApi({ beside: api, now: () => now, env: { USHER_PAGE_MEGABYTES_PER_DAY: '1' } });
    const [survey, other] = [await addSurvey(), await addSurvey()];
    const [, why] = survey.steps;
    const flood = async () => {
      const items = Array.from({ length: 4 }, () => ({ step_id: why?.id, response: { input: 'x'.repeat(9000) } }));
      return small.post(pathOf(survey), { page: await pageOf(survey), items }, { as: null });
    };
    const statuses: number[] = [];
    while (statuses.length < 20 && statuses.at(-1) !== 429) statuses.push((await flood()).status);
    expect(statuses.slice(0, 2)).toEqual([200, 200]);
    expect(statuses.at(-1)).toBe(429);
    const [first] = other.steps;
    const items = [{ step_id: first?.id, response: { value: '9' } }];
    expect((await small.post(pathOf(other), { page: await pageOf(other), items }, { as: null })).status).toBe(200);
    const link = await linkFor(survey, newUid());
    const mine = [{ step_id: survey.steps[0]?.id, response: { value: '9' } }];
    const signed = await small.post(pathOf(survey), { page: await pageOf(survey), link, items: mine }, { as: null });
    expect(signed.status).toBe(200);
  });

  it('are limited in size, and need the type of JSON', async () => {
    const survey = await addSurvey();
    const large = JSON.stringify({ page: 'x'.repeat(70_000) });
    const headers = { 'content-type': 'application/json' };
    expect((await api.send('POST', pathOf(survey), { body: large, headers, as: null })).status).toBe(413);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const body = JSON.stringify({ page: await pageOf(survey), items: [{ state: 'started' }] });
      const sent = await api.send('POST', pathOf(survey), { body, headers: { 'content-type': type }, as: null });
      expect(sent.status).toBe(415);
    }
    const preflight = await api.send('OPTIONS', pathOf(survey), { as: null });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are rejected above the limit of the address, and nobody else waits', async () => {
    const busy = await startApi({ env: { USHER_TRUST_PROXY: '127.0.0.1' } });
    const survey = await busy.post('/v3/edit/surveys', {
      name: 'Asks',
      steps,
      public_page: true,
      published_at: '$now',
    });
    const { pathname } = new URL(survey.body.survey.public_page_url);
    const send = (from: string) =>
      busy.post(
        pathname,
        { page: 'x', items: [{ state: 'started' }] },
        { as: null, headers: { 'x-forwarded-for': from } },
      );
    const statuses = new Set<number>();
    for (let at = 0; at < 700; at += 50)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, () => send('203.0.113.7'))))
        statuses.add(status);
    expect(statuses).toContain(429);
    expect((await send('198.51.100.7')).status).toBe(403);
  });
});

describe('answers by a signed link', () => {
  it('belong to the user, once for each link', async () => {
    const survey = await addSurvey();
    const uid = newUid();
    await api.post('/v3/observe/hooks/profiles', { uid, first_name: 'Ann' });
    const link = await linkFor(survey, uid);
    const data = dataOf(await open(survey, `link=${link}`));
    expect(data.experience.steps[0]?.title).toEqual(['Would you recommend us, Ann?']);
    expect((await answer(survey, { page: data.page, link })).status).toBe(200);
    // Another browser goes on.
    const items = [{ state: 'completed', step_id: survey.steps[0]?.id }];
    const later = { page: await pageOf(survey, `link=${link}`), link, items };
    now += 60_000;
    expect((await answer(survey, later)).status).toBe(200);
    const responses = await responsesOf(survey);
    expect(responses).toHaveLength(1);
    expect(responses[0]).toMatchObject({ source: 'link', button_text: '9', profile: { uid } });

    expect((await answer(survey, { page: data.page, link })).status).toBe(409);
    expect((await open(survey, `link=${link}`)).text).toContain('You have already answered this survey.');
    // The next email has another link.
    const next = await linkFor(survey, uid);
    expect((await answer(survey, { page: await pageOf(survey, `link=${next}`), link: next })).status).toBe(200);
    expect(await responsesOf(survey)).toHaveLength(2);
  });

  it('are one Response for one `link_id`, whichever link they come from', async () => {
    const survey = await addSurvey();
    const uid = newUid();
    const [one, other] = [
      await linkFor(survey, uid, { link_id: 'q2' }),
      await linkFor(survey, uid, { link_id: 'q2', expires_at: '+5d' }),
    ];
    expect(one).not.toBe(other);
    const pages = [await pageOf(survey), await pageOf(survey)];
    const sent = await Promise.all([one, other].map((link, at) => answer(survey, { page: pages[at], link })));
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    expect(await responsesOf(survey)).toHaveLength(1);
  });

  it('are a Response of their own when the user has seen the survey in the product', async () => {
    const survey = await addSurvey({ style: 'auto' });
    const uid = newUid();
    const { body } = await visit(api, { uid });
    const [first] = survey.steps;
    const report = { experience_id: survey.id, state: 'started', step_id: first?.id, response: { value: '3' } };
    const inProduct = await api.post(
      '/v3/observe/interactions',
      { visit_token: body.visit.token, ...report },
      { as: null },
    );
    expect(inProduct.status).toBe(200);
    now += 1000;
    const link = await linkFor(survey, uid);
    expect((await answer(survey, { page: await pageOf(survey), link })).status).toBe(200);
    const found = (await responsesOf(survey)).map(({ source, button_text }: Record<string, string>) => [
      source,
      button_text,
    ]);
    expect(found.sort()).toEqual([
      ['link', '9'],
      ['page', '3'],
    ]);
    await api.send('DELETE', `/v3/edit/surveys/${survey.id}`);
  });

  it('create the profile of a user who has none with the answer, not before', async () => {
    const survey = await addSurvey();
    const uid = `new ${newUid()}`;
    const link = await linkFor(survey, uid);
    const page = await pageOf(survey, `link=${link}`);
    const show = () => api.get('/v3/analyze/profile', { query: `uid=${encodeURIComponent(uid)}` });
    expect((await show()).status).toBe(404);
    await answer(survey, { page, link });
    expect((await show()).body.profile.uid).toBe(uid);
  });

  it('are rejected when the link is forged, expired, or of another survey or account', async () => {
    const [survey, other] = [await addSurvey(), await addSurvey()];
    const [foreign] = [await addSurvey({}, api.other)];
    const before = await countProfiles();
    const link = await linkFor(survey, 'ann');
    const [uid, expires, id, signature] = link.split('.');
    const bob = Buffer.from('bob').toString('base64url');
    const forged = [
      [bob, expires, id, signature],
      [uid, Number(expires) + 1, id, signature],
      [uid, expires, `${id}x`, signature],
      [uid, expires, id, 'f'.repeat(64)],
      [uid, expires, id, signature, 'x'],
      [uid, expires, id],
      ['', expires, id, signature],
    ].map((parts) => parts.join('.'));
    forged.push(await linkFor(other, 'ann'), await linkFor(foreign, 'ann', {}, api.other), 'x', '.'.repeat(500));
    const page = await pageOf(survey);
    for (const one of forged) {
      const shown = await open(survey, `link=${encodeURIComponent(one)}`);
      expect([one, shown.status]).toEqual([one, 403]);
      expect(shown.text).toContain('This link is not valid, or it has expired.');
      expect([one, (await answer(survey, { page, link: one })).status]).toEqual([one, 403]);
    }
    expect((await open(survey, 'link=')).status).toBe(403);
    now += 91 * DAY;
    expect((await open(survey, `link=${link}`)).status).toBe(403);
    expect((await answer(survey, { page: await pageOf(survey), link })).status).toBe(403);
    expect([await countProfiles(), await responsesOf(survey)]).toEqual([before, []]);
  });

  it('work with a link that the backend has signed, until the `uid_secret` is replaced', async () => {
    const survey = await addSurvey();
    const { body } = await api.post('/v3/edit/account/uid_secret');
    const url = survey.public_page_url ?? '';
    const expiresAt = new Date(now + DAY);
    const uid = `Jürgen ${newUid()}`;
    const signed = new URL(await surveyLink(body.uid_secret, url, { uid, expiresAt, score: 9, language: 'de' }));
    expect([signed.searchParams.get('score'), signed.searchParams.get('lang')]).toEqual(['9', 'de']);
    const link = signed.searchParams.get('link') ?? '';
    expect((await open(survey, `link=${link}`)).status).toBe(200);
    expect((await answer(survey, { page: await pageOf(survey), link })).status).toBe(200);
    expect((await responsesOf(survey))[0].profile.uid).toBe(uid);
    const wrong = new URL(await surveyLink('another secret', url, { uid, expiresAt })).searchParams.get('link') ?? '';
    expect((await answer(survey, { page: await pageOf(survey), link: wrong })).status).toBe(403);
    await api.post('/v3/edit/account/uid_secret');
    expect((await open(survey, `link=${link}`)).status).toBe(403);
    await expect(surveyLink('s', url, { uid, id: 'a b' })).rejects.toThrow(/up to 64/);
  });

  it('need a survey with a public page, a time in the future, and the permission to edit', async () => {
    const draft = await addSurvey({ published_at: null });
    const survey = await addSurvey();
    const send = (params: object, as = api.account) =>
      api.post('/v3/edit/survey_links', { uids: ['a'], ...params }, { as });
    expect((await send({ survey_id: draft.id })).status).toBe(422);
    expect((await send({ survey_id: survey.id, expires_at: '-1d' })).status).toBe(422);
    expect((await send({ survey_id: survey.id, uids: [] })).status).toBe(422);
    expect((await send({ survey_id: survey.id, link_id: 'a.b' })).status).toBe(422);
    expect((await send({ survey_id: survey.id }, api.other)).status).toBe(404);
    expect((await send({ survey_id: survey.id })).status).toBe(200);
  });
});
