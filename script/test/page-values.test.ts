import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialog, type Site, uid, useHarness } from './browser.ts';

const harness = useHarness();
const allow = (allow_globals: boolean) => harness.api.patch('/v3/edit/account', { allow_globals });
beforeAll(() => allow(true));
afterAll(() => allow(false));

const open = (site: Site = {}) => harness.open(site, { uid });
/** Shows one text in a tour, on a page that runs some code first. */
async function shown(body: string, init = ''): Promise<string | null> {
  await harness.createTour([{ title: 'Hello', body }]);
  const page = await open({ init });
  await dialog(page).waitFor();
  return dialog(page).locator('.body').textContent();
}

const app = `window.app = {
  user: { plan: 'gold', seats: 5, roles: ['admin', 'author'], nick: '<b>x</b>' },
  greet() { window.called = true; return 'called'; },
  get secret() { window.called = true; return 'from a getter'; },
};
window.proxied = new Proxy({}, { getOwnPropertyDescriptor() { throw new Error('no'); } });`;

describe('values of the page', () => {
  it('are shown as text, with their fallback where there are none', async () => {
    const body =
      '{{global "app.user.plan"}}, {{global "app.user.roles"}}, {{global "app.user.roles.0"}}, {{global "app.user.nick"}}, {{global "app.none.x" fallback="none"}}';
    expect(await shown(body, app)).toBe('gold, admin, author, admin, <b>x</b>, none');
  });

  it('decide conditions, also together with values of the user and by patterns', async () => {
    const yes = [
      ...[
        '{global "app.user.plan"} == "gold"',
        'global "app.user.seats" > 4',
        '{global "app.user.roles"} includes "admin"',
      ],
      ...['{global "app.user.plan"} matches "^g.+d$"', '!{global "app.none"}', 'uid && {global "app.user"}'],
      ...['{global "app.user.plan"} matches "(d*d+)+$" && !(none || {global "app.user.seats"} != 5)'],
    ];
    const no = [
      '{global "app.user.plan"} == "silver"',
      '{global "app.user.plan"} matches "^o"',
      'none && {global "app"}',
    ];
    const body = [...yes, ...no].map((test) => `{{if ${test}}}1{{else}}0{{/if}}`).join('');
    expect(await shown(body, app)).toBe('1'.repeat(yes.length) + '0'.repeat(no.length));
  });

  it('are read when the step shows', async () => {
    await harness.createTour([
      { title: 'One', buttons: [{ text: 'Next', tour_action: 'next' }] },
      { title: 'Two', body: '{{global "app.count"}}' },
    ]);
    const page = await open({ init: 'window.app = { count: 1 };' });
    await dialog(page, 'One').waitFor();
    await page.evaluate('app.count = 2');
    await page.getByRole('button', { name: 'Next' }).click();
    await dialog(page, 'Two').waitFor();
    expect(await dialog(page, 'Two').locator('.body').textContent()).toBe('2');
  });

  it('are never the result of a call, and nothing of the browser or inherited', async () => {
    const paths = [
      ...[
        'app.greet',
        'app.secret',
        'app.toString',
        'app.__proto__',
        'app.constructor.name',
        '__proto__',
        'constructor',
      ],
      ...[
        'proxied.x',
        'location.href',
        'document.cookie',
        'document.title',
        'localStorage.key',
        'window.app.user.plan',
      ],
      ...['navigator.userAgent', 'name', 'origin', 'self.app.user.plan', 'app.user.plan.length', 'usher.q'],
    ];
    const body = paths.map((path) => `{{global "${path}" fallback="-"}}`).join(' ');
    const init = `${app} localStorage.key = 'stored'; document.cookie = 'a=1'; window.name = 'named';`;
    await harness.createTour([{ title: 'Hello', body }]);
    const page = await open({ init });
    await dialog(page).waitFor();
    expect(await dialog(page).locator('.body').textContent()).toBe(paths.map(() => '-').join(' '));
    expect(await page.evaluate('window.called')).toBeUndefined();
  });

  it('are data in an address, and cannot become a script', async () => {
    const body = '[see](/of/{{global "app.path"}}) [run]({{global "app.evil"}})';
    await harness.createTour([{ title: 'Hello', body }]);
    const page = await open({ init: 'window.app = { path: "a/b?c", evil: "javascript:alert(1)" };' });
    await dialog(page).waitFor();
    const links = dialog(page).locator('a');
    expect(await links.count()).toBe(1);
    expect(await links.getAttribute('href')).toBe('/of/a%2Fb%3Fc');
  });

  it('are not read in an account that no longer allows them', async () => {
    await harness.createTour([{ title: 'Hello', body: 'Plan: {{global "app.user.plan" fallback="none"}}' }]);
    await allow(false);
    const page = await open({ init: app });
    await dialog(page).waitFor();
    await allow(true);
    expect(await dialog(page).locator('.body').textContent()).toBe('Plan: none');
  });
});
