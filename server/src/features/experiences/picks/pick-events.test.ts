import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { askAsPage, type MadePick, makePick, openPick, RESULT } from '../../../../test/picking.ts';
import { addSignedIn } from '../../../../test/sign-in.ts';
import { openDomain } from '../../../../test/visiting.ts';
import { createSecret } from '../../team/secrets/create-secret.ts';

let api: Api;
let pick: MadePick;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.replaceAccounts();
  Object.assign(api.app.pickStreams.times, { look: 50, comment: 15_000, max: 5 * 60_000 });
  await openDomain(api);
  pick = await makePick(api);
});

/** An open stream of events. */
class Stream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #controller: AbortController;
  #text = '';

  private constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
    this.#controller = controller;
  }

  static async open(id: string, on: Api = api, headers?: Record<string, string>): Promise<Stream> {
    const controller = new AbortController();
    const { account_secret } = api.account;
    const response = await fetch(`${on.url}/v3/edit/picks/${id}/events`, {
      headers: headers ?? { 'X-Account-Secret': account_secret },
      signal: controller.signal,
    });
    return new Stream(response, controller);
  }

  /** The pick of the next event; undefined at the end of the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape
  async next(): Promise<any> {
    for (;;) {
      const found = /event: pick\ndata: (.*)\n\n/.exec(this.#text);
      if (found) {
        this.#text = this.#text.slice(found.index + found[0].length);
        return JSON.parse(found[1] ?? '').pick;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += Buffer.from(value).toString();
    }
  }

  /** Everything that comes until the end of the stream. */
  async rest(): Promise<string> {
    while (await this.next());
    return this.#text;
  }

  close(): void {
    this.#controller.abort();
  }
}

