import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiResponse, startApi } from '../../../../test/api.ts';
import { newUid, openDomain, visit } from '../../../../test/visiting.ts';

const DAY = 24 * 60 * 60_000;
const now = Date.parse('2029-04-07T12:00:00.000Z');
let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false, now: () => now });
  await openDomain(api);
});
afterAll(() => api.stop());

const publish = (step: object, more: object = {}) =>
  api.post('/v3/edit/tours', { name: 'One', published_at: '$now', steps: [step], ...more });

/** Publishes a text as title and body, loads a page as a new user, and returns the two as the page gets them. */
async function shown(
  text: string,
  properties: object = {},
  params: object = {},
): Promise<{ title: unknown; body: unknown }> {
  const made = await publish({ title: text, body: text, buttons: [{ text: 'Next' }] });
  expect([text, made.status, made.body.messages]).toEqual([text, 201, undefined]);
  const { status, body } = await visit(api, { uid: newUid(), properties, ...params });
  expect([status, body.messages]).toEqual([200, undefined]);
  const { id } = made.body.tour;
  const tour = body.experiences.find((one: { id: string }) => one.id === id);
  await api.patch(`/v3/edit/tours/${id}`, { published_at: null });
  const { title, body: paragraphs } = tour.steps[0];
  return { title, body: paragraphs };
}

/** A text that needs nothing of the page is complete in both. */
async function expectText(text: string, expected: string, properties: object, params: object = {}): Promise<void> {
  const { title, body } = await shown(text, properties, params);
  expect([text, title, body]).toEqual([text, [expected], [['p', expected]]]);
}

const ago = (days: number) => new Date(now - days * DAY).toISOString();
const ann = {
  name: 'Ann',
  plan: 'gold',
  seats: 5,
  roles: ['admin', 'author'],
  email_domain: 'mail.acme.com',
  address: { city: 'Bern' },
  started_on: ago(100),
  trial_ends_at: ago(-10),
};

