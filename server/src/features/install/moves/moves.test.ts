import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../../../../domain/test/pictures.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { moveFrom, ownerOf } from '../../../../test/moving.ts';
import { pictureForm } from '../../../../test/picture-form.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { addResponse } from '../../../../test/use-rows.ts';
import { secretOf } from '../../../webhooks/secret.ts';
import { type MoveOptions, runMove, tryMove } from './run-move.ts';

/** Two servers with databases of their own. */
let source: Api;
let target: Api;
const env = { USHER_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
beforeAll(async () => {
  source = await startApi({ inTest: false, env });
  target = await startApi({ inTest: false, env });
});
afterAll(async () => {
  await source.stop();
  await target.stop();
});

const optionsFrom = (from: Api, more?: Partial<MoveOptions>) => moveFrom(from, target, more);

async function create(api: Api, path: string, key: string, params: object) {
  const { status, body } = await api.post(path, params);
  expect([path, status, body.messages]).toEqual([path, 201, undefined]);
  return body[key];
}

/** Fills an account with at least one record of everything that moves. */
async function fill(api: Api) {
  const environment = await create(api, '/v3/edit/url_groups', 'url_group', { name: 'Staging', short_name: 'STG' });
  await create(api, '/v3/edit/urls', 'url', { host: 'app.example.com', enabled: 'on', url_group_id: environment.id });
  const tag = await create(api, '/v3/edit/tags', 'tag', { name: 'Onboarding' });
  const pro = await create(api, '/v3/edit/segments', 'segment', {
    name: 'Pro',
    items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }],
  });
  const theme = await create(api, '/v3/edit/themes', 'theme', { name: 'Brand', published_at: '$now' });
  await create(api, '/v3/edit/properties', 'property', { name: 'Plan', description: 'What they pay', kind: 'profile' });
  const survey = await create(api, '/v3/edit/surveys', 'survey', {
    name: 'Rating',
    steps: [
      { title: 'How is it?', preset: 'survey_two', buttons: [{ text: 'Good' }, { text: 'Bad' }] },
      { title: 'Which one?', preset: 'survey_dropdown', dropdown_items: ['Red', 'Blue'] },
    ],
    published_at: '$now',
  });
  const small = await upload(api, png(8, 4));
  const large = await upload(api, png(20, 10), png(40, 20));
  const tour = await create(api, '/v3/edit/tours', 'tour', {
    name: 'Welcome',
    segment_ids: [pro.id],
    url_group_ids: [environment.id],
    tag_ids: [tag.id],
    theme_id: theme.id,
    steps: [
      {
        title: 'Hello {{name}}',
        body: `This is **new** ![Chart](${small})`,
        picture: large,
        position_type: 'snap_to_element',
        elements: [{ selector: '#start' }],
        buttons: [{ text: 'Next', additional_actions: ['survey'], action_campaign_id: survey.id }],
      },
    ],
    published_at: '$now',
  });
  await create(api, '/v3/edit/segments', 'segment', {
    name: 'Has seen it',
    items: [
      { kind: 'tour', value: tour.id, op: 'ex', range: 'completed' },
      { kind: 'segment', value: pro.id, op: 'ex' },
    ],
  });
  await create(api, '/v3/edit/launchers', 'launcher', {
    name: 'Help',
    ...{ preset: 'help_center', icon_size: 40, search_placeholder: 'Search {{name}}' },
    blocked_domains: ['old.example.com'],
    items: [{ kind: 'tour', title: 'Take the tour', campaign_id: tour.id }],
  });
  await create(api, '/v3/edit/limit_groups', 'limit_group', {
    name: 'One a day',
    max_count: 1,
    period_hours: 24,
    experience_ids: [tour.id],
  });
  await create(api, '/v3/edit/alert_groups', 'alert_group', {
    ...{ name: 'No one sees it', interval: 30, style: 'uncompleted', published_at: '$now', tag_ids: [tag.id] },
  });
  await create(api, '/v3/edit/alert_groups', 'alert_group', {
    ...{ name: 'Watch one', interval: 7, campaign_ids: [tour.id] },
  });
  const { account_id } = api.account;
  await api.app.storage.write(account_id, (db) =>
    db.updateTable('alert_groups').set({ last_notified_at: 1000 }).where('account_id', '=', account_id).execute(),
  );
  await create(api, '/v3/edit/languages', 'language', { code: 'de' });
  await translate(api, tour, 'Hallo {{name}}');
  await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
  await create(api, '/v3/edit/webhooks', 'webhook', { url: 'http://127.0.0.1:9/hook', topics: ['tour.*'] });
  const profiles = Array.from({ length: 7 }, (_, n) => ({
    ...{ uid: `user ${n}`, email: `user${n}@example.com`, name: `User ${n}`, plan: n % 2 ? 'pro' : 'free' },
    company: { uid: `company ${n % 2}`, name: `Company ${n % 2}` },
  }));
  expect((await api.post('/v3/observe/hooks/profiles/batch', { profiles })).status).toBe(202);
  const { profiles: stored } = (await api.get('/v3/analyze/profiles')).body;
  await use(api, stored, tour.id, survey);
  return { tour, survey, stored };
}

