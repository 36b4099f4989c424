import { expect } from 'vitest';
import { realPng } from '../../script/test/real-png.ts';
import { pictureForm } from '../../server/test/picture-form.ts';
import { addSignedIn, type TestAdmin } from '../../server/test/sign-in.ts';
import { visit } from '../../server/test/visiting.ts';
import type { Dashboard } from './browser.ts';
import { hostileName } from './looks.ts';

/** The IDs for the addresses of pages in a full account, and the administrator who opens them. */
export interface FullAccount {
  admin: TestAdmin;
  tour: string;
  survey: string;
  launcher: string;
  /** A tour without steps. */
  empty: string;
  segment: string;
  experiment: string;
  person: string;
  /** A person of whom nothing is known but the uid. */
  unknown: string;
  company: string;
  event: string;
  proposal: string;
  import: string;
  webhook: string;
  theme: string;
  report: string;
}

interface Named {
  id: string;
  name: string;
}

/**
 * Loads the sample data, and adds what it lacks. One record of each type has a name that breaks code which does not
 * escape or wrap it.
 */
export async function fillAccount({ api }: Dashboard): Promise<FullAccount> {
  const admin = await addSignedIn(api, 'owner');
  const post = async (path: string, params: object) => {
    const { status, body } = await admin.browser.post(path, params);
    expect([path, status < 300, body.messages]).toEqual([path, true, undefined]);
    return body;
  };
  const hook = async (path: string, params: object) => (await api.post(`/v3/observe/hooks/${path}`, params)).body;
  await post('/v3/edit/sample_data', {});
  const { experiences } = (await api.get('/v3/edit/experiences', { query: 'fields=list' })).body;
  const idOf = (name: string): string => experiences.find((one: Named) => one.name === name).id;
  const tour = idOf('Welcome tour');
  const survey = idOf('How likely are you to recommend us?');

  const plan = [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }];
  const { segment } = await post('/v3/edit/segments', { name: hostileName, items: plan });
  const { tag } = await post('/v3/edit/tags', { name: hostileName.slice(0, 60) });
  const group = { name: hostileName.slice(0, 60), short_name: '😀W', style_short_name_color: 'C62F26' };
  const { url_group } = await post('/v3/edit/url_groups', group);
  const inGroup = { url_group_ids: [url_group.id], segment_ids: [segment.id], tag_ids: [tag.id] };
  const steps = [{ title: hostileName, body: hostileName, buttons: [{ text: 'Next' }] }];
  await post('/v3/edit/tours', { name: hostileName, steps, published_at: '$now', ...inGroup });
  const ended = (
    await post('/v3/edit/tours', { name: hostileName, steps, published_at: '$now', published_until: '+1d' })
  ).tour;
  await api.app.storage.write(api.account.account_id, (db) =>
    db
      .updateTable('experiences')
      .set({ published_until: Date.now() - 1, created_at: Date.now() - 7 * 24 * 60 * 60_000 })
      .where('account_id', '=', api.account.account_id)
      .where('id', '=', ended.id)
      .execute(),
  );
  await post('/v3/edit/tours', { name: 'Summer sale', steps, published_at: '+2d' });
  const empty = (await post('/v3/edit/tours', { name: 'Empty' })).tour.id;
  const { picture } = await post('/v3/edit/pictures', pictureForm(realPng(64, 40)));
  await admin.browser.patch(`/v3/edit/pictures/${picture.id}`, { name: hostileName });
  const { theme } = await post('/v3/edit/themes', {
    ...{
      name: hostileName,
      default: true,
      published_at: '$now',
      style_radius: '4',
      css: '.title { letter-spacing: 1px }',
    },
    variations: [{ name: hostileName, filters: plan, overrides: { style_color_background: 'fff8e8' } }],
  });
  // Too little contrast, which the page says.
  await admin.browser.patch(`/v3/edit/themes/${theme.id}`, { style_color_text: 'aaaaaa' });
  for (const code of ['de', 'ar', 'pt-BR']) await post('/v3/edit/languages', { code });
  const limit = { max_count: 1, period_hours: 24 };
  await post('/v3/edit/limit_groups', { name: 'One a day', ...limit });
  await post('/v3/edit/limit_groups', { name: hostileName, ...limit, period_hours: 168, experience_ids: [tour] });
  await post('/v3/edit/goals', { name: hostileName, event_name: 'Paid', within_days: 14 });
  await post('/v3/edit/alert_groups', { name: 'Not seen', interval: 7, published_at: '$now' });
  await post('/v3/edit/alert_groups', { name: hostileName, interval: 365, style: 'uncompleted', tag_ids: [tag.id] });

  for (const params of [
    { host: 'app.acme.test', url_group_id: url_group.id },
    { host: 'acme.test', enabled: 'subdomain' },
    { host: `${Array(4).fill('a'.repeat(60)).join('.')}.test`, enabled: 'off' },
    { host: 'old.acme.test', archived_at: '$now' },
  ])
    await post('/v3/edit/urls', params);
  for (const host of ['app.acme.test', 'preview-14.acme-pages.test'])
    await visit(api, { uid: 'ann', href: `https://${host}/` });

  await admin.browser.patch('/v3/edit/account', { test_emails: ['*@orbit.test'] });
  const note = { plan: 'enterprise', seats: 1250, is_partner: true, note: hostileName };
  const { company } = await hook('companies', { uid: 'acme-1', name: 'Acme', ...note });
  const { profile } = await hook('profiles', {
    ...{ uid: 'ann', name: 'Ann Lee', email: 'ann@example.com', company_uid: 'acme-1', plan: 'pro', teams: ['Sales'] },
    ...{ trial_ends_at: '2027-01-02T03:04:05.000Z', notes: 'long '.repeat(60), settings: { theme: 'dark' } },
  });
  await hook('profiles', { uid: 'kim', name: hostileName, email: 'kim@orbit.test', company_uid: 'acme-1' });
  await hook('events', { uid: 'ann', name: hostileName, note: hostileName, seats: 12, url: 'https://example.com/a' });
  const [event] = (await api.get('/v3/edit/event_names', { query: 'limit=1' })).body.event_names;
  const adoption = { kind: 'adoption', params: { event_name_id: event.id } };
  const { report } = await post('/v3/edit/reports', { name: hostileName, description: hostileName, ...adoption });
  const unknown = (await hook('profiles', { uid: hostileName })).profile.id;
  for (const from of [undefined, '2090-01-01'])
    await post('/v3/edit/deliveries', { model_kind: 'tour', model_id: tour, profile_id: profile.id, from });

  const csv = new FormData();
  csv.append('file', new Blob([`id,Plan,${hostileName}\nann,pro,${hostileName}\n`]), 'people.csv');
  const waiting = await post(`/v3/edit/imports?name=${encodeURIComponent(hostileName)}&kind=update_csv`, csv);

  const off = await post('/v3/edit/webhooks', { url: 'https://example.com/hooks', name: 'Off', topics: ['tour.*'] });
  await admin.browser.patch(`/v3/edit/webhooks/${off.webhook.id}`, { enabled: false });
  const address = `https://example.com/${'very-long-'.repeat(30)}`;
  const { webhook } = await post('/v3/edit/webhooks', { url: address, name: hostileName, topics: ['tour.*'] });
  await post('/v3/edit/secrets', { name: hostileName.slice(0, 100), scope: 'edit', expires_at: '+10d' });
  const networks = ['192.0.2.0/24', '2001:db8::/32'];
  await post('/v3/edit/secrets', { name: 'Nightly import', scope: 'ingest', networks });
  const mo = await addSignedIn(api, 'viewer');
  await mo.browser.patch('/v3/person', { name: 'Mo <script>alert(1)</script> \u202eevil' });
  await post('/v3/edit/invitations', { role: 'viewer', note: hostileName });
  const { proposal } = await post('/v3/edit/tours/proposals', { name: hostileName, note: hostileName, steps });
  const tested = (await post('/v3/edit/tours', { name: 'Tested', steps })).tour.id;
  const { goal } = await post('/v3/edit/goals', { name: hostileName, kind: 'event', event_name: 'Paid' });
  const variants = [
    { name: hostileName, share: 50 },
    { name: 'Tour', experience_id: tested, share: 50 },
  ];
  const { experiment } = await post('/v3/edit/experiments', { name: hostileName, variants, goal_ids: [goal.id] });
  await post(`/v3/edit/experiments/${experiment.id}/start`, {});
  return {
    ...{ admin, tour, survey, empty, unknown, launcher: idOf('Getting started') },
    ...{
      segment: segment.id,
      experiment: experiment.id,
      person: profile.id,
      company: company.id,
      event: event.id,
      proposal: proposal.id,
      import: waiting.import.id,
      webhook: webhook.id,
      theme: theme.id,
      report: report.id,
    },
  };
}
