import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Reason, reasonInWords, webhookEventKinds } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noHost, reasonOf } from '../src/pages/admit-host.ts';
import { type Running, serve } from '../src/serve.ts';
import { readSettings } from '../src/settings.ts';
import { signatureHeaders } from '../src/webhooks/secret.ts';
import { startApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './engine.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const run = promisify(execFile);
const GUIDE = 'docs/guides/send-your-users.md';
const guide = readFileSync(`${root}/${GUIDE}`, 'utf8');

/** The fenced blocks that a reader is told to run: those marked `bash`. */
function commandsIn(page: string): string[] {
  const text = readFileSync(`${root}/${page}`, 'utf8');
  return [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block as string);
}

it.each(['README.md', 'docs/api.md'])('the curl commands of %s work as they stand', async (page) => {
  const { url, account } = await startApi();
  const blocks = commandsIn(page).filter((block) => block.includes('curl '));
  expect(blocks.length).toBeGreaterThan(0);
  const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret };
  for (const block of blocks) {
    const { stdout } = await run('bash', ['-ec', block], { env });
    expect(stdout).toMatch(/^\{/);
    expect(stdout).not.toContain('"code"');
  }
});

it.each(['README.md', 'docs/running.md'])('the usher commands of %s work as they stand', async (page) => {
  const database = await createTestDatabase();
  const blocks = commandsIn(page).filter((block) => block.includes('npx usher '));
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

/** How a reader runs an example: saved in a file of this name. */
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
  /** What the page says that it prints. */
  prints: string;
}

/** Every example of a page, in order, with the block below it. One without such a block is an empty promise. */
function examplesIn(text: string): Example[] {
  const words = Object.keys(languages).join('|');
  const fences = new RegExp(`^\`\`\`(${words})\\n(.*?)^\`\`\`$(?:\\n\\n^\`\`\`text\\n(.*?)^\`\`\`$)?`, 'gms');
  return [...text.matchAll(fences)].map(({ 1: language = '', 2: code = '', 3: prints = '', index }) => {
    const heading = [...text.slice(0, index).matchAll(/^##+ (.*)$/gm)].at(-1)?.[1] ?? '';
    return { language: language as Language, title: `${heading}, ${language}`, code, prints };
  });
}

/** IDs are others each time, and `…` stands for whatever is there. */
function patternOf(prints: string): RegExp {
  const exact = prints.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${exact.replace(/\b[0-9a-f]{24}\b/g, '[0-9a-f]{24}').replaceAll('…', '.*')}$`);
}

/** Not every machine has all four languages; CI must. */
const mustHaveAll = process.env.CI === 'true' || Boolean(process.env.USHER_TEST_ALL);
const missing = new Set(
  Object.values(languages).flatMap(({ command }) =>
    mustHaveAll || spawnSync(command, ['--version']).status === 0 ? [] : [command],
  ),
);

describe('the guide to sending users', () => {
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

  async function printedBy({ language, code }: Example): Promise<string> {
    const { command, options, file } = languages[language];
    await writeFile(join(folder, file), code);
    const env = { ...process.env, ...database.env, USHER_URL: server.address, ACCOUNT_SECRET: secret };
    return (await run(command, [...options, join(folder, file)], { cwd: root, env })).stdout;
  }

  async function send(method: string, path: string, body: object) {
    const headers = { 'X-Account-Secret': secret, 'Content-Type': 'application/json' };
    const response = await fetch(server.address + path, { method, headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came over the wire
    return response.json() as any;
  }

  const examples = examplesIn(guide);

  it('has the same user and the same batch in all four languages', () => {
    for (const heading of ['Send a user', 'Send many users']) {
      const found = examples.filter(({ title }) => title.startsWith(`${heading}, `)).map(({ language }) => language);
      expect(found).toEqual(Object.keys(languages));
    }
  });

  for (const [index, example] of examples.entries()) {
    const { command } = languages[example.language];
    it.skipIf(missing.has(command))(
      `example ${index + 1} (${example.title}; needs ${command}) prints what the page says`,
      async () => {
        expect(example.prints).not.toBe('');
        expect((await printedBy(example)).trimEnd()).toMatch(patternOf(example.prints.trimEnd()));
      },
    );
  }

  it('finds the deletion of a user by the command it names', async () => {
    await send('POST', '/v3/observe/hooks/profiles', { uid: '18821' });
    const { deletion } = await send('DELETE', '/v3/edit/profiles/forget', { uid: '18821' });
    const [example] = examples.filter(({ code }) => code.includes('deletion find'));
    expect(await printedBy(example as Example)).toContain(deletion.id);
  });

  it('says truly what becomes of values', async () => {
    const table = /^\| you send \| Usher keeps \|\n\|---\|---\|\n(.*?)\n\n/ms.exec(guide)?.[1] ?? '';
    const rows = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
    expect(rows.length).toBeGreaterThan(15);
    for (const [index, [, sent = '', kept = '']] of rows.entries()) {
      const uid = `value-${index}`;
      const expected = kept.startsWith('nothing') ? {} : inCode(kept);
      // What is to be removed has to be there first.
      await send('POST', '/v3/observe/hooks/profiles', { uid, plan: 'pro' });
      await send('POST', '/v3/observe/hooks/profiles', { uid, plan: null, ...inCode(sent) });
      const { profile } = await send('POST', '/v3/analyze/profile', { uid });
      expect(custom(profile), sent).toEqual(expected);
      expect(profile.last_seen_at).toBeNull();
    }
  });

  it('tells the meaning of every operator and kind of filter', async () => {
    const first = [...guide.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, word]) => word);
    for (const [filter, about] of [[{}, 'kind'] as const, [{ kind: 'property', prop: 'plan' }, 'op'] as const]) {
      const { messages } = await send('POST', '/v3/analyze/profiles', { filters: [filter] });
      const said = messages.find((message: string) => message.includes(`.${about}\` must be one of`));
      const words = [...said.split('one of')[1].matchAll(/`([a-z-]+)`/g)].map(([, word]) => word);
      expect(words.length).toBeGreaterThan(5);
      expect(first).toEqual(expect.arrayContaining(words));
    }
  });
});

