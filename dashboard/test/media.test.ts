import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { avif, gif, join } from '../../domain/test/pictures.ts';
import { realPng } from '../../script/test/real-png.ts';
import { pictureForm } from '../../server/test/picture-form.ts';
import { type Dashboard, startDashboard } from './browser.ts';
import { dropFile } from './drop-file.ts';
import { addExperience, field, inPreview, isSaved, readExperience, settings } from './editor-page.ts';
import { expectGoodLooks } from './looks.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard.stop());

const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) });
const choose = (page: Page, name: string, bytes: Uint8Array) =>
  page.locator('input[type=file]').last().setInputFiles(file(name, bytes));

/** Pastes a picture where the focus is, as a browser does. */
async function paste(page: Page, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    (content) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], 'pasted.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    [...bytes],
  );
}

/** A picture whose left half is red and whose right half is blue. */
async function draw(page: Page, type: string, width: number, height: number): Promise<Uint8Array> {
  const content = await page.evaluate(
    async ([type, width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.fillStyle = '#f00';
      context.fillRect(0, 0, width / 2, height);
      context.fillStyle = '#00f';
      context.fillRect(width / 2, 0, width / 2, height);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 1));
      return [...new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0))];
    },
    [type, width, height] as const,
  );
  return Uint8Array.from(content);
}

async function openStep(): Promise<{ page: Page; id: string }> {
  const id = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hello' }] });
  const page = await dashboard.open(`/app/experiences/${id}`);
  await settings(page).getByText('Picture or video').click();
  return { page, id };
}

const pictureOf = async (id: string) => (await readExperience(dashboard, id)).steps[0].picture;

describe('the picture of a step', () => {
  it('is uploaded in two sizes and without metadata, described, and shown in the preview', async () => {
    const { page, id } = await openStep();
    const large = realPng(2000, 1000);
    // The chunk before the last one of 12 bytes.
    const text = join([0, 0, 0, 3], 'tEXt', 'a\0b', [0, 0, 0, 0]);
    await choose(page, 'login.png', join(large.subarray(0, -12), text, large.subarray(-12)));
    await expect.poll(() => pictureOf(id)).toContain('-960x480@2x.png');
    await field(page, 'Description of the picture').fill('The login page');
    await isSaved(page);
    await inPreview(page).getByRole('img', { name: 'The login page' }).waitFor();
    const { pictures } = (await dashboard.api.get('/v3/edit/pictures')).body;
    expect(pictures[0]).toMatchObject({ name: 'login', width: 960, height: 480 });
    await settings(page).getByRole('button', { name: 'Remove picture' }).click();
    await expect.poll(() => pictureOf(id)).toBe(null);
  });

  it('is turned as its camera was held, and loses its metadata', async () => {
    const { page, id } = await openStep();
    const photo = await draw(page, 'image/jpeg', 60, 30);
    // Orientation 6: the left side of the stored picture is the top.
    const orientation = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0];
    const exif = join('Exif\0\0MM', [0, 42, 0, 0, 0, 8, 0, 1], orientation, [0, 0, 0, 0], 'Camera of Ann');
    await choose(page, 'photo.jpg', join([0xff, 0xd8, 0xff, 0xe1, 0, exif.length + 2], exif, photo.subarray(2)));
    await expect.poll(() => pictureOf(id)).toContain('-30x60.jpg');
    const stored = await fetch(dashboard.api.url + (await pictureOf(id)));
    expect(Buffer.from(await stored.arrayBuffer()).toString('latin1')).not.toContain('Camera of Ann');
    const address = await pictureOf(id);
    const [top, bottom] = await page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src });
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 30, height: 60 });
      const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
      context.drawImage(image, 0, 0);
      return [10, 50].map((y) => [...context.getImageData(15, y, 1, 1).data].map((value) => value > 200).indexOf(true));
    }, address);
    // The left half is red and the right half is blue.
    expect([top, bottom]).toEqual([0, 2]);
  });

  it('is uploaded in two sizes as a WebP, and unchanged as an AVIF or an animation', async () => {
    const { page, id } = await openStep();
    await choose(page, 'large.webp', await draw(page, 'image/webp', 2000, 1000));
    await expect.poll(() => pictureOf(id)).toContain('-960x480@2x.webp');
    for (const [type, bytes] of [
      ['avif', avif(32, 20)],
      ['gif', gif(2000, 20, [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])],
    ] as const) {
      await choose(page, `same.${type}`, bytes);
      await expect.poll(() => pictureOf(id)).toMatch(new RegExp(`x20\\.${type}$`));
      const stored = await fetch(dashboard.api.url + (await pictureOf(id)));
      expect(Buffer.from(await stored.arrayBuffer())).toEqual(Buffer.from(bytes));
    }
  });

  it('is uploaded by paste', async () => {
    const { page, id } = await openStep();
    await settings(page).getByRole('button', { name: 'Upload picture' }).focus();
    await paste(page, realPng(30, 20));
    await expect.poll(() => pictureOf(id)).toContain('-30x20.png');
  });

  it('is uploaded by drop', async () => {
    const { page, id } = await openStep();
    const path = joinPath(mkdtempSync(joinPath(tmpdir(), 'usher-files-')), 'dropped.png');
    writeFileSync(path, realPng(31, 20));
    const place = settings(page).getByText('Drop or paste a picture here');
    await place.scrollIntoViewIfNeeded();
    await dropFile(page, path, await place.boundingBox());
    await expect.poll(() => pictureOf(id)).toContain('-31x20.png');
  });

  it('is chosen from the media of the account', async () => {
    const form = pictureForm(realPng(41, 20));
    const { picture } = (await dashboard.api.post('/v3/edit/pictures', form, { query: 'name=Chosen' })).body;
    const { page, id } = await openStep();
    await settings(page).getByRole('button', { name: 'Choose from media' }).click();
    await page.getByRole('button', { name: 'Open Chosen' }).click();
    await expect.poll(() => pictureOf(id)).toBe(picture.path);
  });

  it('says what is wrong with a file', async () => {
    const { page, id } = await openStep();
    await choose(page, 'login.png', join('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText(/login\.png is not a PNG, JPEG, WebP, GIF or AVIF picture/).waitFor();
    expect(await pictureOf(id)).toBe(null);
  });
});

