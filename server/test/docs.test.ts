import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeReason, type Reason, webhookEventKinds } from '@usher/domain';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { noHost, reasonOf } from '../src/pages/admit-host.ts';
import { signatureHeaders } from '../src/webhooks/secret.ts';
import { commandsIn, exampleApps, examplesIn, GUIDE, guide, type Language, patternOf, root } from './docs-examples.ts';

it('documents that `once` is checked when it is true', () => {
  const page = readFileSync(`${root}/docs/guides/trigger-an-experience.md`, 'utf8').replace(/\s+/g, ' ');
  expect(page).toContain("`once` follows the field's own definition: the user is checked when it is true.");
  expect(page).toContain(
    "The contract's list of what keeps a Delivery from running says `once=false`, and that is not what Usher does.",
  );
});

/** One reason of each kind, with `…` and zeros as values. */
const everyReason: Record<Exclude<Reason['rule'], 'page'>, Reason[]> = {
  disabled: [{ rule: 'disabled' }],
  live: [{ rule: 'live' }],
  environment: [{ rule: 'environment', is: '…', wanted: ['…'] }],
  blocked: [{ rule: 'blocked', host: '…' }],
  url: [
    { rule: 'url', continues: false },
    { rule: 'url', continues: true },
  ],
  manual: [{ rule: 'manual' }],
  event: [
    { rule: 'event', name: '…', last: null },
    { rule: 'event', name: '…', last: 0 },
  ],
  segments: [
    { rule: 'segments', names: ['…'], any: false },
    { rule: 'segments', names: ['…', '…'], any: true },
    { rule: 'segments', names: ['…'], any: false, experiment: '…' },
  ],
  excluded: [{ rule: 'excluded', names: ['…'] }],
  variant: [
    { rule: 'variant', experiment: '…', variant: '…', isControl: false, exposedAt: null },
    { rule: 'variant', experiment: '…', variant: '…', isControl: true, exposedAt: 0 },
  ],
  holdout: [{ rule: 'holdout', until: 0 }],
  experiment: [{ rule: 'experiment', percent: 0, low: 0, high: 0 }],
  snoozed: [{ rule: 'snoozed', until: 0 }],
  seen: [
    { rule: 'seen', state: 'completed', at: 0, again: null },
    { rule: 'seen', state: 'completed', at: 0, again: 0 },
  ],
  responses: [
    { rule: 'responses', count: 0, segment: null },
    { rule: 'responses', count: 0, segment: '…' },
  ],
  limit: [{ rule: 'limit', name: '…', count: 0, max_count: 0, period_hours: 0 }],
  another: [
    { rule: 'another', name: '…' },
    { rule: 'another', name: '…', isNext: true },
  ],
  from: [{ rule: 'from', at: 0 }],
  until: [{ rule: 'until', at: 0 }],
  once: [{ rule: 'once', at: 0 }],
};

it('lists every reason why a user does not see an Experience, with what to do', () => {
  const page = readFileSync(`${root}/docs/guides/why-does-a-user-not-see-it.md`, 'utf8');
  const [section = ''] = /^## Look up the reason$.*?^## /ms.exec(page) ?? [];
  const documented = [...section.matchAll(/^\| `(.*?)` \| (.+) \|$/gm)].map(([, reason = '']) => reason);
  const words = Object.values(everyReason)
    .flat()
    .map((reason) =>
      describeReason(reason)
        .replace(/1970\S*Z|\b0\b|\bcompleted\b/g, '…')
        .replaceAll('`', ''),
    );
  expect(documented).toEqual(expect.arrayContaining(words));
  const hostReasons = [
    noHost().message,
    ...(['unknown', 'off', 'archived'] as const).map((state) => `… ${reasonOf(state)}`),
  ];
  for (const reason of hostReasons) expect(documented.filter((start) => patternOf(start).test(reason))).toHaveLength(1);
  expect(documented).toHaveLength(words.length + hostReasons.length);
});

describe('guide: Install the snippet', () => {
  const page = readFileSync(`${root}/docs/guides/install-the-snippet.md`, 'utf8');

  it('shows code that is in the files it names', () => {
    const blocks = [...page.matchAll(/\]\(\.\.\/\.\.\/(examples\/sign-users\/\S+)\):\n\n^```\w+\n(.*?)^```$/gms)];
    expect(blocks.map(([, file]) => file).sort()).toEqual(
      readdirSync(`${root}/examples/sign-users`)
        .map((name) => `examples/sign-users/${name}`)
        .sort(),
    );
    for (const [, file = '', code] of blocks) expect(readFileSync(`${root}/${file}`, 'utf8')).toBe(code);
  });
});