/** Runs commands of a page on a server of their own, with a mark between what each prints. */
async function expectPrinted(command: string, options: string[], expected: Example[]) {
  const { url, account } = await startApi();
  const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret };
  const { stdout } = await run(command, options, { env });
  const printed = stdout.split('%%').map((text) => text.trim());
  expect(printed).toHaveLength(expected.length);
  for (const [index, { prints }] of expected.entries()) {
    expect(prints).not.toBe('');
    expect(printed[index]).toMatch(patternOf(prints.trimEnd()));
  }
}

it('the guide to what changed prints what it says, from top to bottom in one terminal', async () => {
  const shell = examplesIn(readFileSync(`${root}/docs/guides/audit-what-changed.md`, 'utf8'));
  expect(shell.length).toBeGreaterThan(5);
  const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
  await expectPrinted('bash', ['-ec', script], shell);
});

it('the guide to translating prints what it says, from top to bottom in one terminal', async () => {
  const shell = examplesIn(readFileSync(`${root}/docs/guides/translate.md`, 'utf8'));
  expect(shell).toHaveLength(4);
  const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
  await expectPrinted('bash', ['-ec', `cd '${root}'\n${script}`], shell);
});

it.each(['trigger-an-experience', 'why-does-a-user-not-see-it'])(
  'the guide %s prints what it says, from top to bottom in one terminal',
  async (name) => {
    const shell = examplesIn(readFileSync(`${root}/docs/guides/${name}.md`, 'utf8'));
    expect(shell.length).toBeGreaterThan(8);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectPrinted('bash', ['-ec', `cd '${root}'\n${script}`], shell);
  },
);

it('the guide to Deliveries says that `once` is checked when it is true, whatever the list of the contract says', () => {
  const page = readFileSync(`${root}/docs/guides/trigger-an-experience.md`, 'utf8').replace(/\s+/g, ' ');
  expect(page).toContain("`once` follows the field's own definition: the user is checked when it is true.");
  expect(page).toContain(
    "The contract's list of what keeps a Delivery from running says `once=false`, and that is not what Usher does.",
  );
});

/** One of each, with `…` and zeros where the values are. */
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
  another: [{ rule: 'another', name: '…' }],
  from: [{ rule: 'from', at: 0 }],
  until: [{ rule: 'until', at: 0 }],
  once: [{ rule: 'once', at: 0 }],
};

