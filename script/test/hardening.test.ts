import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call, dialog, uid, until, useHarness } from './browser.ts';

/* Tests what a hostile response, a hostile option or a hostile page can do to the page through the script. */

const harness = useHarness();

const id = (n: number) => n.toString(16).padStart(24, '0');
const loaderOf = () => `${harness.api.url}/script/${harness.api.account.account_token}.js`;

/** Makes visits return these Experiences and this profile instead of the server's response. */
function respondWith(experiences: unknown[], profile = '{}', more = ''): void {
  const shown = JSON.stringify(experiences.map((one) => ({ automatic: true, ...(one as object) })));
  const body = `{"profile":${profile},"visit":{"token":"x"},"deliveries":[],"experiences":${shown}${more}}`;
  harness.fakeResponse = (path) =>
    path.startsWith('/v3/observe/visits') ? { status: 200, body } : { status: 200, body: '{"items":[]}' };
}

const tour = (step: object) => ({ id: id(1), kind: 'tour', steps: [{ id: id(2), title: ['Hello'], ...step }] });

describe('a response with property names of a prototype', () => {
  const polluted = (page: Page) =>
    page.evaluate(() => {
      const plain = {} as Record<string, unknown>;
      return [plain.evil, plain.close, Object.keys(Object.prototype)];
    });

  it('changes no prototype, and has only the properties that were sent', async () => {
    const nested = '{"__proto__":{"evil":1},"constructor":{"prototype":{"evil":1}},"name":"Ann"}';
    const labels = ',"labels":{"__proto__":{"close":"Evil","evil":1}}';
    respondWith([tour({})], `{"__proto__":{"evil":1},"constructor":"mine","manager":${nested}}`, labels);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    expect(await page.getByRole('button', { name: 'Close' }).count()).toBe(1);
    expect(await polluted(page)).toEqual([undefined, undefined, []]);
    const read = await page.evaluate(() => {
      const { profile } = (window as never as { usher: { data: { profile: { get(key?: string): unknown } } } }).usher
        .data;
      const whole = Object.assign({}, profile.get() as Record<string, unknown>);
      return [
        ...['constructor', '__proto__', 'hasOwnProperty', 'toString'].map((key) => profile.get(key)),
        ...[whole.evil, (whole.manager as { name: string }).name, (whole.manager as { evil?: unknown }).evil],
      ];
    });
    expect(read).toEqual(['mine', undefined, undefined, undefined, undefined, 'Ann', undefined]);
  });

  it('changes no prototype through properties and options of the page', async () => {
    const made = await harness.createTour([{ title: 'Hi {{delivery "name"}}{{delivery "constructor.name"}}' }], {
      style: 'manual',
    });
    const page = await harness.open({});
    await page.evaluate(
      ([uid, id]) => {
        const { usher } = window as never as { usher: Record<string, (...args: unknown[]) => void> };
        usher.identify?.(uid, JSON.parse('{"__proto__":{"plan":"evil"},"constructor":"c","plan_name":"pro"}'));
        usher.set?.(JSON.parse('{"__proto__":{"evil":1}}'));
        usher.show?.(id, { options: JSON.parse('{"__proto__":{"name":"evil"}}') });
      },
      [uid, made.id] as const,
    );
    await dialog(page, 'Hi').waitFor();
    expect(await polluted(page)).toEqual([undefined, undefined, []]);
    const sent = harness.received.filter(({ path }) => path.endsWith('/visits')).at(-1)?.body;
    expect(sent?.properties).toMatchObject({ constructor: 'c', plan_name: 'pro' });
  });
});

