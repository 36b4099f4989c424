import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  anotherMachine,
  callServer,
  createDatabase,
  newFolder,
  run,
  SECRET,
  send,
  start,
  untilItHappens,
  usher,
} from '../../test/backups.ts';
import { engine } from '../../test/engine.ts';
import { startReceiver } from '../../test/receiver.ts';
import type { Running } from '../serve.ts';

describe.runIf(engine === 'sqlite')('a backup on SQLite', () => {
  it('has every write that was acknowledged before it began, and works on another machine', async () => {
    const env = await createDatabase();
    const original = await start(env);
    const receiver = await startReceiver();
    const { webhook } = await callServer(original, 'POST', '/v3/edit/webhooks', {
      url: receiver.url,
      topics: ['tour.*'],
    });
    expect(await usher(env, 'webhooks', 'pause', '--skip-waiting')).toMatchObject({ code: 2 });
    await run(env, 'webhooks', 'pause');
    const waiting = await callServer(original, 'POST', `/v3/edit/webhooks/${webhook.id}/ping`, {});
    const steps = [{ title: 'Hello', buttons: [{ text: 'Next' }] }];
    const { tour } = await callServer(original, 'POST', '/v3/edit/tours', { name: 'Welcome', steps });
    const { changes } = await callServer(original, 'GET', `/v3/edit/tours/${tour.id}/changes`);
    const captureId = changes.flatMap(
      ({ options }: { options: { capture_id?: string[] } }) => options.capture_id ?? [],
    );
    const picture = `/v3/edit/captures/${captureId.at(-1)}.svg`;

    const acknowledged: string[] = [];
    let writes = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; writes; n++) {
        const host = `w${writer}-${n}.example.com`;
        await callServer(original, 'POST', '/v3/edit/urls', { host });
        acknowledged.push(host);
      }
    });
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(50), untilItHappens);
    const before = [...acknowledged];
    const file = join(newFolder(), 'usher.backup');
    await run(env, 'backup', file);
    writes = false;
    await Promise.all(writers);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes(SECRET)).toBe(false);

    const other = anotherMachine(env);
    expect(await run(other, 'restore', file)).toContain('usher webhooks resume');
    const copy = await start(other);
    const stored = new Set<string>();
    for (let cursor = ''; ; ) {
      const page = await callServer(copy, 'GET', `/v3/edit/urls?limit=500${cursor}`);
      for (const { host } of page.urls) stored.add(host);
      if (page.cursor.before === null) break;
      cursor = `&before=${page.cursor.before}`;
    }
    expect(before.filter((host) => !stored.has(host))).toEqual([]);
    expect((await send(copy, 'GET', picture)).text).toBe((await send(original, 'GET', picture)).text);

    const items = async () => (await callServer(copy, 'GET', `/v3/edit/webhooks/${webhook.id}/items`)).items;
    expect(await items()).toMatchObject([{ id: waiting.item.id, state: 'pending', attempts_count: 0 }]);
    expect(receiver.received).toEqual([]);
    await run(other, 'webhooks', 'resume');
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), untilItHappens);
    const { headers = {}, body = '' } = receiver.received[0] ?? {};
    expect(JSON.parse(body)).toMatchObject({ id: waiting.item.id, kind: 'ping' });
    expect(headers['x-usher-signature']).toBe(createHmac('sha256', webhook.secret).update(body).digest('hex'));
  });

  it('gives up what waited in the copy, and sends what happens afterwards', async () => {
    const env = await createDatabase();
    const receiver = await startReceiver();
    const original = await start(env);
    const { webhook } = await callServer(original, 'POST', '/v3/edit/webhooks', {
      url: receiver.url,
      topics: ['tour.*'],
    });
    await run(env, 'webhooks', 'pause');
    const ping = async (running: Running) =>
      (await callServer(running, 'POST', `/v3/edit/webhooks/${webhook.id}/ping`, {})).item.id;
    const old = await ping(original);
    const file = join(newFolder(), 'usher.backup');
    // The original is paused while the backup is made, and would send the ping later.
    await run(env, 'backup', file);
    await original.stop();
    const other = anotherMachine(env);
    await run(other, 'restore', file);
    const copy = await start(other);
    const later = await ping(copy);
    await run(other, 'webhooks', 'resume', '--skip-waiting');
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), untilItHappens);
    const sent = receiver.received.map(({ body }) => JSON.parse(body).id);
    expect(sent).toEqual([later]);
    expect(sent).not.toContain(old);
  });

  it('does not overwrite a file, unless it is forced to, and leaves nothing behind', async () => {
    const env = await createDatabase();
    const folder = newFolder();
    const file = join(folder, 'usher.backup');
    await run(env, 'backup', file);
    const first = readFileSync(file);
    expect(await usher(env, 'backup', file)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
    expect(readFileSync(file).equals(first)).toBe(true);
    await run(env, 'backup', file, '--force');
    symlinkSync(file, join(folder, 'link'));
    for (const [target, message] of [
      [join(folder, 'missing', 'usher.backup'), 'the folder does not exist'],
      [folder, 'is no file'],
      [join(env.USHER_DATA, 'usher.db'), 'is the database itself'],
      [join(env.USHER_DATA, 'usher.db-wal'), 'is the database itself'],
      [join(folder, 'link'), 'is no file'],
    ] as const)
      expect(await usher(env, 'backup', target, '--force')).toMatchObject({
        code: 1,
        err: expect.stringContaining(message),
      });
    expect(await usher(env, 'backup')).toMatchObject({ code: 2 });
    expect(await usher({ USHER_DATA: join(folder, 'none') }, 'backup', join(folder, 'b'))).toMatchObject({ code: 1 });
    expect(readdirSync(folder).sort()).toEqual(['link', 'usher.backup']);
  });
});