describe('GET /v3/edit/picks/:id/events', () => {
  it('sends the pick now and after each change, and ends with the pick', async () => {
    const stream = await Stream.open(pick.id);
    const { headers } = stream.response;
    expect([headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual(['text/event-stream', 'no']);
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    expect(await stream.next()).toEqual((await api.get(`/v3/edit/picks/${pick.id}`)).body.pick);
    const pick_token = await openPick(api, api.account, pick);
    expect(await stream.next()).toMatchObject({ id: pick.id, state: 'opened' });
    await askAsPage(api, '/result', { pick_token, href: 'https://app.example.com/x', title: 'X', result: RESULT });
    expect(await stream.next()).toMatchObject({ state: 'picked', result: RESULT, page: { title: 'X' } });
    await api.send('DELETE', `/v3/edit/picks/${pick.id}`);
    expect(await stream.next()).toMatchObject({ state: 'ended', result: RESULT });
    expect(await stream.next()).toBeUndefined();
  });

  it('sends a second result', async () => {
    const pick_token = await openPick(api, api.account, pick);
    const stream = await Stream.open(pick.id);
    expect((await stream.next()).state).toBe('opened');
    for (const selector of ['#one', '#two']) {
      const result = { ...RESULT, elements: [{ selector }] };
      await askAsPage(api, '/result', { pick_token, href: 'https://app.example.com/x', title: '', result });
      expect((await stream.next()).result.elements).toEqual([{ selector }]);
    }
    stream.close();
  });

  it('sends what happens on another node', async () => {
    const beside = await startApi({ beside: api });
    beside.app.pickStreams.times.look = 50;
    const stream = await Stream.open(pick.id, beside);
    expect((await stream.next()).state).toBe('waiting');
    await openPick(api, api.account, pick);
    expect((await stream.next()).state).toBe('opened');
    stream.close();
  });

  it('takes the cookie of a person who has signed in', async () => {
    const { browser } = await addSignedIn(api, 'editor');
    const params = { experience_id: pick.experience_id, href: 'https://app.example.com/' };
    const made = (await browser.post('/v3/edit/picks', params)).body.pick;
    const stream = await Stream.open(made.id, api, { Cookie: `usher_session=${browser.cookie}` });
    expect((await stream.next()).id).toBe(made.id);
    stream.close();
  });

  it('allows five streams at a time, and another one after one of them was closed', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => Stream.open(pick.id)));
    for (const stream of streams) expect((await stream.next()).state).toBe('waiting');
    expect((await Stream.open(pick.id)).response.status).toBe(429);
    streams[0]?.close();
    await expect
      .poll(async () => {
        const another = await Stream.open(pick.id);
        another.close();
        return another.response.status;
      })
      .toBe(200);
    for (const stream of streams) stream.close();
  });

  it('sends a result that was posted on another node', async () => {
    const beside = await startApi({ beside: api });
    beside.app.pickStreams.times.look = 50;
    const pick_token = await openPick(api, api.account, pick);
    const stream = await Stream.open(pick.id, beside);
    expect((await stream.next()).state).toBe('opened');
    await askAsPage(api, '/result', { pick_token, href: 'https://app.example.com/x', title: 'X', result: RESULT });
    expect(await stream.next()).toMatchObject({ state: 'picked', result: RESULT });
    stream.close();
  });

  it('ends with the session that it began with', async () => {
    const { browser } = await addSignedIn(api, 'editor');
    const params = { experience_id: pick.experience_id, href: 'https://app.example.com/' };
    const made = (await browser.post('/v3/edit/picks', params)).body.pick;
    const stream = await Stream.open(made.id, api, { Cookie: `usher_session=${browser.cookie}` });
    expect((await stream.next()).state).toBe('waiting');
    expect((await browser.delete('/v3/session')).status).toBeLessThan(300);
    expect(await stream.next()).toBeUndefined();
  });

  it('ends with the role of its administrator, and with the administrator', async () => {
    for (const change of [
      (id: string) => api.patch(`/v3/edit/admins/${id}`, { role: 'viewer' }),
      (id: string) => api.send('DELETE', `/v3/edit/admins/${id}`),
    ]) {
      const { id, browser } = await addSignedIn(api, 'editor');
      const params = { experience_id: pick.experience_id, href: 'https://app.example.com/' };
      const made = (await browser.post('/v3/edit/picks', params)).body.pick;
      const stream = await Stream.open(made.id, api, { Cookie: `usher_session=${browser.cookie}` });
      expect((await stream.next()).state).toBe('waiting');
      expect((await change(id)).status).toBe(200);
      expect(await stream.next()).toBeUndefined();
    }
  });

  it('ends with the secret that it began with', async () => {
    const { id, email } = await addSignedIn(api, 'editor');
    const { account_id } = api.account;
    const secret = await createSecret(api.app, { accountId: account_id, email, name: 'Short-lived' });
    const made = await makePick(api, { ...api.account, ...secret }, { experience_id: pick.experience_id });
    const stream = await Stream.open(made.id, api, { 'X-Account-Secret': secret.account_secret });
    expect((await stream.next()).state).toBe('waiting');
    const revoke = api.app.storage.write(account_id, (db) =>
      db.updateTable('secrets').set({ revoked_at: api.app.now() }).where('admin_id', '=', id).execute(),
    );
    await revoke;
    expect(await stream.next()).toBeUndefined();
  });

  it('sends a comment when nothing else was sent for a while', async () => {
    Object.assign(api.app.pickStreams.times, { look: 10, comment: 60, max: 400 });
    const stream = await Stream.open(pick.id);
    const comments = (await stream.rest()).match(/^: still waiting$/gm) ?? [];
    expect(comments.length).toBeGreaterThan(1);
    expect(comments.length).toBeLessThanOrEqual(400 / 60);
  });

  it('ends after a while, and goes on when the browser connects again', async () => {
    Object.assign(api.app.pickStreams.times, { look: 10, max: 100 });
    const stream = await Stream.open(pick.id);
    expect((await stream.next()).state).toBe('waiting');
    expect(await stream.next()).toBeUndefined();
    const again = await Stream.open(pick.id);
    expect((await again.next()).state).toBe('waiting');
    again.close();
  });

  it('keeps no stream of a client that only looks at the headers', async () => {
    const headers = { 'X-Account-Secret': api.account.account_secret };
    for (let count = 0; count < 8; count++) {
      const response = await fetch(`${api.url}/v3/edit/picks/${pick.id}/events`, { method: 'HEAD', headers });
      expect(response.status).toBe(200);
    }
  });

  it('ends when the server stops', async () => {
    const beside = await startApi({ beside: api, inTest: false });
    const stream = await Stream.open(pick.id, beside);
    expect((await stream.next()).state).toBe('waiting');
    const stopping = beside.stop();
    expect(await stream.next()).toBeUndefined();
    await stopping;
  });

  it('does not hold back other requests while many streams are open', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => Stream.open(pick.id)));
    for (const stream of streams) await stream.next();
    const requests = Array.from({ length: 30 }, () => api.get(`/v3/edit/picks/${pick.id}`));
    expect((await Promise.all(requests)).every(({ status }) => status === 200)).toBe(true);
    for (const stream of streams) stream.close();
  });
});