describe('an address in a response', () => {
  const hostile = [
    'javascript:window.pwned=1',
    'JaVaScRiPt:window.pwned=1',
    ' javascript:window.pwned=1',
    '\tjavascript:window.pwned=1',
    'java\nscript:window.pwned=1',
    'java\tscript:window.pwned=1',
    '\u0000javascript:window.pwned=1',
    '\u0001javascript:window.pwned=1',
    '\u00a0javascript:window.pwned=1',
    'javascript&colon;window.pwned=1',
    '&#106;avascript:window.pwned=1',
    'java&Tab;script:window.pwned=1',
    'data:text/html,<script>window.pwned=1</script>',
    'vbscript:window.pwned=1',
    'blob:http://127.0.0.1/x',
    'filesystem:http://127.0.0.1/x',
    'file:///etc/passwd',
    'intent://x#Intent;end',
  ];
  const good = [
    'https://a.com/x',
    'HTTP://a.com',
    'mailto:a@b.c',
    'tel:+123',
    '/path?x=1',
    '#hash',
    'page',
    '//a.com/x',
  ];

  it('becomes a link or an image only if its scheme is allowed', async () => {
    const links = [...hostile, ...good].map((href) => ['a', { href }, `link ${good.indexOf(href)}`]);
    const images = hostile.map((src) => ['img', { src, alt: 'x' }]);
    respondWith([tour({ body: [['p', ...links, ...images]] })]);
    const page = await harness.open({}, { uid });
    await dialog(page).waitFor();
    const found = await dialog(page)
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(found).toEqual(good);
    expect(await dialog(page).locator('img').count()).toBe(0);
    expect(await dialog(page).getByText('link -1').count()).toBeGreaterThan(0);
  });

  it('is not opened by a button if its scheme is not allowed', async () => {
    const buttons = hostile.map((action_url, at) => ({
      ...{ id: id(10 + at), text: [`Go ${at}.`], additional_actions: ['cta_url'], action_url },
    }));
    respondWith([tour({ buttons })]);
    const page = await harness.open({}, { uid });
    const opened: string[] = [];
    page.context().on('page', (other) => opened.push(other.url()));
    const { href } = await page.evaluate(() => ({ href: location.href }));
    for (const [at] of buttons.entries()) {
      await dialog(page).waitFor();
      await page.getByRole('button', { name: `Go ${at}.`, exact: true }).click();
    }
    expect(await page.evaluate(() => [location.href, 'pwned' in window])).toEqual([href, false]);
    expect(opened).toEqual([]);
  });
});

describe('code in a response', () => {
  const withCode = {
    id: id(1),
    kind: 'tour',
    steps: [
      {
        id: id(2),
        title: ['Hello'],
        buttons: [{ id: id(3), text: ['Do it'], additional_actions: ['code'], action_script: 'window.pwned=1' }],
      },
    ],
  };

  it('runs only while the account allows scripts and the server names the file that runs code', async () => {
    const response = {
      profile: {},
      visit: { token: 'x' },
      deliveries: [],
      experiences: [{ ...withCode, automatic: true }],
    };
    const press = async () => {
      const page = await harness.open({ loader: loaderOf(), calls: '' });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.route(/\/v3\/observe\//, (route) =>
        route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: response }),
      );
      await page.waitForFunction(() => 'kind' in (window as never as { usher: object }).usher);
      await call(page, 'identify', uid);
      await dialog(page).waitFor();
      await page.getByRole('button', { name: 'Do it' }).click();
      return [await page.evaluate(() => 'pwned' in window), requests.some((url) => /\/scripts-\w+\.js/.test(url))];
    };
    expect(await press()).toEqual([false, false]);
    await harness.api.patch('/v3/edit/account', { allow_scripts: true });
    expect(await press()).toEqual([true, true]);
    await harness.api.patch('/v3/edit/account', { allow_scripts: false });
    expect(await press()).toEqual([false, false]);
  });

  it('runs under a strict policy only if that names both of our Trusted Types policies', async () => {
    await harness.api.patch('/v3/edit/account', { allow_scripts: true });
    await harness.createTour([
      {
        title: 'Hello',
        buttons: withCode.steps[0]?.buttons.map(({ id: _, ...one }) => ({ ...one, text: 'Do it' })) ?? [],
      },
    ]);
    const runs = async (policies: string) => {
      const headers = {
        'Content-Security-Policy': `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types ${policies}`,
      };
      const page = await harness.open({ nonce: 'abc', headers }, { uid: `${uid} ${policies}` });
      await dialog(page).waitFor();
      await page.getByRole('button', { name: 'Do it' }).click();
      return page.evaluate(() => 'pwned' in window);
    };
    expect(await runs('usher usher-code')).toBe(true);
    expect(await runs('usher')).toBe(false);
    await harness.api.patch('/v3/edit/account', { allow_scripts: false });
  });
});