describe('merge tags', () => {
  it("have a fallback: `{{name fallback='there'}}`", async () => {
    await expectText("Hi {{name fallback='there'}}", 'Hi Ann', ann);
    await expectText("Hi {{name fallback='there'}}", 'Hi there', {});
  });

  it('choose with `{{if}}`, `{{elseif}}` or `{{elsif}}`, `{{else}}` and `{{/if}}`', async () => {
    for (const word of ['elseif', 'elsif', 'else if']) {
      const text = `{{if address.city == 'Bern' && seats > 3}}one{{${word} plan == 'gold'}}two{{else}}three{{/if}}`;
      await expectText(text, 'one', ann);
      await expectText(text, 'two', { ...ann, seats: 3 });
      await expectText(text, 'three', { seats: 4, address: { city: 'Rome' } });
    }
  });

  it.each([
    ...["plan == 'gold'", "plan != 'silver'", 'seats > 4', 'seats >= 5', 'seats < 6', 'seats <= 5'],
    ...["plan == 'gold' && seats == 5", "plan == 'silver' || seats == 5", '!nothing', '!(seats > 5)'],
    ...["(plan == 'silver' || seats == 5) && name", "roles includes 'admin'", "roles contains 'author'"],
    ...["plan includes 'ol'", "email_domain contains 'acme'", "email_domain matches '^mail\\.\\w+\\.com$'"],
    ...['{time_ago started_on in="weeks"} > 12', '{time_ago started_on in="days"} == 100'],
    ...['{time_ago trial_ends_at in="days"} < 0', 'time_ago started_on in="months" == 3'],
  ])('test with `%s`', async (test) => {
    await expectText(`{{if ${test}}}yes{{else}}no{{/if}}`, 'yes', ann);
    await expectText(`{{if !(${test})}}yes{{else}}no{{/if}}`, 'no', ann);
  });

  it('say how long ago a time was, in the language of the user', async () => {
    await expectText('Here since {{time_ago started_on}}', 'Here since 3 months ago', ann);
    const german = { browser: { l: 'de-CH' } };
    await expectText('Hier seit: {{time_ago started_on}}', 'Hier seit: vor 3 Monaten', ann, german);
    await expectText('{{time_ago started_on in="weeks"}} weeks', '14 weeks', ann);
    await expectText("{{time_ago plan fallback='never'}}", 'never', ann);
    await expectText('Since {{time_ago created_at}}', 'Since now', ann);
  });

  it('say it in a translation too', async () => {
    await api.post('/v3/edit/languages', { code: 'fr' });
    const made = await publish({ title: 'Since {{time_ago started_on}}' }, { published_at: null });
    const { id } = made.body.tour;
    const file = JSON.parse((await api.get(`/v3/edit/tours/${id}/i18n.json`, { query: 'language=fr' })).text);
    file.experiences[0].steps[0].translations.title.text =
      'Depuis {{time_ago started_on}} ({{time_ago started_on in="days"}})';
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify(file)]), 'fr.json');
    expect((await api.post('/v3/edit/i18n', form)).body.i18ns).toMatchObject([{ updated_count: 1 }]);
    await api.patch(`/v3/edit/tours/${id}`, { published_at: '$now' });
    const { body } = await visit(api, { uid: newUid(), properties: ann, browser: { l: 'fr' } });
    await api.patch(`/v3/edit/tours/${id}`, { published_at: null });
    expect(body.experiences[0].steps[0].title).toEqual(['Depuis il y a 3 mois (100)']);
  });

  it('leave what only the page knows to the page, without values of the user', async () => {
    const option = { option: 'a.b' };
    expect((await shown('{{delivery "a.b"}}')).title).toEqual([option]);
    const text = '{{if plan == "gold" && {delivery "a.b"} == 1}}{{name}}{{else}}no{{/if}}';
    const rest = { if: { ...option, op: '==', to: 1 }, show: ['Ann'], else: ['no'] };
    expect(await shown(text, ann)).toEqual({ title: [rest], body: [['p', rest]] });
    expect((await shown(text)).title).toEqual(['no']);
  });

  it('do not let a pattern take long', async () => {
    const evil = `{{if a matches "(x+x+)+y"}}1{{else}}0{{/if}}`.repeat(10);
    const started = performance.now();
    await expectText(evil, '0'.repeat(10), { a: 'x'.repeat(768) });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('a merge tag that cannot be published', () => {
  const problem = async (step: object): Promise<string[]> => {
    const { status, body } = await publish({ title: 'Hi', ...step });
    expect(status).toBe(422);
    return body.messages;
  };

  it('is named with its place and the nearest form that works', async () => {
    expect(await problem({ title: 'Hi {{name || "there"}}' })).toEqual([
      'Step 1 ("Hi {{name || "there"}}"): its title: `{{name || "there"}}` is not understood: write a fallback as `{{first_name fallback="there"}}` (character 4)',
    ]);
    expect(await problem({ body: 'One\n\n{{unless plan}}x{{/unless}}' })).toEqual([
      'Step 1 ("Hi"): its text: `{{unless plan}}` is not understood: there is no helper `unless`, write it as `{{if !plan}}` (line 3, character 1)',
    ]);
  });

  it('reads a value of the page in an account that does not allow it', async () => {
    const tag = '{{global "app.user"}}';
    const reason = `\`${tag}\` shows a value of the page, which this account does not allow: send the value as a property of the user, or let an owner turn on \`allow_globals\` in the settings of the account`;
    expect(await problem({ title: tag })).toEqual([`Step 1 ("${tag}"): its title: ${reason}`]);
    const buttons = [{ text: 'Go', additional_actions: ['cta_url'], action_url: `/x/${tag}` }];
    expect(await problem({ buttons })).toEqual([`Step 1 ("Hi"): button 1 ("Go"): its address: ${reason}`]);
  });

  it('has a value of the page in the address of a picture', async () => {
    await api.patch('/v3/edit/account', { allow_globals: true });
    const messages = await problem({ body: '![x](https://example.com/{{global "app.user"}})' });
    await api.patch('/v3/edit/account', { allow_globals: false });
    expect(messages).toEqual([
      'Step 1 ("Hi"): its text: The address of an image cannot have a value of the page: show `{{global …}}` as text',
    ]);
  });
});

describe('values of the page', () => {
  const read = async (): Promise<ApiResponse['body']> =>
    (await visit(api, { uid: newUid(), properties: ann })).body.experiences[0].steps[0];

  it('are left to the page while the account allows them, and have their fallback when it no longer does', async () => {
    await api.patch('/v3/edit/account', { allow_globals: true });
    const title = '{{name}} {{global "app.user.plan" fallback="-"}}{{if {global "app.n"} > 1}}many{{else}}few{{/if}}';
    const buttons = [{ text: 'Go', additional_actions: ['cta_url'], action_url: '/x/{{global "app.id"}}' }];
    const made = await publish({ title, buttons });
    expect([made.status, made.body.messages]).toEqual([201, undefined]);
    expect(await read()).toMatchObject({
      title: [
        'Ann ',
        { global: 'app.user.plan', or: '-' },
        { if: { global: 'app.n', op: '>', to: 1 }, show: ['many'], else: ['few'] },
      ],
      buttons: [{ action_url: ['/x/', { global: 'app.id' }] }],
    });
    await api.patch('/v3/edit/account', { allow_globals: false });
    expect(await read()).toMatchObject({ title: ['Ann -few'], buttons: [{ action_url: '/x/' }] });
    await api.patch(`/v3/edit/tours/${made.body.tour.id}`, { published_at: null });
  });
});
