import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeReason, type Reason, webhookEventKinds } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noHost, reasonOf } from '../src/pages/admit-host.ts';
import { type Running, serve } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { signatureHeaders } from '../src/webhooks/secret.ts';
import { startApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './engine.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = promisify(execFile);
const GUIDE = 'docs/guides/send-your-users.md';
const guide = readFileSync(`${root}/${GUIDE}`, 'utf8');

/** Returns the fenced blocks that a reader should run: those marked `bash`. */
function commandsIn(page: string): string[] {
  const text = readFileSync(`${root}/${page}`, 'utf8');
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block as string);
}

const exampleApps = ['react', 'vue', 'svelte'];
const exampleReadmes = exampleApps.map((name) => `examples/${name}/README.md`);

it.each(['docs/api.md', ...exampleReadmes])('runs the curl commands of %s without changes', async (page) => {
  const { url, account } = await startApi();
  const blocks = commandsIn(page).filter((block) => block.includes('curl '));
  expect(blocks.length).toBeGreaterThan(0);
  const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret };
  for (const block of blocks) {
    const { stdout } = await run('bash', ['-ec', block], { env, cwd: dirname(`${root}/${page}`) });
    expect(stdout).toMatch(/^\{/);
    expect(stdout).not.toContain('"code"');
  }
});

it('runs the usher commands of docs/running.md without changes', async () => {
  const database = await createTestDatabase();
  const blocks = commandsIn('docs/running.md').filter((block) => block.includes('npx usher '));
  expect(blocks.length).toBeGreaterThan(0);
  try {
    for (const block of blocks) {
      const { stdout } = await run('bash', ['-ec', block], { cwd: root, env: { ...process.env, ...database.env } });
      expect(stdout).toContain('account_id');
    }
  } finally {
    await database.remove();
  }
});

/** How a reader runs an example: the code is saved in `file`. */
const languages = {
  bash: { command: 'bash', options: ['-e'], file: 'example.sh' },
  js: { command: 'node', options: [], file: 'example.mjs' },
  python: { command: 'python3', options: [], file: 'example.py' },
  ruby: { command: 'ruby', options: [], file: 'example.rb' },
} as const;
type Language = keyof typeof languages;

interface Example {
  language: Language;
  title: string;
  code: string;
  /** The output that the page shows. */
  output: string;
}