async function upload(api: Api, ...files: Uint8Array[]): Promise<string> {
  const { status, body } = await api.post('/v3/edit/pictures', pictureForm(...files));
  expect(status).toBe(201);
  return body.picture.path;
}

/** Drafts, versions and Changes, by which a run that brings nothing is found to write nothing. */
async function stateOf({ app, account: { account_id } }: Api) {
  const rows = async (table: 'experiences' | 'versions' | 'changes' | 'translations' | 'segments') =>
    app.storage.write(account_id, (db) =>
      db
        .selectFrom(table as 'experiences')
        .selectAll()
        .where('account_id', '=', account_id)
        .execute(),
    );
  return Promise.all((['experiences', 'versions', 'changes', 'translations', 'segments'] as const).map(rows));
}

async function translate(api: Api, tour: { id: string }, text: string, from = 'Hello {{name}}'): Promise<void> {
  const form = new FormData();
  const { text: file } = await api.get(`/v3/edit/tours/${tour.id}/i18n.json?language=de`);
  form.append('file', new Blob([file.replace(from, text)]), 'de.json');
  const { body } = await api.send('POST', '/v3/edit/i18n', { body: form });
  expect(body.i18ns?.[0]?.errors ?? body.messages).toEqual([]);
}

/** Users complete the tour, answer the survey and get a Delivery. */
async function use(
  api: Api,
  profiles: { id: string }[],
  tour: string,
  survey: { id: string; steps: { id: string; buttons: { id: string }[] }[] },
): Promise<void> {
  const { account_id } = api.account;
  const now = api.app.now();
  const states = ['completed', 'exited', 'started', 'displayed'] as const;
  await api.app.storage.write(account_id, async (db) => {
    for (const [n, { id: profile_id }] of profiles.entries()) {
      const state = states[n % 4] ?? 'started';
      await db
        .insertInto('interactions')
        .values({
          ...{ account_id, id: api.app.newId(), experience_id: tour, profile_id, state, updated_at: now + n },
          started_at: state === 'displayed' ? null : now,
          displayed_at: now,
          completed_at: state === 'completed' ? now : null,
          exited_at: state === 'exited' ? now : null,
        })
        .execute();
    }
    await db.updateTable('profiles').set({ last_seen_at: now }).where('account_id', '=', account_id).execute();
    await db.updateTable('accounts').set({ recount_at: null }).where('id', '=', account_id).execute();
  });
  const [first, second] = survey.steps;
  const button_id = first?.buttons[1]?.id ?? '';
  await addResponse(
    api.app,
    { account_id, experience_id: survey.id, profile_id: profiles[0]?.id ?? '' },
    {
      step_id: first?.id ?? '',
      button_id,
      button_index: 1,
      button_text: 'Bad',
      finished_at: now,
      href: 'https://app.example.com/',
    },
    { step_id: second?.id ?? '', value: 'Blue', button_index: 1, input: 'Nice' },
  );
  const delivery = {
    model_kind: 'tour',
    model_id: tour,
    profile_id: profiles[0]?.id,
    idempotency_key: 'one',
    once: true,
  };
  await create(api, '/v3/edit/deliveries', 'delivery', delivery);
}

