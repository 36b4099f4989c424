import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

describe('create', () => {
  it('adds a domain with every field', async () => {
    const { status, body } = await api.post('/v3/edit/urls', { host: 'App.Example.co.uk.' });
    expect(status).toBe(201);
    expect(body.url).toMatchObject({
      host: 'app.example.co.uk',
      domain: 'example.co.uk',
      enabled: 'on',
      archived_at: null,
      unlisted: false,
    });
    const shown = await api.get(`/v3/edit/urls/${body.url.id}`);
    expect(shown.body).toEqual(body);
  });
  it('refuses a host twice', async () => {
    await api.post('/v3/edit/urls', { host: 'twice.example.com' });
    const { status } = await api.post('/v3/edit/urls', { host: 'TWICE.example.com' });
    expect(status).toBe(409);
  });
});
