import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { HOST, newUid, openDomain, PAGE, visit } from '../../../../test/visiting.ts';

const HOUR = 60 * 60_000;
let now = Date.parse('2029-04-07T12:18:00.000Z');
let api: Api;
let uid: string;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
});
afterAll(() => api.stop());
beforeEach(async () => {
  now += HOUR;
  await api.replaceAccounts();
  await openDomain(api);
  uid = newUid();
  await api.post('/v3/observe/hooks/profiles', { uid, email: `${uid.replace(' ', '')}@example.com`, plan: 'free' });
});

async function add(kind: string, params: object = {}): Promise<string> {
  const step = { title: 'Hello', ...(kind === 'survey' && { preset: 'survey_nps' }) };
  const items = [{ kind: 'url', title: 'Docs', url: '/docs' }];
  const content = kind === 'launcher' ? { title: 'Help', items } : { steps: [step] };
  const { status, body } = await api.post(`/v3/edit/${kind}s`, { name: 'One', ...content, ...params });
  expect([status, body.messages]).toEqual([201, undefined]);
  return body[kind].id;
}

async function addSegment(name: string, value: string): Promise<string> {
  const items = [{ kind: 'property', prop: 'plan', op: 'eq', value }];
  return (await api.post('/v3/edit/segments', { name, items })).body.segment.id;
}