/** Everything that the API shows of an account, without what is its own. */
async function recordsOf(api: Api, ids: { tour: string; survey: string }) {
  const list = async (path: string, key: string) => {
    const { status, body } = await api.get(path);
    expect([path, status]).toEqual([path, 200]);
    return body[key];
  };
  const media = `/media/${api.account.account_id}/`;
  const host = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(api.url, '<url>').replaceAll(media, '/media/<account>/'));
  return host({
    properties: await list('/v3/edit/properties?kind=profile', 'properties'),
    company_properties: await list('/v3/edit/properties?kind=company', 'properties'),
    url_groups: await list('/v3/edit/url_groups', 'url_groups'),
    urls: await list('/v3/edit/urls', 'urls'),
    tags: await list('/v3/edit/tags', 'tags'),
    segments: await list('/v3/edit/segments', 'segments'),
    themes: await list('/v3/edit/themes', 'themes'),
    limit_groups: await list('/v3/edit/limit_groups', 'limit_groups'),
    alert_groups: await list('/v3/edit/alert_groups', 'alert_groups'),
    experiences: (await list('/v3/edit/experiences', 'experiences')).map(
      ({ stats: _, dashboard_url: __, ...experience }: Record<string, unknown>) => experience,
    ),
    german: (await list('/v3/edit/experiences/i18n.json?language=de', 'experiences')) as unknown,
    companies: await list('/v3/analyze/companies', 'companies'),
    profiles: await list('/v3/analyze/profiles', 'profiles'),
    interactions: await list(`/v3/analyze/interactions?id=${ids.tour}&order=updated_at`, 'interactions'),
    responses: await list(`/v3/analyze/responses?id=${ids.survey}`, 'responses'),
    deliveries: await list('/v3/edit/deliveries', 'deliveries'),
    webhooks: (await list('/v3/edit/webhooks', 'webhooks')).map(
      ({ enabled: _, ...webhook }: Record<string, unknown>) => webhook,
    ),
  });
}

async function webhookSecret({ app, account: { account_id } }: Api): Promise<string> {
  const account = await app.publishedCache.account(account_id);
  const rows = app.storage.reader(account_id).selectFrom('webhooks').selectAll();
  return secretOf(account?.visitKey ?? '', await rows.where('account_id', '=', account_id).executeTakeFirstOrThrow());
}