describe('the media page', () => {
  it('offers to upload when it is empty, and is usable in every look', async () => {
    await dashboard.api.replaceAccounts();
    const page = await dashboard.open('/app/media');
    await page.getByText('No pictures yet').waitFor();
    await expectGoodLooks(page, 'media-empty');
    await choose(page, 'First.png', realPng(1200, 800));
    await page.getByRole('button', { name: 'Open First' }).waitFor();
  });

  it('finds, renames, replaces and deletes a picture', async () => {
    await dashboard.api.replaceAccounts();
    const upload = async (name: string, width: number) =>
      (await dashboard.api.post('/v3/edit/pictures', pictureForm(realPng(width, 60)), { query: `name=${name}` })).body
        .picture;
    const [old] = [await upload('Old', 100), await upload('Spare', 101)];
    const id = await addExperience(dashboard, 'tour', { steps: [{ title: 'Hi', picture: old.path }] });
    const page = await dashboard.open('/app/media');
    await page.getByLabel('Search pictures').fill('ol');
    await page.getByRole('button', { name: 'Open Spare' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open Old' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Old' });
    await dialog.getByRole('link', { name: 'Welcome' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete picture' }).isDisabled()).toBe(true);
    await expectGoodLooks(page, 'media-picture', '[role=dialog]');
    await choose(page, 'New.png', realPng(102, 60));
    await page.getByText('Replaced in 1 Experience').waitFor();
    await expect.poll(() => pictureOf(id)).toContain('-102x60.png');

    await page.getByLabel('Search pictures').fill('');
    await page.getByRole('button', { name: 'Open Spare' }).click();
    await page.getByRole('dialog', { name: 'Spare' }).getByLabel('Name').fill('Renamed');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('dialog', { name: 'Renamed' }).getByRole('button', { name: 'Delete picture' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete picture' }).click();
    await page.getByRole('button', { name: /Open (Spare|Renamed)/ }).waitFor({ state: 'detached' });
    await page.getByText('“Renamed” was deleted').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open New' }).waitFor();
    await expectGoodLooks(page, 'media');
  });
});