it('the guide to why a user does not see it has every reason there is, and says what to do', () => {
  const page = readFileSync(`${root}/docs/guides/why-does-a-user-not-see-it.md`, 'utf8');
  const told = [...page.matchAll(/^\| `(.*?)` \| (.+) \|$/gm)].map(([, reason = '']) => reason);
  const words = Object.values(everyReason)
    .flat()
    .map((reason) =>
      reasonInWords(reason)
        .replace(/1970\S*Z|\b0\b|\bcompleted\b/g, '…')
        .replaceAll('`', ''),
    );
  expect(told).toEqual(expect.arrayContaining(words));
  const ofHosts = [
    noHost().message,
    ...(['unknown', 'off', 'archived'] as const).map((state) => `… ${reasonOf(state)}`),
  ];
  for (const reason of ofHosts) expect(told.filter((start) => patternOf(start).test(reason))).toHaveLength(1);
  expect(told).toHaveLength(words.length + ofHosts.length);
});

describe('the guide to the snippet', () => {
  const page = readFileSync(`${root}/docs/guides/install-the-snippet.md`, 'utf8');

  it('prints what it says, from top to bottom in one terminal', async () => {
    const shell = examplesIn(page).filter(({ language }) => language === 'bash');
    expect(shell).toHaveLength(5);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectPrinted('bash', ['-ec', `cd '${root}'\n${script}`], shell);
  });

  it('signs users as the server reads it', async () => {
    const api = await startApi();
    const { uid_secret } = (await api.post('/v3/edit/account/uid_secret')).body;
    await api.patch('/v3/edit/account', { require_uid_hash: true });
    const signing = examplesIn(page).find(({ code }) => code.includes('createHmac'))?.code ?? '';
    const code = `const uid = '18821'\n${signing}\nconsole.log(uid_hash)`;
    const env = { ...process.env, USHER_UID_SECRET: uid_secret };
    const { stdout } = await run('node', ['--input-type=module', '-e', code], { env });
    const common = { account_token: api.account.account_token, uid: '18821', href: 'http://localhost/' };
    const statusWith = async (uid_hash: string) =>
      (await api.post('/v3/observe/visits', { ...common, uid_hash }, { as: null })).status;
    expect([await statusWith(stdout.trim()), await statusWith('0'.repeat(64))]).toEqual([200, 403]);
  });

  it('names everything that the script takes and tells', () => {
    const types = readFileSync(`${root}/script/src/index.d.ts`, 'utf8');
    const namesIn = (name: string) => {
      const body = new RegExp(`interface ${name} \\{(.*?)^\\}`, 'ms').exec(types)?.[1] ?? '';
      return [...body.matchAll(/^ {2}'?([\w:]+)'?[?:(<]/gm)].map(([, found]) => found as string);
    };
    const calls = namesIn('Usher').map((name) => `\`usher.${name}`);
    const events = namesIn('UsherEvents').map((name) => `\`${name}\``);
    const options = [...namesIn('ShowOptions'), ...namesIn('InitOptions').map((name) => `${name}: `)];
    expect([calls, events, options].map(({ length }) => length)).toEqual([10, 8, 9]);
    for (const name of [...calls, ...events, ...options]) expect(page).toContain(name);
  });
});

it.each(['README.md', 'docs/guides/install-the-snippet.md'])(
  'the snippet of %s keeps what a page calls, in order, until the script is there',
  (page) => {
    const code = /<script>(.*?)<\/script>/s.exec(readFileSync(`${root}/${page}`, 'utf8'))?.[1] ?? '';
    const names = ['identify', 'track', 'set', 'show', 'clear', 'on', 'off', 'init'];
    const calls = names.map((name, at) => `window.usher.${name}(${at}, 'x')`).join('\n');
    const known = new Function(
      'window',
      `${code.replace(/^ *usher\./m, 'window.usher.')}\n${calls}\nreturn window.usher`,
    );
    const { q, data } = known({});
    const kept = q.map(([name, given]: [string, ArrayLike<unknown>]) => [name, ...Array.from(given)]);
    expect(kept.slice(-names.length)).toEqual(names.map((name, at) => [name, at, 'x']));
    expect(data.profile.get('plan')).toBeUndefined();
    const own = { q: [], track: () => 'own' };
    expect(known({ usher: own })).toBe(own);
    expect(own.track()).toBe('own');
  },
);

describe('the guide to making a tour', () => {
  const examples = examplesIn(readFileSync(`${root}/docs/guides/make-a-tour-by-api.md`, 'utf8'));
  const inLanguage = (wanted: Language) => examples.filter(({ language }) => language === wanted);

  it('prints what it says, from top to bottom in one terminal', async () => {
    const shell = inLanguage('bash');
    expect(shell.length).toBeGreaterThan(8);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectPrinted('bash', ['-ec', script], shell);
  });

  it('prints what it says, in Node', async () => {
    const node = inLanguage('js');
    expect(node).toHaveLength(1);
    await expectPrinted('node', ['--input-type=module', '-e', node[0]?.code ?? ''], node);
  });
});

describe('the guide to webhooks', () => {
  const page = readFileSync(`${root}/docs/guides/receive-webhooks.md`, 'utf8');
  const examples = examplesIn(page);
  const inLanguage = (wanted: Language) => examples.filter(({ language }) => language === wanted);
  const secrets = ['new', 'old'].map(
    (word) => `whsec_${Buffer.from(`this is the ${word} secret of the guide`).toString('base64')}`,
  );

  it('prints what it says, from top to bottom in one terminal', async () => {
    const shell = inLanguage('bash');
    expect(shell.length).toBeGreaterThan(7);
    const script = shell.map(({ code }) => code).join("printf '\\n%%%%\\n'\n");
    await expectPrinted('bash', ['-ec', script], shell);
  });

  for (const language of ['js', 'python', 'ruby'] as const)
    it.skipIf(missing.has(languages[language].command))(
      `verifies in ${language} what Usher signs, and refuses what is tampered with or old`,
      async () => {
        const [example, ...rest] = inLanguage(language);
        expect(rest).toEqual([]);
        const folder = await mkdtemp(join(tmpdir(), 'usher-guide-'));
        const { command, options, file } = languages[language];
        await writeFile(join(folder, file), example?.code ?? '');
        const { stdout } = await run(command, [...options, join(folder, file)]);
        await rm(folder, { recursive: true });
        expect(stdout).toBe(example?.prints);
        expect(stdout.toLowerCase()).toBe('true\nfalse\nfalse\n');
        expect(example?.code).toContain(secrets[0]);
      },
    );

  it('shows a request as Usher signs it, and verifies that very one', () => {
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

  it('tells of every topic', () => {
    const section = page.slice(page.indexOf('## Topics'));
    const told = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    );
    expect(told.filter((word) => word.includes('.') || word === 'ping').sort()).toEqual([...webhookEventKinds].sort());
  });
});

/** A cell such as `"seats": 12`, as an object. */
function inCode(cell: string): Record<string, unknown> {
  return JSON.parse(`{${cell.replaceAll('`', '')}}`);
}

/** What is there beyond the fields that every profile has. */
function custom(profile: Record<string, unknown>): Record<string, unknown> {
  const own = /^(id|uid|email|created_at|updated_at|percent|delivery_ids|last_.*|browser_.*)$/;
  return Object.fromEntries(Object.entries(profile).filter(([key]) => !own.test(key)));
}

it('tells how long backups may keep what was forgotten', () => {
  const section = /^## Forget a user$(.*?)^## /ms.exec(guide)?.[1] ?? '';
  expect(section.replace(/\s+/g, ' ')).toContain(
    'Copies of what was forgotten may stay in backups for 3 months: delete every backup when it gets that old.',
  );
});

it('npm start builds, starts, answers, and stops on SIGTERM', async () => {
  const database = await createTestDatabase();
  const env = { ...process.env, ...database.env, PORT: '0', USHER_BOOTSTRAP_SECRET: 'a-secret-for-the-docs' };
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await addressPrintedBy(npm.stdout);
    const answer = await fetch(url, { headers: { 'X-Account-Secret': 'a-secret-for-the-docs' } });
    expect(answer.status).toBe(200);
  } finally {
    // Its output is closed when the server itself has ended, not only npm.
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

it('every other command of the pages for users is one that CI runs', () => {
  const pages = ['README.md', 'docs/api.md', 'docs/running.md', GUIDE];
  const inOneLine = (block: string) => block.replaceAll('\\\n', '').replace(/'[^']*'/g, "'…'");
  const lines = pages.flatMap(commandsIn).flatMap((block) => inOneLine(block).split('\n'));
  const others = lines.filter((line) => line !== '' && !/^(#|curl |npx usher )/.test(line));
  expect([...new Set(others)].sort()).toEqual([
    'DATABASE_URL=postgres://usher:password@localhost:5432/usher npm start',
    'npm ci && npm start',
    'npm ci && npm test',
  ]);
});