describe('a move between two servers', () => {
  it('brings every record with its ID, its times and its percent, and a second run brings only what is new', async () => {
    const { tour, survey, stored } = await fill(source);
    const ids = { tour: tour.id, survey: survey.id };
    const tried = await tryMove(ownerOf(target), optionsFrom(source));
    expect(tried.problems.filter(({ stage }) => stage !== 'webhooks')).toEqual([]);
    expect((await target.get('/v3/edit/experiences')).body.experiences).toEqual([]);

    const move = await runMove(ownerOf(target), optionsFrom(source));
    expect((await target.get('/v3/edit/move/problems')).body.problems).toEqual([
      { stage: 'webhooks', record_id: expect.any(String), message: expect.stringContaining('--webhook-secret') },
    ]);
    expect(move).toMatchObject({ state: 'finished', error: null, unplaced_steps_count: 0 });
    const expected = await recordsOf(source, ids);
    expect(await recordsOf(target, ids)).toEqual(expected);
    const { picture } = (await target.get(`/v3/edit/tours/${tour.id}`)).body.tour.steps[0];
    expect((await target.get('/v3/edit/pictures')).body.pictures).toHaveLength(2);
    expect((await target.get(picture)).headers.get('content-type')).toBe('image/png');
    // The last states alone do not say that all of them saw it.
    const { stats } = (await source.get(`/v3/edit/tours/${tour.id}`)).body.tour;
    expect((await target.get(`/v3/edit/tours/${tour.id}`)).body.tour.stats.displayed_count).toBeGreaterThanOrEqual(
      stats.displayed_count,
    );

    // What changed there comes, what changed here stays.
    await source.post('/v3/observe/hooks/profiles', { uid: 'user 0', plan: 'enterprise' });
    await source.post('/v3/observe/hooks/profiles', { uid: 'new one' });
    await target.patch(`/v3/edit/tours/${tour.id}`, { name: 'Mine' });
    await target.post('/v3/observe/hooks/profiles', { uid: 'user 1', plan: 'mine' });
    const again = await runMove(ownerOf(target), optionsFrom(source));
    expect(again.state).toBe('finished');
    const shown = async (uid: string) =>
      (await target.get(`/v3/analyze/profile?uid=${encodeURIComponent(uid)}`)).body.profile;
    expect((await shown('user 0')).plan).toBe('enterprise');
    expect((await shown('user 1')).plan).toBe('mine');
    await target.app.propertyRegistry.flush(target.account.account_id);
    const { properties } = (await target.get('/v3/edit/properties?kind=profile')).body;
    expect(properties.find(({ prop }: { prop: string }) => prop === 'plan').values).toContain('enterprise');
    expect((await shown('new one')).id).toBe((await source.get('/v3/analyze/profile?uid=new%20one')).body.profile.id);
    expect((await target.get(`/v3/edit/tours/${tour.id}`)).body.tour.name).toBe('Mine');
    expect((await target.post('/v3/analyze/profiles/count', {})).body.count).toBe(stored.length + 1);

    const [webhook] = (await target.get('/v3/edit/webhooks')).body.webhooks;
    expect(webhook.enabled).toBe(false);
    const webhooks = new Map([[webhook.id, 'whsec_of_the_other_service']]);
    await runMove(
      ownerOf(target),
      optionsFrom(source, { only: ['webhooks'], secrets: { verification: undefined, webhooks } }),
    );
    const { problems } = (await target.get('/v3/edit/move/problems')).body;
    expect(problems.filter(({ stage }: { stage: string }) => stage === 'webhooks')).toEqual([]);
    expect(await webhookSecret(target)).toBe('whsec_of_the_other_service');
    const { browser } = await addSignedIn(target, 'owner');
    expect((await browser.send('POST', '/v3/edit/move/release')).body.move.state).toBe('released');
    expect((await target.get(`/v3/edit/webhooks/${webhook.id}`)).body.webhook.enabled).toBe(true);

    // And back, to a new account.
    await target.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    await source.replaceAccounts();
    await runMove(ownerOf(source), optionsFrom(target));
    expect(await recordsOf(source, ids)).toEqual(await recordsOf(target, ids));
  }, 120_000);

  it('brings what has changed there since, and leaves what was edited here', async () => {
    await target.replaceAccounts();
    await source.replaceAccounts();
    const { tour, survey } = await fill(source);
    const ids = { tour: tour.id, survey: survey.id };
    const launcher = (await source.get('/v3/edit/launchers')).body.launchers[0];
    const plain = await create(source, '/v3/edit/tours', 'tour', {
      name: 'Plain',
      steps: [{ title: 'One' }],
      published_at: '$now',
    });
    await runMove(ownerOf(target), optionsFrom(source));
    expect(await recordsOf(target, ids)).toEqual(await recordsOf(source, ids));
    const first = await stateOf(target);

    const nothing = await runMove(ownerOf(target), optionsFrom(source));
    expect(nothing.stages.find(({ stage }) => stage === 'updates')).toMatchObject({ done: 0, problems_count: 0 });
    expect(await stateOf(target)).toEqual(first);

    // Everything that can change there: content, new and removed parts, texts, translations, targeting, and what users see.
    const lists = async (path: string, key: string) => (await source.get(path)).body[key];
    const segments = await lists('/v3/edit/segments', 'segments');
    const [environment] = await lists('/v3/edit/url_groups', 'url_groups');
    const [tag] = await lists('/v3/edit/tags', 'tags');
    const [limits] = await lists('/v3/edit/limit_groups', 'limit_groups');
    const pro = segments.find(({ name }: { name: string }) => name === 'Pro');
    const change = async (path: string, params: object) => {
      const { status, body } = await source.patch(path, params);
      expect([path, status, body.messages]).toEqual([path, 200, undefined]);
    };
    await change(`/v3/edit/segments/${pro.id}`, {
      name: 'Paying',
      items: [...pro.items, { kind: 'property', prop: 'seats', op: 'gt', value: 3 }],
    });
    await change(`/v3/edit/url_groups/${environment.id}`, { name: 'Preview', description: 'Before it is live' });
    await change(`/v3/edit/tags/${tag.id}`, { name: 'First days' });
    await change(`/v3/edit/limit_groups/${limits.id}`, { max_count: 2 });
    const [step] = tour.steps;
    await change(`/v3/edit/tours/${tour.id}`, {
      name: 'Welcome back',
      segment_ids: [],
      steps: [
        { id: step.id, title: 'Hi {{name}}', elements: [{ selector: '#begin' }], buttons: [] },
        { title: 'Second', buttons: [{ text: 'Done', tour_action: 'exit' }] },
      ],
    });
    await translate(source, tour, 'Na {{name}}', 'Hallo {{name}}');
    await change(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    await change(`/v3/edit/launchers/${launcher.id}`, { icon_size: 64, blocked_domains: [] });
    await change(`/v3/edit/tours/${plain.id}`, { published_at: null });
    const again = await runMove(ownerOf(target), optionsFrom(source));
    expect(again.stages.find(({ stage }) => stage === 'updates')).toMatchObject({ done: 3, problems_count: 0 });
    expect(await recordsOf(target, ids)).toEqual(await recordsOf(source, ids));
    const { versions } = (await target.get(`/v3/edit/tours/${tour.id}/versions`)).body;
    expect(versions).toHaveLength(2);
    const { changes } = (await target.get(`/v3/edit/tours/${tour.id}/changes?limit=500`)).body;
    expect(JSON.stringify(changes)).toContain('Welcome back');
    // A translation that was taken away there goes here too.
    await translate(source, tour, '', 'Na {{name}}');
    await runMove(ownerOf(target), optionsFrom(source));
    expect(await recordsOf(target, ids)).toEqual(await recordsOf(source, ids));
    expect((await target.get(`/v3/edit/tours/${tour.id}/i18n.json?language=de`)).text).toContain('Hi {{name}}');

    // Edited here, and changed there: both stay as they are, and the report names them.
    const edit = async (path: string, params: object) => expect((await target.patch(path, params)).status).toBe(200);
    await edit(`/v3/edit/tours/${tour.id}`, { name: 'Mine' });
    await edit(`/v3/edit/segments/${pro.id}`, { name: 'My own' });
    await edit(`/v3/edit/launchers/${launcher.id}`, { title: 'Mine, and not changed there' });
    await change(`/v3/edit/tours/${tour.id}`, { name: 'Theirs' });
    await change(`/v3/edit/segments/${pro.id}`, { name: 'Their own' });
    await runMove(ownerOf(target), optionsFrom(source));
    expect((await target.get(`/v3/edit/tours/${tour.id}`)).body.tour.name).toBe('Mine');
    expect((await target.get(`/v3/edit/segments/${pro.id}`)).body.segment.name).toBe('My own');
    const { problems } = (await target.get('/v3/edit/move/problems')).body;
    const found = problems.filter(({ message }: { message: string }) => message.includes('changed there and here'));
    expect(found).toEqual([
      expect.objectContaining({ stage: 'segments', record_id: pro.id }),
      {
        ...{ stage: 'updates', record_id: tour.id },
        message: `It was changed there and here: not updated. There: ${source.app.publicUrl}/app/experiences/${tour.id} Here: ${target.app.publicUrl}/app/experiences/${tour.id}`,
      },
    ]);
  }, 120_000);

  it('is rejected for an account with people, and for its own account', async () => {
    await target.replaceAccounts();
    await source.replaceAccounts();
    await expect(runMove(ownerOf(target), optionsFrom(target))).rejects.toThrow(
      'the account that you would import from',
    );
    await target.post('/v3/observe/hooks/profiles', { uid: 'ann' });
    await expect(runMove(ownerOf(target), optionsFrom(source))).rejects.toThrow('has Experiences or people already');
  });
});
