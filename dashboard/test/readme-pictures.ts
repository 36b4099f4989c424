import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { Api } from '../../server/test/api.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

const isUpdating = process.env.USHER_UPDATE_PICTURES === '1';

/** Writes a picture of the page as it is now, if `USHER_UPDATE_PICTURES` is 1. */
export async function updateReadmePicture(page: Page, name: string): Promise<void> {
  if (!isUpdating) return;
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${folder}${name}.png` });
}

const frames: { file: string; ms: number }[] = [];
let framesFolder: string | undefined;

/** Adds the page as it is now to the moving picture, if `USHER_UPDATE_PICTURES` is 1. It stays for so many milliseconds. */
export async function recordFrame(page: Page, ms: number): Promise<void> {
  if (!isUpdating) return;
  framesFolder ??= mkdtempSync(join(tmpdir(), 'usher-frames-'));
  await page.bringToFront();
  // The page of a pick is a window of the browser, with another size.
  await page.setViewportSize({ width: 1440, height: 900 });
  const file = join(framesFolder, `${frames.length}.png`);
  await page.screenshot({ path: file });
  frames.push({ file, ms });
}

/** Writes the moving picture. It needs `img2webp`, of the package webp of Debian and others. */
export function writeMovingPicture(name: string): void {
  if (!isUpdating || !framesFolder) return;
  const options = frames.flatMap(({ file, ms }) => ['-d', String(ms), '-lossy', '-q', '70', '-m', '6', file]);
  execFileSync('img2webp', ['-loop', '0', ...options, '-o', `${folder}${name}.webp`], { stdio: 'pipe' });
  rmSync(framesFolder, { recursive: true });
}

/** Writes the pictures of the README and the guides, if `USHER_UPDATE_PICTURES` is 1. */
export async function updateReadmePictures(api: Api, page: Page): Promise<void> {
  if (!isUpdating) return;
  await addEnvironments(api);
  await page.goto(`${api.url}/app`);
  await page.getByRole('button', { name: 'No, thanks' }).click();
  await take(page, api, '/app', 'home');
  const { experiences } = (await api.get('/v3/edit/experiences?kind=tour&order=started_count')).body;
  const tour = `/app/experiences/${experiences[0].id}`;
  await take(page, api, tour, 'editor');
  await take(page, api, `${tour}/results`, 'results');
  await take(page, api, '/app/settings/install', 'install');
  await take(page, api, '/app/domains', 'domains');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await take(page, api, '/app/settings/team', 'team');
}

async function addEnvironments(api: Api): Promise<void> {
  const environments = [
    { name: 'Production', short: 'PRO', color: 'C2322B', hosts: ['www.acme.test', 'eu.acme.test'] },
    { name: 'Staging', short: 'STG', color: '1F6FD0', hosts: ['staging.acme.test'] },
  ];
  for (const { name, short, color, hosts } of environments) {
    const { body } = await api.post('/v3/edit/url_groups', {
      name,
      short_name: short,
      style_short_name_color: color,
    });
    for (const host of hosts) await api.post('/v3/edit/urls', { host, enabled: 'on', url_group_id: body.url_group.id });
  }
}

async function take(page: Page, api: Api, path: string, name: string): Promise<void> {
  await page.goto(api.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await updateReadmePicture(page, name);
}
