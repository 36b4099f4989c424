import { timeOfId } from '@usher/domain';
import { expect, it, vi } from 'vitest';
import { startApi } from './api.ts';
import { engine } from './engine.ts';
import { HOST, openDomain, visit } from './visiting.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

it('uses the right time for everything but new IDs after a clock was ahead', async () => {
  const real = Date.parse('2029-04-07T12:00:00Z');
  const clock = { now: real };
  const api = await startApi({ now: () => clock.now });
  await openDomain(api);
  const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }] }];
  const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps, published_at: '$now' })).body;
  const segment = { name: 'All', items: [{ kind: 'property', prop: 'plan', op: 'eq', value: 'pro' }] };

  const load = (uid: string, plan: string) => visit(api, { uid, properties: { plan } });
  const doAll = async (time: number) => {
    clock.now = time;
    const known = (await load('ann', 'pro')).body;
    const fresh = (await load(`new at ${time}`, 'free')).body;
    const report = { visit_token: known.visit.token, experience_id: tour.id, showing: 0, state: 'started' };
    expect((await api.post('/v3/observe/interactions', report)).status).toBe(200);
    const { id } = (await api.post('/v3/observe/hooks/events', { uid: 'ann', name: 'Paid' })).body.event;
    const created = (await api.post('/v3/edit/segments', { ...segment, name: `At ${time}` })).body.segment;
    await api.app.propertyRegistry.flush(api.account.account_id);
    const { interactions } = (await api.get('/v3/analyze/interactions', { query: `id=${tour.id}` })).body;
    const { urls } = (await api.get('/v3/edit/urls')).body;
    const { properties } = (await api.get('/v3/edit/properties', { query: 'kind=profile' })).body;
    return {
      known: known.profile.last_seen_at,
      fresh: fresh.profile.last_seen_at,
      interaction: interactions[0].updated_at,
      event: new Date(timeOfId(id)).toISOString(),
      segment: created.updated_at,
      url: urls.find(({ host }: { host: string }) => host === HOST).last_seen_at,
      property: properties.find(({ prop }: { prop: string }) => prop === 'plan').last_seen_at,
      segmentId: created.id as string,
    };
  };
  const at = (time: number) => {
    const text = new Date(time).toISOString();
    return {
      ...{ known: text, fresh: text, interaction: text, event: text, segment: text, url: text, property: text },
      segmentId: expect.any(String),
    };
  };

  const ahead = await doAll(real + 10 * DAY);
  expect(ahead).toEqual(at(real + 10 * DAY));
  const back = await doAll(real + 2 * MINUTE);
  expect(back).toEqual(at(real + 2 * MINUTE));
  const later = await doAll(real + 4 * MINUTE);
  expect(later).toEqual(at(real + 4 * MINUTE));
  // Lists and incremental sync depend on the order of IDs.
  expect([ahead, back, later].map(({ segmentId }) => segmentId).sort()).toEqual(
    [ahead, back, later].map(({ segmentId }) => segmentId),
  );

  const change = async (name: string) =>
    (await api.patch(`/v3/edit/segments/${ahead.segmentId}`, { name })).body.segment.updated_at;
  expect(await change('Renamed')).toBe(new Date(clock.now).toISOString());
  await vi.waitFor(async () => {
    const { secrets } = (await api.get('/v3/edit/secrets')).body;
    expect(secrets[0].last_used_at <= new Date(clock.now).toISOString()).toBe(true);
  });
  const { health } = (await api.get('/v3/analyze/health')).body;
  expect(health.checks).toContainEqual({
    name: 'clock',
    state: 'attention',
    // On PostgreSQL, the message first names the difference to the clock of the database server.
    message: expect.stringContaining(
      engine === 'sqlite' ? 'The newest record is from 2029-04-17T12:00:00.' : 'ahead of the database server',
    ),
  });
});