/** Returns every example of a page in order, with the output block below it. */
function examplesIn(text: string): Example[] {
  const words = Object.keys(languages).join('|');
  const fences = new RegExp(`^\`\`\`(${words})\\n(.*?)^\`\`\`$(?:\\n\\n^\`\`\`text\\n(.*?)^\`\`\`$)?`, 'gms');
  return [...text.matchAll(fences)].map(({ 1: language = '', 2: code = '', 3: output = '', index }) => {
    const heading = [...text.slice(0, index).matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? '';
    return { language: language as Language, title: `${heading}, ${language}`, code, output };
  });
}

/** IDs differ in each run, and `…` stands for any text. */
function patternOf(output: string): RegExp {
  const exact = output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${exact.replace(/\b[0-9a-f]{24}\b/g, '[0-9a-f]{24}').replaceAll('…', '.*')}$`);
}

/** CI must have all four languages; other machines may not. */
const mustHaveAll = process.env.CI === 'true' || process.env.USHER_TEST_MODE === 'all';
const missing = new Set<string>(
  Object.values(languages).flatMap(({ command }) =>
    mustHaveAll || spawnSync(command, ['--version']).status === 0 ? [] : [command],
  ),
);

describe('guide: Send your users', () => {
  const secret = 'a-secret-for-the-guide';
  let database: TestDatabase;
  let server: Running;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { ...database.env, PORT: '0', USHER_LOG_LEVEL: 'silent', USHER_BOOTSTRAP_SECRET: secret };
    server = await serve(readSettings(env), () => {});
    folder = await mkdtemp(join(tmpdir(), 'usher-guide-'));
  });
  afterAll(async () => {
    await server.stop();
    await database.remove();
    await rm(folder, { recursive: true });
  });

  async function outputOf({ language, code }: Example): Promise<string> {
    const { command, options, file } = languages[language];
    await writeFile(join(folder, file), code);
    const env = { ...process.env, ...database.env, USHER_URL: server.address, ACCOUNT_SECRET: secret };
    return (await run(command, [...options, join(folder, file)], { cwd: root, env })).stdout;
  }

  async function send(method: string, path: string, body: object) {
    const headers = { 'X-Account-Secret': secret, 'Content-Type': 'application/json' };
    const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its response
    return response.json() as any;
  }

  const examples = examplesIn(guide);

  it('shows the same user and the same batch in all four languages', () => {
    for (const heading of ['Send a user', 'Send many users']) {
      const found = examples.filter(({ title }) => title.startsWith(`${heading}, `)).map(({ language }) => language);
      expect(found).toEqual(Object.keys(languages));
    }
  });

  for (const [index, example] of examples.entries()) {
    const { command } = languages[example.language];
    it.skipIf(missing.has(command))(
      `prints the documented output of example ${index + 1} (${example.title}; needs ${command})`,
      async () => {
        expect(example.output).not.toBe('');
        expect((await outputOf(example)).trimEnd()).toMatch(patternOf(example.output.trimEnd()));
      },
    );
  }

  it('finds the deletion of a user with the documented command', async () => {
    await send('POST', '/v3/observe/hooks/profiles', { uid: '18821' });
    const { deletion } = await send('DELETE', '/v3/edit/profiles/forget', { uid: '18821' });
    const [example] = examples.filter(({ code }) => code.includes('deletion find'));
    expect(await outputOf(example as Example)).toContain(deletion.id);
  });

  it('stores values as the table says', async () => {
    const table = /^\| you send \| Usher keeps \|\n\|---\|---\|\n(.*?)\n\n/ms.exec(guide)?.[1] ?? '';
    const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
    expect(rows.length).toBeGreaterThan(15);
    for (const [index, [, sent = '', kept = '']] of rows.entries()) {
      const uid = `value-${index}`;
      const expected = kept.startsWith('nothing') ? {} : parseCell(kept);
      // A property must exist before it can be removed.
      await send('POST', '/v3/observe/hooks/profiles', { uid, plan: 'pro' });
      await send('POST', '/v3/observe/hooks/profiles', { uid, plan: null, ...parseCell(sent) });
      const { profile } = await send('POST', '/v3/analyze/profile', { uid });
      expect(customProperties(profile), sent).toEqual(expected);
      expect(profile.last_seen_at).toBeNull();
    }
  });

  it('explains every operator and kind of filter', async () => {
    const first = [...guide.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, word]) => word);
    for (const [filter, about] of [[{}, 'kind'] as const, [{ kind: 'property', prop: 'plan' }, 'op'] as const]) {
      const { messages } = await send('POST', '/v3/analyze/profiles', { filters: [filter] });
      const message = messages.find((text: string) => text.includes(`.${about}\` must be one of`));
      const words = [...message.split('one of')[1].matchAll(/`([a-z-]+)`/g)].map(([, word]) => word);
      expect(words.length).toBeGreaterThan(5);
      expect(first).toEqual(expect.arrayContaining(words));
    }
  });
});

/** Runs the examples of a page on a new server, with a separator between their outputs. */
async function expectOutputs(command: string, options: string[], expected: Example[]) {
  const { url, account } = await startApi();
  const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret };
  const { stdout } = await run(command, options, { env });
  const printed = stdout.split('%%').map((text) => text.trim());
  expect(printed).toHaveLength(expected.length);
  for (const [index, { output }] of expected.entries()) {
    expect(output).not.toBe('');
    expect(printed[index]).toMatch(patternOf(output.trimEnd()));
  }
}

it('runs the guide "Translate" and prints its outputs', async () => {
  const shell = examplesIn(readFileSync(`${root}/docs/guides/translate.md`, 'utf8'));
  expect(shell).toHaveLength(5);
  const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
  await expectOutputs('bash', ['-ec', `cd '${root}'\n${script}`], shell);
});