async function explain(id: string, params: object = {}, kind = 'tours') {
  const { status, body } = await api.post(`/v3/edit/${kind}/${id}/explanations`, { uid, href: PAGE, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  return body.explanation;
}

const fieldsOf = ({ reasons }: { reasons: { field: string | null }[] }) => reasons.map(({ field }) => field);

describe('an explanation of one Experience', () => {
  it('explains the draft as if it was published now, and nothing live', async () => {
    const id = await add('tour');
    expect(await explain(id)).toEqual({
      draft: { shows: true, waits_for: null, reasons: [] },
      live: null,
      experiment: null,
    });
  });

  it('names the domain that a launcher leaves out, and page loads leave it out', async () => {
    const id = await add('launcher', { blocked_domains: [HOST], published_at: '$now' });
    const reason = {
      ...{ rule: 'blocked', field: 'blocked_domains' },
      message: `It does not show on the domain “${HOST}”, which it leaves out`,
    };
    const not = { shows: false, waits_for: null, reasons: [reason] };
    expect(await explain(id, {}, 'launchers')).toEqual({ draft: not, live: not, experiment: null });
    const shown = async () =>
      (await visit(api, { uid })).body.experiences.filter((one: { id: string }) => one.id === id);
    expect(await shown()).toEqual([]);
    now += 1000;
    await api.patch(`/v3/edit/launchers/${id}`, { blocked_domains: [], icon_size: 40, published_at: '$now' });
    const [one] = await shown();
    expect(one).toMatchObject({ automatic: true, icon_size: 40 });
    expect(Object.keys(one)).not.toContain('blocked_domains');
  });

  it('explains the draft and what is live separately', async () => {
    const id = await add('tour', { published_at: '$now' });
    await api.patch(`/v3/edit/tours/${id}`, { segment_ids: [await addSegment('Paying', 'pro')] });
    expect(await explain(id)).toEqual({
      draft: {
        shows: false,
        waits_for: null,
        reasons: [{ rule: 'segments', message: 'The user is not in the Segment “Paying”', field: 'segment_ids' }],
      },
      live: { shows: true, waits_for: null, reasons: [] },
      experiment: null,
    });
  });

  it('says what the first step waits for on the page, separately for the draft and what is live', async () => {
    const steps = [
      { title: 'Hello', secondary_trigger: 'exit_intent' },
      { title: 'Two', trigger_delay: 3 },
    ];
    const id = await add('tour', { steps, published_at: '$now' });
    const scroll = { secondary_trigger: 'scroll_percent', trigger_scroll_percent: 40, trigger_delay: 2 };
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ title: 'Hello', ...scroll }] });
    const { draft, live } = await explain(id);
    expect([draft.waits_for, live.waits_for]).toEqual([
      'It waits until they have scrolled 40 % of the page, then until 2 seconds have passed',
      'It waits until they are about to leave the page',
    ]);
  });

  it('says that the user has closed a banner, and when it comes again', async () => {
    const steps = [{ title: 'News', position_type: 'inline', placement: 'left', elements: [{ selector: 'body' }] }];
    const id = await add('embed', { steps, sticky: true, repeat_days: 3, published_at: '$now' });
    const shown = async () => (await visit(api, { uid })).body;
    const close = async ({ visit: { token }, experiences: [experience] }: Awaited<ReturnType<typeof shown>>) => {
      const report = { visit_token: token, experience_id: id, step_id: experience.steps[0].id };
      for (const state of ['displayed', 'exited'])
        expect((await api.post('/v3/observe/interactions', { ...report, state }, { as: null })).status).toBe(200);
    };
    for (let turn = 0; turn < 2; turn++) {
      const body = await shown();
      expect(body.experiences.map(({ sticky }: { sticky: boolean }) => sticky)).toEqual([true]);
      now += HOUR;
      await close(body);
      expect((await shown()).experiences).toEqual([]);
      const [at, again] = [now, now + 72 * HOUR].map((time) => new Date(time).toISOString());
      expect((await explain(id, {}, 'embeds')).live.reasons).toEqual([
        { rule: 'seen', message: `Shown already: exited on ${at}; it comes again on ${again}`, field: 'repeat_days' },
      ]);
      now += 72 * HOUR;
    }
    const last = await shown();
    await close(last);
    expect((await shown()).experiences).toEqual([]);
    expect((await api.send('DELETE', `/v3/edit/profiles/${last.profile.id}`)).status).toBe(200);
    expect((await shown()).experiences).toHaveLength(1);
  });

  it('lists all reasons, each with the field that decides', async () => {
    const [staging, production] = await Promise.all(
      ['Staging', 'Production'].map(
        async (name) => (await api.post('/v3/edit/url_groups', { name })).body.url_group.id,
      ),
    );
    const { urls } = (await api.get('/v3/edit/urls')).body;
    await api.patch(`/v3/edit/urls/${urls[0].id}`, { url_group_id: staging });
    const id = await add('tour', {
      style: 'manual',
      segment_ids: [await addSegment('Paying', 'pro')],
      excluded_segment_ids: [await addSegment('Free', 'free')],
      url_group_ids: [production],
      experiment_at: new Date(now - HOUR).toISOString(),
      experiment_range: '0-0',
      steps: [{ title: 'Hello', quantifier_urls: [{ url: '/elsewhere' }] }],
    });
    const { draft } = await explain(id);
    expect(fieldsOf(draft).sort()).toEqual(
      [
        'style',
        'segment_ids',
        'excluded_segment_ids',
        'url_group_ids',
        'experiment_range',
        'steps.0.quantifier_urls',
      ].sort(),
    );
  });

  it('considers a Segment that was created after the last publish', async () => {
    await add('launcher', { published_at: '$now' });
    await visit(api, { uid });
    const id = await add('tour', { segment_ids: [await addSegment('Free', 'free')] });
    expect((await explain(id)).draft.shows).toBe(true);
  });

  it('names the field of the launcher for its pages', async () => {
    const id = await add('launcher', { quantifier_urls: [{ url: '/elsewhere' }] });
    expect(fieldsOf((await explain(id, {}, 'launchers')).draft)).toEqual(['quantifier_urls']);
  });

  it('says that an archived draft, and one whose end has passed, would not show', async () => {
    const published_until = new Date(now - HOUR).toISOString();
    const id = await add('tour', { archived_at: '$now', published_until });
    const { draft } = await explain(id);
    expect(draft.shows).toBe(false);
    expect(fieldsOf(draft)).toEqual(['archived_at', 'published_until']);
  });

  it('names the Experience that comes first', async () => {
    await add('survey', { name: 'Ask first', published_at: '$now' });
    const id = await add('tour', { position: 5 });
    const { draft } = await explain(id);
    expect(draft.reasons).toEqual([
      { rule: 'another', message: expect.stringContaining('“Ask first”'), field: 'position' },
    ]);
  });

  it('explains a user who is switched off and a host that is off, which no field decides', async () => {
    await api.post('/v3/observe/hooks/profiles', { uid, disabled: true });
    await api.post('/v3/edit/urls', { host: 'off.example.com', enabled: 'off' });
    const id = await add('tour');
    const { draft } = await explain(id, { href: 'https://off.example.com/' });
    expect(draft.reasons.map(({ rule, field }: { rule: string; field: null }) => [rule, field])).toEqual([
      ['page', null],
      ['disabled', null],
    ]);
  });

  it('shows on a new host below a domain with all its subdomains', async () => {
    await api.post('/v3/edit/urls', { host: 'example.org', enabled: 'subdomain' });
    const id = await add('tour');
    expect((await explain(id, { href: 'https://new.example.org/' })).draft.shows).toBe(true);
  });

  it('counts the page load itself as the last visit', async () => {
    const items = [{ kind: 'property', prop: 'last_seen_session_count', op: 'gt', value: 0 }];
    const { body } = await api.post('/v3/edit/segments', { name: 'Seen', items });
    const id = await add('tour', { segment_ids: [body.segment.id] });
    expect((await explain(id)).draft.shows).toBe(true);
  });

  it('finds the user by ID, uid or email', async () => {
    const id = await add('tour');
    const query = new URLSearchParams({ uid }).toString();
    const { profile } = (await api.get('/v3/analyze/profile', { query })).body;
    for (const by of [{ profile_id: profile.id }, { email: profile.email }])
      expect((await explain(id, { uid: undefined, ...by })).draft.shows).toBe(true);
  });

  it('returns 404 for an unknown user and 422 without one', async () => {
    const id = await add('tour');
    const path = `/v3/edit/tours/${id}/explanations`;
    expect((await api.post(path, { uid: 'nobody', href: PAGE })).status).toBe(404);
    expect((await api.post(path, { href: PAGE })).status).toBe(422);
    expect((await api.post(path, { uid })).status).toBe(422);
    expect((await api.post(`/v3/edit/surveys/${id}/explanations`, { uid, href: PAGE })).status).toBe(404);
    expect((await api.post(path, { uid, href: PAGE }, { as: api.other })).status).toBe(404);
  });

  it('records nothing', async () => {
    const id = await add('tour', { published_at: '$now' });
    await visit(api, { uid });
    const before = await accountRows(api.app, api.account.account_id);
    now += 3 * HOUR;
    await explain(id, { href: `https://new.${HOST}/` });
    expect(await accountRows(api.app, api.account.account_id)).toEqual(before);
  });
});
