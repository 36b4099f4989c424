import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { surveyLink } from '../../client/src/index.ts';
import { realPng } from '../../script/test/real-png.ts';
import { pictureForm } from '../../server/test/picture-form.ts';
import { type Dashboard, startOwnDashboard } from './browser.ts';

/* The public page of a survey below a path of the product, as the dashboard and the client give its address. */

const PATH = '/help';
let dashboard: Dashboard;
let product: Awaited<ReturnType<typeof startProduct>>;
beforeAll(async () => {
  product = await startProduct();
  dashboard = await startOwnDashboard({ USHER_BASE_PATH: PATH, USHER_PAGE_URL: product.url + PATH });
  product.passTo(dashboard.api.url);
});
afterAll(async () => {
  await dashboard.stop();
  product.stop();
});

/** The server of a product, which passes what is below the path on as it is, and knows nothing else. */
async function startProduct() {
  let target = '';
  const passed: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    if (!url.startsWith(`${PATH}/`)) {
      outgoing.writeHead(404).end();
      return;
    }
    passed.push(`${method} ${url}`);
    const onward = request(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward.on('error', () => outgoing.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const passTo = (url: string) => {
    target = url;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed, passTo, stop };
}

async function addSurvey() {
  const { api } = dashboard;
  const { picture } = (await api.post('/v3/edit/pictures', pictureForm(realPng(20, 10)))).body;
  const options = [
    { id: 'red', text: 'Red' },
    { id: 'blue', text: 'Blue' },
  ];
  const steps = [
    { title: 'Would you recommend us?', preset: 'survey_nps', picture: picture.path, picture_alt: 'A hand' },
    { title: 'Which one?', question: { kind: 'single', options } },
    { title: 'Thank you', preset: 'thank_you' },
  ];
  const params = { name: 'Asks', steps, style: 'manual', public_page: true, published_at: '$now' };
  const { status, body } = await api.post('/v3/edit/surveys', params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return body.survey as { id: string; public_page_url: string };
}

/** Opens the address in a browser that has not been there, and answers. Whatever it asks for outside of the path fails the test. */
async function answer(address: string): Promise<Page> {
  const context = await dashboard.browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('pageerror', ({ message }) => wrong.push(message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url());
    const isInside = origin === new URL(address).origin && pathname.startsWith(`${PATH}/`);
    if (!isInside || response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(address);
  const picture = page.getByRole('img', { name: 'A hand' });
  await picture.waitFor();
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(20);
  await page.getByRole('radio', { name: '9' }).click();
  await page.getByRole('radio', { name: 'Red' }).click();
  await page.getByRole('region', { name: 'Thank you' }).waitFor();
  return page;
}

const responsesOf = async (id: string) =>
  (await dashboard.api.get('/v3/analyze/responses', { query: `id=${id}&expand.profile=all` })).body.responses;

describe('the public page of a survey below a path', () => {
  it('takes answers at the address that the dashboard shows, through the proxy', async () => {
    const { id } = await addSurvey();
    const page = await dashboard.open(`/app/experiences/${id}/targeting`);
    const address = (await page.getByRole('link', { name: 'Open the page' }).getAttribute('href')) ?? '';
    expect(address).toMatch(new RegExp(`^${product.url}${PATH}/s/[\\w-]{32}$`));
    expect(await page.getByText(address, { exact: true }).count()).toBe(1);
    await answer(address);
    expect(product.passed).toContain(`POST ${new URL(address).pathname}`);
    await expect
      .poll(() => responsesOf(id))
      .toMatchObject([
        { source: 'link', href: address, button_text: '9', profile: { uid: expect.stringMatching(/^anon_usher_/) } },
      ]);
    const { answers } = (await responsesOf(id))[0];
    expect(answers[1].option_ids).toEqual(['red']);
  });

  it('takes answers of users by links of the client and of the API, through the proxy and at the server itself', async () => {
    const { api } = dashboard;
    const { id, public_page_url } = await addSurvey();
    for (const uid of ['ann', 'bea', 'cat']) await api.post('/v3/observe/hooks/profiles', { uid });
    const { uid_secret: secret } = (await api.post('/v3/edit/account/uid_secret')).body;
    await answer(await surveyLink(secret, public_page_url, { uid: 'ann', id: 'q2' }));
    const { survey_links } = (await api.post('/v3/edit/survey_links', { survey_id: id, uids: ['bea'] })).body;
    await answer(survey_links[0].url);
    const direct = public_page_url.replace(product.url, api.url);
    await answer(await surveyLink(secret, direct, { uid: 'cat', id: 'q2' }));
    await expect
      .poll(async () => (await responsesOf(id)).map(({ profile }: { profile: { uid: string } }) => profile.uid))
      .toEqual(['cat', 'bea', 'ann']);
    expect((await fetch(`${api.url}${new URL(public_page_url).pathname.replace(PATH, '')}`)).status).toBe(200);
    expect((await fetch(`${product.url}${new URL(public_page_url).pathname.replace(PATH, '')}`)).status).toBe(404);
  });
});