describe('the Trusted Types policy of the script', () => {
  const headers = () => ({
    'Content-Security-Policy': `script-src 'nonce-abc' 'strict-dynamic'; connect-src ${harness.proxyUrl}; require-trusted-types-for 'script'; trusted-types usher usher-code`,
  });

  it('cannot be reached from the page, and cannot be created again', async () => {
    await harness.createTour([{ title: 'Hello' }]);
    const page = await harness.open({ nonce: 'abc', headers: headers() }, { uid });
    await dialog(page).waitFor();
    const found = await page.evaluate(() => {
      const seen = new Set<unknown>();
      const policies: string[] = [];
      const look = (value: unknown, path: string) => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          const at = `${path}.${String(key)}`;
          if (/^createScript|nonce/.test(String(key))) policies.push(at);
          if (Object.prototype.toString.call((value as never)[key]) === '[object TrustedTypePolicy]') policies.push(at);
          look((value as never)[key], at);
        }
      };
      look((window as never as { usher: unknown }).usher, 'usher');
      for (const script of document.scripts) policies.push(...Object.keys(script));
      const { trustedTypes } = window as never as {
        trustedTypes: { createPolicy(name: string, rules: object): object };
      };
      let again = 'made';
      try {
        trustedTypes.createPolicy('usher', {});
      } catch {
        again = 'rejected';
      }
      return { policies, again };
    });
    expect(found).toEqual({ policies: [], again: 'rejected' });
  });

  it('allows only the addresses of the script files, whatever the page does to the configuration', async () => {
    const page = await harness.open({ nonce: 'abc', headers: headers() }, { uid });
    await page.waitForFunction(() => 'kind' in (window as never as { usher: object }).usher);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const failed = await page.evaluate(async () => {
      interface Config {
        url: string;
        files: Record<string, { path: string }>;
      }
      const { c: config } = (window as never as { usher: { c: Config } }).usher;
      const attempts = [
        () => Object.assign(config.files.renderer as object, { path: '/evil.js', integrity: '' }),
        () => Object.assign(config.files, { renderer: { path: '//evil.example/x.js', integrity: '' } }),
        () => Object.assign(config.files, { evil: { path: '/evil.js', integrity: '' } }),
        () => Object.assign(config, { url: 'https://evil.example' }),
      ];
      // The build gives `load` another name.
      const load = Object.values(config).find((value) => typeof value === 'function') as unknown as (
        part: string,
      ) => Promise<void>;
      const outcomes: string[] = [];
      for (const attempt of attempts) {
        attempt();
        for (const part of ['renderer', 'evil'])
          outcomes.push(
            await load(part).then(
              () => 'loaded',
              () => 'rejected',
            ),
          );
      }
      return outcomes;
    });
    expect(new Set(failed)).toEqual(new Set(['rejected']));
    expect(requests.filter((url) => url.includes('evil'))).toEqual([]);
  });

  it('allows only the addresses of the script files in the package for bundlers too', async () => {
    const made = `const rules=[];Object.defineProperty(window,'trustedTypes',{value:{createPolicy:(n,r)=>(rules.push(r),r)}});window.rules=rules`;
    const head = `<script>${made}</script><script type=module>import { init } from '/npm.js';init('${harness.api.account.account_token}',{url:'${harness.api.url}'});window.done=1</script>`;
    const page = await harness.open({ loader: null, head });
    await page.waitForFunction(() => 'done' in window);
    const outcomes = await page.evaluate((base) => {
      const [{ createScriptURL }] = (window as never as { rules: [{ createScriptURL(url: string): string }] }).rules;
      return [
        '/script/files/a-1.js',
        '/script/t.js',
        '/v3/x.js',
        '/script/../v3/x.js',
        '/script/files/../x.js',
        '.evil/script/a.js',
      ].map((path) => {
        try {
          return createScriptURL(base + path) === base + path;
        } catch {
          return false;
        }
      });
    }, harness.api.url);
    expect(outcomes).toEqual([true, true, false, false, false, false]);
    await until(() => page.evaluate(() => Object.keys([...document.scripts].at(-1) ?? {}))).toEqual([]);
  });
});
