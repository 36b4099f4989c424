import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Picture } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { avif, gif, join as joinBytes, jpeg, png, webp } from '../../../../../domain/test/pictures.ts';
import { accountRows } from '../../../../test/account-rows.ts';
import { type Api, startApi } from '../../../../test/api.ts';
import { engine } from '../../../../test/engine.ts';
import { pictureForm } from '../../../../test/picture-form.ts';
import { addSignedIn, addToAccount } from '../../../../test/sign-in.ts';
import { openDomain, visit } from '../../../../test/visiting.ts';
import { createContext } from '../../../create-context.ts';
import { listDraftUses } from './find-uses.ts';
import { getPicture } from './queries.ts';
import { sweepPictures } from './sweep-pictures.ts';

const DAY_MS = 24 * 60 * 60_000;
let now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
});
afterAll(() => api.stop());

let width = 100;
/** Uploads a picture that the account does not have yet. */
async function upload(as: Api = api): Promise<Picture> {
  width += 1;
  const { status, body } = await as.post('/v3/edit/pictures', pictureForm(png(width, 50), png(2 * width, 100)));
  expect(status).toBe(201);
  return body.picture;
}

async function createTour(step: object, more: object = {}) {
  const params = { name: 'Welcome', steps: [{ title: 'Hello', ...step }], ...more };
  const { status, body } = await api.post('/v3/edit/tours', params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.tour;
}

const pieces = (as = api) =>
  as.app.storage
    .reader(as.account.account_id)
    .selectFrom('picture_pieces')
    .select(['hash', 'scale', 'position'])
    .where('account_id', '=', as.account.account_id)
    .execute();
const rows = () => accountRows(api.app, api.account.account_id);

describe('uploading a picture', () => {
  it.each([
    ['png', png(7, 5), 'image/png'],
    ['jpg', jpeg(7, 5), 'image/jpeg'],
    ['webp', webp(7, 5), 'image/webp'],
    ['gif', gif(7, 5), 'image/gif'],
    ['avif', avif(7, 5), 'image/avif'],
  ])('stores it by its content, whatever its name is: %s', async (type, bytes, mediaType) => {
    const { status, body } = await api.post('/v3/edit/pictures', pictureForm(bytes));
    expect(status).toBe(201);
    expect(body.picture).toMatchObject({ name: 'login-0', type: mediaType, width: 7, height: 5, size: bytes.length });
    expect(body.picture.path).toMatch(new RegExp(`^/media/${api.account.account_id}/[0-9a-f]{32}-7x5\\.${type}$`));
    const response = await fetch(api.url + body.picture.path);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': mediaType,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('stores two sizes under one path, and sends each', async () => {
    const { path, size } = await upload();
    expect(path).toContain('@2x.png');
    const sizes = await Promise.all(
      [path, path.replace('@2x', '')].map(async (one) => (await (await fetch(api.url + one)).arrayBuffer()).byteLength),
    );
    expect((sizes[0] ?? 0) + (sizes[1] ?? 0)).toBe(size);
  });

  it('sends a large file piece by piece, and 304 to a browser that has it', async () => {
    const large = png(3, 3, ['iCCP', 'x'.repeat(1_000_000)]);
    const { picture } = (await api.post('/v3/edit/pictures', pictureForm(large))).body;
    const response = await fetch(api.url + picture.path);
    expect(response.headers.get('content-length')).toBe(String(large.length));
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), large)).toBe(0);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(api.url + picture.path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it('returns the same picture when the same content is uploaded again', async () => {
    const form = () => pictureForm(png(9, 9));
    const first = await api.post('/v3/edit/pictures', form());
    const again = await api.post('/v3/edit/pictures', form());
    expect([first.status, again.status, again.body.picture.id]).toEqual([201, 200, first.body.picture.id]);
  });

  it.each([
    ['metadata', [png(2, 2, ['eXIf', 'GPS'])], 'metadata'],
    ['metadata in the second file', [png(2, 2), png(4, 4, ['tEXt', 'Author'])], 'metadata'],
    ['SVG', [joinBytes('<svg xmlns="http://www.w3.org/2000/svg"/>')], 'PNG, JPEG, WebP, GIF or AVIF'],
    ['HTML', [joinBytes('<script>alert(1)</script>')], 'PNG, JPEG, WebP, GIF or AVIF'],
    ['another size', [png(2, 2), png(9, 9)], 'twice its width'],
    ['another format', [png(2, 2), gif(4, 4)], 'same format'],
    ['three files', [png(2, 2), png(4, 4), png(8, 8)], 'two sizes'],
    ['no file', [], '`files[]` is required'],
  ])('rejects %s, and changes nothing', async (_, files, message) => {
    const before = await rows();
    const { status, body } = await api.post('/v3/edit/pictures', pictureForm(...files));
    expect([status, body.messages.join()]).toEqual([422, expect.stringContaining(message)]);
    expect(await rows()).toEqual(before);
  });

  it('rejects a file of more than 5 MB', async () => {
    const { status, body } = await api.post('/v3/edit/pictures', pictureForm(new Uint8Array(5_000_001)));
    expect([status, body.messages[0]]).toEqual([413, expect.stringContaining('5 MB')]);
  });

  it('rejects what is above the limit of the account, also when two arrive together', async () => {
    const small = await startApi({ env: { USHER_PICTURE_STORAGE: '1' } });
    const forms = [1, 2, 3].map((side) => pictureForm(png(side, 1, ['iCCP', 'x'.repeat(600_000)])));
    const results = await Promise.all(forms.map((form) => small.post('/v3/edit/pictures', form)));
    expect(results.map(({ status }) => status).sort()).toEqual([201, 413, 413]);
    expect(results.find(({ status }) => status === 413)?.body.messages[0]).toContain('delete some');
    expect(new Set((await pieces(small)).map(({ hash }) => hash)).size).toBe(1);
  });
});

describe('the path of a picture', () => {
  it('is unknown with another type, size or account', async () => {
    const { path } = await upload();
    const other = path.replace(api.account.account_id, api.other.account_id);
    for (const wrong of [
      path.replace('.png', '.gif'),
      path.replace(/-\d+x/, '-9x'),
      other,
      '/media/x/y.png',
      '/media/x',
    ]) {
      const response = await fetch(api.url + wrong);
      expect([wrong, response.status]).toEqual([wrong, 404]);
    }
  });

  it('is taken by a step of the same account only', async () => {
    const mine = await upload();
    await createTour({ picture: mine.path, picture_alt: 'The login page' });
    const theirs = (await api.post('/v3/edit/pictures', pictureForm(png(3, 9)), { as: api.other })).body.picture;
    for (const picture of [theirs.path, mine.path.replace('-1', '-9'), mine.path.replace('@2x', '')]) {
      const { status, body } = await api.post('/v3/edit/tours', { name: 'X', steps: [{ title: 'Hi', picture }] });
      expect([status, body.messages]).toEqual([
        404,
        ['`steps[0].picture` is the path of no picture in this account: upload it first'],
      ]);
    }
    const wrong = await api.post('/v3/edit/tours', { name: 'X', steps: [{ picture: 'https://a.example/x.png' }] });
    expect(wrong.status).toBe(422);
  });

  it('reaches pages with the rest of the step', async () => {
    const { path } = await upload();
    const step = { picture: path, picture_alt: 'A login page', media_position: 'left' };
    const tour = await createTour(step, { published_at: '$now' });
    const { body } = await visit(api, { uid: 'ann' });
    const shown = body.experiences.find(({ id }: { id: string }) => id === tour.id);
    expect(shown.steps[0]).toMatchObject({ picture: path, picture_alt: ['A login page'], media_position: 'left' });
  });

  it('without a description is a warning before publishing', async () => {
    const { path } = await upload();
    const tour = await createTour({ picture: path, body: `![](${path})` });
    const { body } = await api.get(`/v3/edit/tours/${tour.id}/publish_check`);
    const found = body.publish_check.warnings.filter(({ code }: { code: string }) => code === 'no_alt_text');
    expect(found.map((one: { path: string }) => one.path)).toEqual(['steps.0.picture_alt', 'steps.0.body']);
  });

  it('without a description in a translation is a warning before publishing', async () => {
    const { path } = await upload();
    await api.post('/v3/edit/languages', { code: 'de' });
    const tour = await createTour({ picture: path, picture_alt: 'A login page', body: `![Login](${path})` });
    const translate = async (text: string) => {
      const texts = [{ model_id: tour.steps[0].id, field: 'body', text }];
      const { status } = await api.patch(`/v3/edit/tours/${tour.id}/translations`, { language: 'de', texts });
      expect(status).toBe(200);
      const { body } = await api.get(`/v3/edit/tours/${tour.id}/publish_check`);
      return body.publish_check.warnings.filter(({ code }: { code: string }) => code === 'no_alt_text');
    };
    expect(await translate(`![Anmeldung](${path})`)).toEqual([]);
    expect(await translate(`![](${path})`)).toEqual([
      {
        code: 'no_alt_text',
        message: 'A picture in step 1 has no description in German (`de`) for people who cannot see it',
        path: 'translations.de',
        experience_ids: [],
      },
    ]);
  });

  it('without a description in a launcher or its items is a warning before publishing', async () => {
    const { path } = await upload();
    const [image, described] = [`![](${path})`, `![A login page](${path})`];
    const items = [
      { title: 'One', description: described },
      { title: 'Two', description: image },
    ];
    const { body: made } = await api.post('/v3/edit/launchers', { name: 'Help', empty_state_content: image, items });
    const { body } = await api.get(`/v3/edit/launchers/${made.launcher.id}/publish_check`);
    const found = body.publish_check.warnings.filter(({ code }: { code: string }) => code === 'no_alt_text');
    expect(found.map((one: { path: string; message: string }) => [one.path, one.message])).toEqual([
      ['empty_state_content', 'A picture has no description for people who cannot see it'],
      ['items.1.description', 'A picture in item 2 has no description for people who cannot see it'],
    ]);
  });
});

describe('a video', () => {
  it('is published only if it can be shown', async () => {
    const steps = [{ title: 'Hi', video_url: 'https://example.com/page' }];
    const { status, body } = await api.post('/v3/edit/tours', { name: 'X', steps, published_at: '$now' });
    expect([status, body.messages[0]]).toEqual([422, expect.stringContaining('MP4 or WebM')]);
    await createTour({ video_url: 'https://youtu.be/dQw4w9WgXcQ' }, { published_at: '$now' });
  });
});

describe('pictures', () => {
  it('are listed, found by name, and renamed', async () => {
    const { id } = await upload();
    const name = `Ünique ${id}`;
    expect((await api.patch(`/v3/edit/pictures/${id}`, { name })).body.picture.name).toBe(name);
    const { body } = await api.get('/v3/edit/pictures', { query: `search=${id.slice(-6).toUpperCase()}` });
    expect(body.pictures.map((picture: Picture) => picture.id)).toEqual([id]);
    const byCapital = await api.get('/v3/edit/pictures', { query: `search=${encodeURIComponent('üNIQUE')}` });
    expect(byCapital.body.pictures.map((picture: Picture) => picture.id)).toEqual([id]);
    expect((await api.get(`/v3/edit/pictures/${id}`, { as: api.other })).status).toBe(404);
  });

  it('are copied with an Experience to another account', async () => {
    const { path } = await upload();
    const tour = await createTour({ picture: path, body: `![Login](${path})` });
    const ann = await addSignedIn(api, 'editor');
    const account_id = api.other.account_id;
    await addToAccount(api, ann.personId, account_id, 'editor');
    const copied = path.replace(api.account.account_id, account_id);
    // The second time, the other account has the picture already.
    for (let times = 0; times < 2; times++) {
      const { status, body } = await ann.browser.post(`/v3/edit/tours/${tour.id}/copy`, { account_id });
      expect([status, body.messages]).toEqual([201, undefined]);
      expect(body.experience.steps[0]).toMatchObject({ picture: copied, body: `![Login](${copied})` });
    }
    const [original, copy] = await Promise.all(
      [path, copied].map(async (one) => (await fetch(api.url + one)).arrayBuffer()),
    );
    expect(copy?.byteLength).toBeGreaterThan(0);
    expect(copy).toEqual(original);
  });

  it('say where they are used', async () => {
    const { id, path } = await upload();
    const tour = await createTour({ picture: path }, { published_at: '$now' });
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ id: tour.steps[0].id, picture: null }] });
    const embedded = await createTour({ body: `![Login](${path})` });
    const { experiences } = (await api.get(`/v3/edit/pictures/${id}/uses`)).body;
    expect(experiences).toEqual([
      { id: embedded.id, kind: 'tour', name: 'Welcome', draft: true, published: false, history: true },
      { id: tour.id, kind: 'tour', name: 'Welcome', draft: false, published: true, history: true },
    ]);
  });

  it('know which drafts show them now', async () => {
    const { id, path } = await upload();
    const actor = { id: api.account.user_id, name: 'Ann', email: 'ann@acme.test', role: 'owner' as const };
    const ctx = createContext(api.app, { account: { id: api.account.account_id }, actor });
    const names = async () => (await listDraftUses(ctx, await getPicture(ctx, id))).map(({ name }) => name);
    const tour = await createTour({ body: `![Login](${path})` });
    expect(await names()).toEqual(['Welcome']);
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ id: tour.steps[0].id, body: 'Hi' }] });
    expect(await names()).toEqual([]);
  });

  it('are replaced in drafts, translations and what users see', async () => {
    await api.replaceAccounts();
    await openDomain(api);
    const [old, other] = [await upload(), await upload()];
    await api.post('/v3/edit/languages', { code: 'de' });
    const step = { picture: old.path, picture_alt: 'Login', body: `![Login](${old.path})` };
    const tour = await createTour(step);
    const stepId = tour.steps[0].id;
    const text = { model_id: stepId, field: 'body', text: `![Anmelden](${old.path})` };
    const translated = { language: 'de', texts: [text] };
    expect((await api.patch(`/v3/edit/tours/${tour.id}/translations`, translated)).status).toBe(200);
    await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
    await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Unpublished name' });
    // From now on, the published version is in memory.
    const { body: first } = await visit(api, { uid: 'ann', browser: { l: 'de' } });
    expect(JSON.stringify(first.experiences)).toContain(old.path);
    const { status, body } = await api.post(`/v3/edit/pictures/${old.id}/replace`, { picture_id: other.id });
    expect([status, body.experiences.map(({ id }: { id: string }) => id)]).toEqual([200, [tour.id]]);

    const { body: page } = await visit(api, { uid: 'bob', browser: { l: 'de' } });
    const shown = JSON.stringify(page.experiences.find(({ id }: { id: string }) => id === tour.id));
    expect(shown).toContain(other.path);
    expect(shown).not.toContain(old.path);
    expect(shown).toContain('Anmelden');
    const draft = (await api.get(`/v3/edit/tours/${tour.id}`)).body.tour;
    expect(draft.steps[0]).toMatchObject({ picture: other.path, body: `![Login](${other.path})` });
    const { translations } = (await api.get(`/v3/edit/tours/${tour.id}/translations`)).body;
    expect(JSON.stringify(translations)).not.toContain('"is_outdated":true');
    expect(JSON.stringify(translations)).toContain('"is_outdated":false');
    const versions = (await api.get(`/v3/edit/tours/${tour.id}/versions`)).body.versions;
    expect(versions.map(({ live }: { live: boolean }) => live)).toEqual([true, false]);
    expect((await api.send('DELETE', `/v3/edit/pictures/${old.id}`)).status).toBe(200);
  });

  it('are not replaced in what users see by an editor who may not publish', async () => {
    const [old, other] = [await upload(), await upload()];
    await createTour({ picture: old.path }, { published_at: '$now' });
    await api.patch('/v3/edit/account', { who_may_publish: 'owners' });
    const { browser } = await addSignedIn(api, 'editor');
    const before = await rows();
    const { status } = await browser.post(`/v3/edit/pictures/${old.id}/replace`, { picture_id: other.id });
    expect(status).toBe(403);
    expect(await rows()).toEqual(before);
    await api.patch('/v3/edit/account', { who_may_publish: 'editors' });
  });

  it('are deleted with all their bytes, unless something shows them', async () => {
    const { id, path } = await upload();
    const tour = await createTour({ picture: path });
    const used = await api.send('DELETE', `/v3/edit/pictures/${id}`);
    expect([used.status, used.body.messages[0]]).toEqual([409, expect.stringContaining('“Welcome”')]);
    await api.send('DELETE', `/v3/edit/tours/${tour.id}`);
    const before = (await pieces()).length;
    expect((await api.send('DELETE', `/v3/edit/pictures/${id}`)).status).toBe(200);
    expect(before - (await pieces()).length).toBe(2);
    expect((await fetch(api.url + path)).status).toBe(404);
  });

  it('are left out when an Experience goes back to a time when it had one that was deleted since', async () => {
    const [gone, kept] = [await upload(), await upload()];
    const steps = [
      { title: 'One', picture: gone.path },
      { title: 'Two', picture: kept.path },
    ];
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Welcome', steps })).body;
    const change_id = (await api.get(`/v3/edit/tours/${tour.id}/changes`)).body.changes[0].id;
    const cleared = tour.steps.map(({ id }: { id: string }) => ({ id, title: 'New', picture: null }));
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: cleared });
    expect((await api.send('DELETE', `/v3/edit/pictures/${gone.id}`)).status).toBe(200);
    const { status, body } = await api.post(`/v3/edit/tours/${tour.id}/revert`, { change_id });
    expect([status, body.messages]).toEqual([200, undefined]);
    expect(body.tour.steps).toMatchObject([{ title: 'One', picture: null }, steps[1]]);
  });

  it('are deleted 30 days after the last reference to them', async () => {
    await api.replaceAccounts();
    const [unused, used, captured] = [await upload(), await upload(), await upload()];
    await createTour({ body: `![x](${used.path})` });
    const tour = await createTour({ picture: captured.path });
    await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ id: tour.steps[0].id, picture: null }] });
    const list = async () =>
      (await api.get('/v3/edit/pictures')).body.pictures.map(({ id, unused_at }: Picture) => [id, unused_at !== null]);
    await sweepPictures(api.app);
    expect(await list()).toEqual([
      [captured.id, false],
      [used.id, false],
      [unused.id, true],
    ]);
    now += 31 * DAY_MS;
    await sweepPictures(api.app);
    expect(await list()).toEqual([
      [captured.id, false],
      [used.id, false],
    ]);
    expect(await pieces()).toHaveLength(4);
  });

  it.runIf(engine === 'sqlite')('leave no bytes in any file of the database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'usher-pictures-'));
    const own = await startApi({ env: { USHER_DATA: folder }, inTest: false, now: () => now });
    onTestFinished(async () => {
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    // What a file has beside its header is its pixels here: `pixels of 1210`.
    const add = async (width: number) => (await own.post('/v3/edit/pictures', pictureForm(png(width, 5)))).body.picture;
    const deleted = await add(1210);
    await add(1211);
    const countIn = (name: string, words: string) => readFileSync(join(folder, name), 'latin1').split(words).length - 1;
    const count = (words: string) =>
      readdirSync(folder)
        .filter((name) => name.startsWith('usher.db'))
        .reduce((sum, name) => sum + countIn(name, words), 0);
    expect([count('pixels of 1210') > 0, count('pixels of 1211') > 0]).toEqual([true, true]);
    expect((await own.send('DELETE', `/v3/edit/pictures/${deleted.id}`)).status).toBe(200);
    expect([count('pixels of 1210'), count('pixels of 1211') > 0]).toEqual([0, true]);
    await sweepPictures(own.app);
    now += 31 * DAY_MS;
    await sweepPictures(own.app);
    expect(count('pixels of 121')).toBe(0);
  });

  it('stay when a draft begins to show them just before they would be deleted', async () => {
    await api.replaceAccounts();
    const { id, path } = await upload();
    now += 31 * DAY_MS;
    await createTour({ picture: path });
    await sweepPictures(api.app);
    expect((await api.get(`/v3/edit/pictures/${id}`)).body.picture.unused_at).toBe(null);
  });
});
