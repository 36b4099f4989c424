import type { Field } from '@usher/domain/fields';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Api } from './api.ts';

/*
 * Tests a field that is declared in domain/src/fields/ and nowhere else. All modules are loaded again with this field,
 * and afterwards without it for the tests that follow.
 */

let api: Api;
let id: string;
let stepId: string;
const experience = async () => (await api.get(`/v3/edit/tours/${id}`)).body.tour;

beforeAll(async () => {
  vi.resetModules();
  const { stepFields } = await import('@usher/domain/fields');
  const subtitle: Field = { ...stepFields.title, name: 'subtitle', what: 'the subtitle' };
  Object.assign(stepFields, { subtitle });
  const { startApi } = await import('./api.ts');
  const { openDomain } = await import('./visiting.ts');
  api = await startApi({ inTest: false });
  await openDomain(api);
  const steps = [{ title: 'Hello', subtitle: 'Nice, {{name}}' }];
  const { body } = await api.post('/v3/edit/tours', { name: 'New', steps, published_at: '$now' });
  id = body.tour.id;
  stepId = body.tour.steps[0].id;
});
afterAll(async () => {
  await api.stop();
  vi.resetModules();
});

describe('a new text field of a step', () => {
  it('is stored and shown by the API, with its limits', async () => {
    expect((await experience()).steps[0].subtitle).toBe('Nice, {{name}}');
    const tooLong = await api.patch(`/v3/edit/tours/${id}`, { steps: [{ id: stepId, subtitle: 'x'.repeat(501) }] });
    expect([tooLong.status, tooLong.body.messages]).toEqual([422, [expect.stringContaining('`steps[0].subtitle`')]]);
  });

  it('reaches pages with the values of the user', async () => {
    const { visit } = await import('./visiting.ts');
    const { body } = await visit(api, { uid: 'ann', properties: { name: 'Ann' } });
    expect(body.experiences[0].steps[0].subtitle).toEqual(['Nice, Ann']);
  });

  it('is in translation files, and its translation reaches pages', async () => {
    const { text } = await api.get(`/v3/edit/tours/${id}/i18n.json`);
    expect(text).toContain('"subtitle"');
    const form = new FormData();
    const file = text.replace('"default"', '"de"').replace('Nice, {{name}}', 'Schön, {{name}}');
    form.append('file', new Blob([file]), 'de.json');
    expect((await api.post('/v3/edit/i18n', form)).body.i18ns[0].updated_count).toBe(1);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const { visit } = await import('./visiting.ts');
    const { body } = await visit(api, { uid: 'bea', properties: { name: 'Bea' }, browser: { l: 'de' } });
    expect(body.experiences[0].steps[0].subtitle).toEqual(['Schön, Bea']);
  });

  it('is in Changes and captures, and keeps what cannot be parsed from being published', async () => {
    await api.patch(`/v3/edit/tours/${id}`, { steps: [{ id: stepId, subtitle: 'Nice {{oops' }] });
    const { body } = await api.get(`/v3/edit/tours/${id}/changes`);
    expect(body.changes[0].object).toEqual({ subtitle: ['Nice, {{name}}', 'Nice {{oops'] });
    const capture = await api.get(`/v3/edit/captures/${body.changes[0].options.capture_id[1]}`);
    expect(capture.body.capture.look.fields.subtitle).toBe('Nice {{oops');
    const published = await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    expect(published.body.messages[0]).toContain('its subtitle: `{{oops` is never closed');
  });
});