describe('guide: The API of the script', () => {
  const page = readFileSync(`${root}/docs/guides/script-api.md`, 'utf8');

  it('lists every call, event, option and reason of the script', () => {
    const types = readFileSync(`${root}/script/src/index.d.ts`, 'utf8');
    const namesIn = (name: string) => {
      const body = new RegExp(`interface ${name} \\{(.*?)^\\}`, 'ms').exec(types)?.[1] ?? '';
      return [...new Set([...body.matchAll(/^ {2}'?([\w:]+)'?[?:(<]/gm)].map(([, found]) => found as string))];
    };
    const calls = namesIn('Usher').map((name) => `\`usher.${name}`);
    const events = [...namesIn('UsherEvents'), ...namesIn('TourEvent')].map((name) => `\`${name}\``);
    const options = [...namesIn('ShowOptions'), ...namesIn('InitOptions').map((name) => `${name}: `)];
    const reasons = [...(/type ShowReason =(.*?);/s.exec(types)?.[1] ?? '').matchAll(/\| '(\w+)'/g)];
    expect([calls, events, options, reasons].map(({ length }) => length)).toEqual([17, 19, 9, 19]);
    const names = [...calls, ...events, ...options, ...reasons.map(([, name]) => `\`${name}\``)];
    for (const name of names) expect(page).toContain(name);
  });
});

describe('guide: Usher in React, Vue and Svelte', () => {
  const page = readFileSync(`${root}/docs/guides/frameworks.md`, 'utf8');

  it('shows code that is in the files it names', () => {
    const blocks = [...page.matchAll(/\]\(\.\.\/\.\.\/(examples\/\S+)\):\n\n^```\w+\n(.*?)^```$/gms)];
    expect(blocks).toHaveLength(page.match(/^```\w+$/gm)?.length ?? 0);
    expect(new Set(blocks.map(([, file = '']) => file.split('/')[1]))).toEqual(new Set(exampleApps));
    for (const [, file = '', code = ''] of blocks) expect(readFileSync(`${root}/${file}`, 'utf8')).toContain(code);
  });

  it('has examples that install the package from where the build writes it', () => {
    for (const name of exampleApps) {
      const { dependencies, scripts } = JSON.parse(readFileSync(`${root}/examples/${name}/package.json`, 'utf8'));
      expect(dependencies['usher-browser']).toBe('file:../../script/dist/npm');
      expect(scripts.dev).toBe('vite');
      const lock = readFileSync(`${root}/examples/${name}/package-lock.json`, 'utf8');
      expect(lock).not.toMatch(/"resolved": "https?:/);
    }
  });
});

const snippet = readFileSync(`${root}/script/src/snippet.js`, 'utf8');
const loadSnippet = readFileSync(`${root}/script/src/load-snippet.js`, 'utf8');

it.each([
  ['docs/guides/install-the-snippet.md', [snippet, loadSnippet]],
  // The policy of the demo site requires Trusted Types, so its page contains the element that loads the script.
  ['examples/demo/usher.js', [snippet]],
])('prints the snippet of the script in %s', (page, snippets) => {
  const lines = readFileSync(`${root}/${page}`, 'utf8').split('\n');
  const text = lines.map((line) => line.trim()).join('\n');
  for (const code of snippets) expect(text).toContain(code);
});

describe('the snippet', () => {
  interface Stub {
    q: [string, ArrayLike<unknown>][];
    data: { profile: { get(key: string): unknown } };
    [name: string]: unknown;
  }
  const runSnippet = (window: object): Stub => new Function('window', `${snippet};return window.usher`)(window);
  const callStub = (stub: Stub, name: string, ...args: unknown[]) =>
    (stub[name] as (...args: unknown[]) => unknown)(...args);
  const queued = ({ q }: Stub) => q.map(([name, args]) => [name, ...Array.from(args)]);

  it('queues calls in order until the script has loaded', () => {
    const stub = runSnippet({});
    const names = 'identify track set clear on once off before next previous close debug init'.split(' ');
    for (const [at, name] of names.entries()) callStub(stub, name, at, 'x');
    expect(queued(stub)).toEqual(names.map((name, at) => [name, at, 'x']));
  });

  it('returns what a page can use until the script has loaded', () => {
    const stub = runSnippet({});
    expect(callStub(stub, 'isShowing', 'x')).toBe(false);
    expect(stub.data.profile.get('plan')).toBe(undefined);
    expect(callStub(stub, 'identify', 'x')).toBe(undefined);
    const run = () => {};
    for (const name of ['on', 'once', 'before']) (callStub(stub, name, 'load', run) as () => void)();
    expect(queued(stub).filter(([name]) => name === 'off')).toEqual(Array(3).fill(['off', 'load', run]));
  });

  it('keeps an object that the page has already', () => {
    const own = { q: [], track: () => 'own' };
    expect(runSnippet({ usher: own })).toBe(own);
    expect(own.track()).toBe('own');
  });
});

describe('guide: Receive webhooks', () => {
  const page = readFileSync(`${root}/docs/guides/receive-webhooks.md`, 'utf8');
  const examples = examplesIn(page);
  const inLanguage = (wanted: Language) => examples.filter(({ language }) => language === wanted);
  const secrets = ['new', 'old'].map(
    (word) => `whsec_${Buffer.from(`this is the ${word} secret of the guide`).toString('base64')}`,
  );

  it('shows a request with its real signature and verifies it', () => {
    const [, head = '', body = ''] = /^```\nPOST \/hooks\n(.*?)\n\n(.*?)\n```$/ms.exec(page) ?? [];
    const lines = head.split('\n').map((line) => /^(.*?): (.*)$/.exec(line) ?? []);
    const headers = Object.fromEntries(lines.map(([, name = '', value]) => [name.toLowerCase(), value]));
    const { id, sent_at } = JSON.parse(body);
    const signed = signatureHeaders(secrets, id, Date.parse(sent_at), body);
    expect(headers).toEqual({ 'content-type': 'application/json', ...signed });
    for (const { code } of [...inLanguage('js'), ...inLanguage('python'), ...inLanguage('ruby')])
      for (const part of [
        body,
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => signed[name]),
      ])
        expect(code).toContain(part);
  });

  it('lists every topic', () => {
    const section = page.slice(page.indexOf('## Topics'));
    const documented = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    );
    expect(documented.filter((word) => word.includes('.') || word === 'ping').sort()).toEqual(
      [...webhookEventKinds].sort(),
    );
  });
});

it('says how long backups may keep what was forgotten', () => {
  const section = /^## Forget a user$(.*?)^## /ms.exec(guide)?.[1] ?? '';
  expect(section.replace(/\s+/g, ' ')).toContain(
    'Copies of what was forgotten may stay in backups for 3 months: delete every backup when it gets that old.',
  );
});

it('contains only commands that CI runs', () => {
  const pages = ['README.md', 'docs/api.md', 'docs/running.md', GUIDE];
  const joinLines = (block: string) => block.replaceAll('\\\n', '').replace(/'[^']*'/g, "'…'");
  const lines = pages.flatMap(commandsIn).flatMap((block) => joinLines(block).split('\n'));
  const others = lines.filter((line) => line !== '' && !/^(#|curl |npx usher )/.test(line));
  expect([...new Set(others)].sort()).toEqual([
    'DATABASE_URL=postgres://usher:password@localhost:5432/usher npm start',
    'npm ci && npm start',
    'npm ci && npm test',
    // The suite of the packages runs it from the packed file.
    'npx usher-server',
  ]);
});

it('becomes a site whose pages and menu lead somewhere', () => {
  execFileSync(process.execPath, [`${root}/site/prepare.mjs`]);
  const pages = `${root}/site/.pages`;
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const broken = files.flatMap((page) =>
    [...readFileSync(`${pages}/${page}`, 'utf8').matchAll(/\]\((?!https?:|mailto:|#|\/)([^)#\s]+)/g)].flatMap(
      ([, path = '']) => (existsSync(join(pages, dirname(page), path)) ? [] : `${page}: ${path}`),
    ),
  );
  expect(broken).toEqual([]);
  const menu: { items: { link: string }[] }[] = JSON.parse(readFileSync(`${pages}/menu.json`, 'utf8'));
  const links = menu.flatMap(({ items }) => items.map(({ link }) => link));
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((link) => !existsSync(`${pages}${link}.md`))).toEqual([]);
});

it('uses one name for each secret', () => {
  const guides = listPages().filter((page) => page !== 'CHANGELOG.md');
  const names = guides.flatMap((page) => readFileSync(`${root}/${page}`, 'utf8').match(/\b[A-Z_]+_SECRET\b/g) ?? []);
  const settings = ['BOOTSTRAP', 'LIMIT_PER', 'OPERATIONS'].map((name) => `USHER_${name}_SECRET`);
  // Commands for two accounts name them.
  const ofAccounts = ['ACCOUNT_SECRET', 'PRODUCTION_SECRET', 'SOURCE_SECRET'];
  expect([...new Set(names)].sort()).toEqual([...ofAccounts, ...settings, 'USHER_UID_SECRET']);
});

it('links only to files and headings that exist', () => {
  const broken = listPages().flatMap((page) =>
    [...readPage(page).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].flatMap(
      ([link, path = '', heading = '']) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(`${root}/${target}`)) return `${page}: ${link}`;
        return heading === '' || anchorsIn(target).includes(heading) ? [] : `${page}: ${link}`;
      },
    ),
  );
  expect(broken).toEqual([]);
});

function listPages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`);
  return [...readdirSync(root).filter((name) => name.endsWith('.md')), ...inFolder('docs'), ...inFolder('examples')];
}

function readPage(page: string): string {
  return readFileSync(`${root}/${page}`, 'utf8').replace(/^```.*?^```$/gms, '');
}

/** The anchors that code hosts create from headings. */
function anchorsIn(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('guide: Check selectors in CI', () => {
  const page = readFileSync(`${root}/docs/guides/check-selectors-in-ci.md`, 'utf8');
  const folder = 'examples/check-in-ci';

  /** Every text in a workflow. */
  const textsIn = (value: unknown): string[] =>
    typeof value === 'object' && value ? Object.values(value).flatMap(textsIn) : [String(value)];

  it.each(readdirSync(`${root}/${folder}`))('links to %s, which is YAML and runs the check once', (name) => {
    expect(page).toContain(`(../../${folder}/${name})`);
    const workflow = load(readFileSync(`${root}/${folder}/${name}`, 'utf8'));
    expect(textsIn(workflow).filter((text) => text.startsWith('npx usher check --url '))).toHaveLength(1);
  });
});