it.each(['trigger-an-experience', 'why-does-a-user-not-see-it'])(
  'runs the guide %s and prints its outputs',
  async (name) => {
    const shell = examplesIn(readFileSync(`${root}/docs/guides/${name}.md`, 'utf8'));
    expect(shell.length).toBeGreaterThan(8);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectOutputs('bash', ['-ec', `cd '${root}'\n${script}`], shell);
  },
  // The commands in them start Node several times, which takes long on a busy machine.
  90_000,
);

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
  url: [
    { rule: 'url', continues: false },
    { rule: 'url', continues: true },
  ],
  manual: [{ rule: 'manual' }],
  segments: [
    { rule: 'segments', names: ['…'], any: false },
    { rule: 'segments', names: ['…', '…'], any: true },
  ],
  excluded: [{ rule: 'excluded', names: ['…'] }],
  experiment: [{ rule: 'experiment', percent: 0, low: 0, high: 0 }],
  snoozed: [{ rule: 'snoozed', until: 0 }],
  seen: [
    { rule: 'seen', state: 'completed', at: 0, again: null },
    { rule: 'seen', state: 'completed', at: 0, again: 0 },
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

  it('runs the shell examples in one terminal and prints their outputs', async () => {
    const shell = examplesIn(page).filter(({ language }) => language === 'bash');
    expect(shell).toHaveLength(6);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectOutputs('bash', ['-ec', `cd '${root}'\n${script}`], shell);
  });

  it('turns on a host that a page has recorded as off', async () => {
    const api = await startApi();
    const { account_token, account_secret } = api.account;
    const loader = `${api.url}/script/${account_token}.js`;
    await fetch(loader, { headers: { Referer: 'https://app.example.com/dashboard' } });
    const findHost = async () => (await api.get('/v3/edit/urls', { query: 'host=app.example.com' })).body.urls;
    await expect.poll(findHost).toMatchObject([{ enabled: 'off' }]);
    const [add, change] = examplesIn(page).filter(({ code }) => code.includes('/v3/edit/urls'));
    const env = { ...process.env, USHER_URL: api.url, ACCOUNT_SECRET: account_secret };
    const runExample = (example: Example | undefined) =>
      run('bash', ['-eo', 'pipefail', '-c', example?.code ?? ''], { env });
    await expect(runExample(add)).rejects.toThrow();
    expect((await runExample(change)).stdout).toBe('on\n');
    expect(await findHost()).toMatchObject([{ enabled: 'on' }]);
  });

  it('shows code that is in the files it names', () => {
    const blocks = [...page.matchAll(/\]\(\.\.\/\.\.\/(examples\/sign-users\/\S+)\):\n\n^```\w+\n(.*?)^```$/gms)];
    expect(blocks.map(([, file]) => file).sort()).toEqual(
      readdirSync(`${root}/examples/sign-users`)
        .map((name) => `examples/sign-users/${name}`)
        .sort(),
    );
    for (const [, file = '', code] of blocks) expect(readFileSync(`${root}/${file}`, 'utf8')).toBe(code);
  });

  /** What is added to each example to print a hash. */
  const signing = [
    { command: 'node', file: 'uid-hash.js', run: (code: string) => `${code}\nconsole.log(uidHash('18821'))` },
    { command: 'python3', file: 'uid_hash.py', run: (code: string) => `${code}\nprint(uid_hash("18821"))` },
    { command: 'ruby', file: 'uid_hash.rb', run: (code: string) => `${code}\nputs uid_hash("18821")` },
    { command: 'php', file: 'uid_hash.php', run: (code: string) => `${code}\necho uid_hash('18821');` },
    {
      command: 'java',
      file: 'UidHash.java',
      run: (code: string) =>
        code.replace(
          'class UidHash {',
          'class UidHash { public static void main(String[] args) throws Exception { System.out.println(of("18821")); }',
        ),
    },
  ];
  // PHP and a Java compiler are not in every CI.
  const isMissing = (command: string) =>
    ['php', 'java'].includes(command) ? spawnSync(command, ['--version']).status !== 0 : missing.has(command);

  for (const { command, file, run: withCall } of signing)
    it.skipIf(isMissing(command))(`signs users in ${file} so that the server accepts them`, async () => {
      const api = await startApi();
      const { uid_secret } = (await api.post('/v3/edit/account/uid_secret')).body;
      await api.patch('/v3/edit/account', { require_uid_hash: true });
      const folder = await mkdtemp(join(tmpdir(), 'usher-guide-'));
      const target = join(folder, file.replace(/\.js$/, '.mjs'));
      await writeFile(target, withCall(readFileSync(`${root}/examples/sign-users/${file}`, 'utf8')));
      const env = { ...process.env, USHER_UID_SECRET: uid_secret };
      const { stdout } = await run(command, [target], { env });
      await rm(folder, { recursive: true });
      const common = { account_token: api.account.account_token, uid: '18821', href: 'http://localhost/' };
      const statusWith = async (uid_hash: string) =>
        (await api.post('/v3/observe/visits', { ...common, uid_hash }, { as: null })).status;
      expect([await statusWith(stdout.trim()), await statusWith('0'.repeat(64))]).toEqual([200, 403]);
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
    expect([calls, events, options, reasons].map(({ length }) => length)).toEqual([16, 18, 9, 18]);
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
  ['README.md', [snippet, loadSnippet]],
  ['docs/guides/install-the-snippet.md', [snippet, loadSnippet]],
  // The policy of the demo site requires Trusted Types, so its page has the element that loads the script.
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

describe('guide: Make a tour by API', () => {
  const examples = examplesIn(readFileSync(`${root}/docs/guides/make-a-tour-by-api.md`, 'utf8'));
  const inLanguage = (wanted: Language) => examples.filter(({ language }) => language === wanted);

  it('runs the shell examples in one terminal and prints their outputs', async () => {
    const shell = inLanguage('bash');
    expect(shell.length).toBeGreaterThan(14);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectOutputs('bash', ['-ec', script], shell);
  });

  it('runs the Node example and prints its output', async () => {
    const node = inLanguage('js');
    expect(node).toHaveLength(1);
    await expectOutputs('node', ['--input-type=module', '-e', node[0]?.code ?? ''], node);
  });
});

describe('guide: Receive webhooks', () => {
  const page = readFileSync(`${root}/docs/guides/receive-webhooks.md`, 'utf8');
  const examples = examplesIn(page);
  const inLanguage = (wanted: Language) => examples.filter(({ language }) => language === wanted);
  const secrets = ['new', 'old'].map(
    (word) => `whsec_${Buffer.from(`this is the ${word} secret of the guide`).toString('base64')}`,
  );

  it('runs the shell examples in one terminal and prints their outputs', async () => {
    const shell = inLanguage('bash');
    expect(shell.length).toBeGreaterThan(7);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectOutputs('bash', ['-ec', script], shell);
  });

  for (const language of ['js', 'python', 'ruby'] as const)
    it.skipIf(missing.has(languages[language].command))(
      `verifies a signed request in ${language} and rejects a changed or old one`,
      async () => {
        const [example, ...rest] = inLanguage(language);
        expect(rest).toEqual([]);
        const folder = await mkdtemp(join(tmpdir(), 'usher-guide-'));
        const { command, options, file } = languages[language];
        await writeFile(join(folder, file), example?.code ?? '');
        const { stdout } = await run(command, [...options, join(folder, file)]);
        await rm(folder, { recursive: true });
        expect(stdout).toBe(example?.output);
        expect(stdout.toLowerCase()).toBe('true\nfalse\nfalse\n');
        expect(example?.code).toContain(secrets[0]);
      },
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

/** Parses a cell such as `"seats": 12` to an object. */
function parseCell(cell: string): Record<string, unknown> {
  return JSON.parse(`{${cell.replaceAll('`', '')}}`);
}

/** Returns the custom properties of a profile. */
function customProperties(profile: Record<string, unknown>): Record<string, unknown> {
  const own = /^(id|uid|email|created_at|updated_at|percent|delivery_ids|last_.*|browser_.*)$/;
  return Object.fromEntries(Object.entries(profile).filter(([key]) => !own.test(key)));
}

it('says how long backups may keep what was forgotten', () => {
  const section = /^## Forget a user$(.*?)^## /ms.exec(guide)?.[1] ?? '';
  expect(section.replace(/\s+/g, ' ')).toContain(
    'Copies of what was forgotten may stay in backups for 3 months: delete every backup when it gets that old.',
  );
});

it('builds, starts, responds and stops on SIGTERM with npm start', async () => {
  const database = await createTestDatabase();
  const env = { ...process.env, ...database.env, PORT: '0', USHER_BOOTSTRAP_SECRET: 'a-secret-for-the-docs' };
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await addressPrintedBy(npm.stdout);
    const response = await fetch(url, { headers: { 'X-Account-Secret': 'a-secret-for-the-docs' } });
    expect(response.status).toBe(200);
  } finally {
    // The output closes when the server itself has ended, not only npm.
    const ended = once(npm, 'close');
    npm.stdout.resume();
    npm.kill('SIGTERM');
    await ended;
    await database.remove();
  }
});

async function addressPrintedBy(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) {
    const address = /ready at (\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('the server ended without being ready');
}

it('contains no other commands than those that CI runs', () => {
  const pages = ['README.md', 'docs/api.md', 'docs/running.md', GUIDE];
  const joinLines = (block: string) => block.replaceAll('\\\n', '').replace(/'[^']*'/g, "'…'");
  const lines = pages.flatMap(commandsIn).flatMap((block) => joinLines(block).split('\n'));
  const others = lines.filter((line) => line !== '' && !/^(#|curl |npx usher )/.test(line));
  expect([...new Set(others)].sort()).toEqual([
    'DATABASE_URL=postgres://usher:password@localhost:5432/usher npm start',
    'npm ci && npm start',
    'npm ci && npm test',
  ]);
});

it('uses one name for each secret', () => {
  const guides = listPages().filter((page) => page !== 'CHANGELOG.md');
  const names = guides.flatMap((page) => readFileSync(`${root}/${page}`, 'utf8').match(/\b[A-Z_]+_SECRET\b/g) ?? []);
  const settings = ['BOOTSTRAP', 'LIMIT_PER', 'OPERATIONS'].map((name) => `USHER_${name}_SECRET`);
  expect([...new Set(names)].sort()).toEqual(['ACCOUNT_SECRET', ...settings, 'USHER_UID_SECRET']);
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
