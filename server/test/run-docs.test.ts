import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Running, serve } from '../src/serve.ts';
import { readSettings } from '../src/settings/settings.ts';
import { startApi } from './api.ts';
import {
  commandsIn,
  type Example,
  exampleApps,
  examplesIn,
  guide,
  type Language,
  languages,
  patternOf,
  root,
} from './docs-examples.ts';
import { createTestDatabase, type TestDatabase } from './engine.ts';

const run = promisify(execFile);

const exampleReadmes = exampleApps.map((name) => `examples/${name}/README.md`);

it.each(['docs/api.md', 'docs/guides/analytics.md', 'docs/guides/assistants.md', ...exampleReadmes])(
  'runs the curl commands of %s without changes',
  async (page) => {
    const { url, account, get, post } = await startApi();
    await post('/v3/observe/hooks/profiles', { uid: 'ann' });
    await post('/v3/observe/hooks/events', { uid: 'ann', name: 'Report created' });
    const [{ id: EVENT_NAME_ID }] = (await get('/v3/edit/event_names')).body.event_names;
    const blocks = commandsIn(page).filter((block) => block.includes('curl '));
    expect(blocks.length).toBeGreaterThan(0);
    const env = { ...process.env, USHER_URL: url, ACCOUNT_SECRET: account.account_secret, EVENT_NAME_ID };
    for (const block of blocks) {
      const { stdout } = await run('bash', ['-ec', block], {
        env,
        cwd: page.startsWith('docs/') ? root : dirname(`${root}/${page}`),
      });
      expect(stdout).toMatch(/^\{/);
      expect(stdout).not.toContain('"code"');
    }
  },
);

it('runs the usher commands of docs/running.md without changes', async () => {
  const database = await createTestDatabase();
  const blocks = commandsIn('docs/running.md').filter((block) => block.includes('npx usher '));
  expect(blocks.length).toBeGreaterThan(0);
  try {
    for (const block of blocks) {
      const { stdout } = await run('bash', ['-ec', block], { cwd: root, env: { ...process.env, ...database.env } });
      expect(stdout).toMatch(/account_id|compacted/);
    }
  } finally {
    await database.remove();
  }
});

it('runs the usher commands of the guide to a move without changes', async () => {
  const source = await startApi();
  await source.post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const target = await startApi({ env: { USHER_SCRIPT_ALIAS: 'guide:/guide/:token.js' } });
  const { account_secret: ACCOUNT_SECRET, account_token: ACCOUNT_TOKEN } = target.account;
  const env = {
    ...{ ...process.env, ...target.database.env, SOURCE_URL: source.url, SOURCE_SECRET: source.account.account_secret },
    ...{ USHER_URL: target.url, ACCOUNT_SECRET, ACCOUNT_TOKEN },
  };
  await target.app.storage.write(null, async (db) => {
    const id = target.other.account_id;
    await db.deleteFrom('secrets').where('account_id', '=', id).execute();
    await db.deleteFrom('admins').where('account_id', '=', id).execute();
    await db.deleteFrom('accounts').where('id', '=', id).execute();
  });
  const blocks = commandsIn('docs/guides/move-from-another-service.md');
  expect(blocks).toHaveLength(6);
  const printed: string[] = [];
  for (const block of blocks) printed.push((await run('bash', ['-ec', block], { cwd: root, env })).stdout);
  expect(printed[0]).toContain('Everything can be imported as it is.');
  for (const text of printed.slice(1, 3)) expect(text).toMatch(/Experiences +1\n/);
  expect(printed[3]).toContain('Released');
  expect(printed.slice(4)).toEqual(['200', 'true\n']);
});

it('runs the usher commands of the guide to Experiences as code without changes', { timeout: 120_000 }, async () => {
  const { url, account, other, post, get } = await startApi();
  await post('/v3/edit/tours', { name: 'Welcome', steps: [{ title: 'Hello' }] });
  const folder = await mkdtemp(join(tmpdir(), 'usher-code-'));
  try {
    // A product that has Usher as a dependency.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const secrets = { ACCOUNT_SECRET: account.account_secret, PRODUCTION_SECRET: other.account_secret };
    const env = { ...process.env, ...secrets, USHER_URL: url };
    const guide = 'docs/guides/experiences-as-code.md';
    const blocks = commandsIn(guide);
    expect(blocks).toHaveLength(5);
    const printed: string[] = [];
    for (const block of blocks) printed.push((await run('bash', ['-ec', block], { cwd: folder, env })).stdout);
    expect(printed[0]).toContain('tours/welcome.yaml');
    expect(printed.slice(1, 3)).toEqual(['Nothing to change in 1 file\n', 'Nothing to change in 1 file\n']);
    expect(printed[3]).toContain('1 new, 1 published');
    expect(printed[4]).toContain('### Usher');
    expect((await get('/v3/edit/tours', { as: other })).body.tours).toMatchObject([{ name: 'Welcome', state: 'live' }]);
    // Its files, in the folders that it names.
    const files = [...readFileSync(join(root, guide), 'utf8').matchAll(/^```yaml\n(.*?)^```$/gms)].map(
      ([, text = '']) => text,
    );
    const names = ['tours/hello', 'segments/pro', 'themes/brand', 'tours/login'];
    expect(files).toHaveLength(names.length);
    for (const name of ['pictures', 'segments', 'themes']) await mkdir(join(folder, 'usher', name));
    for (const [at, name] of names.entries())
      await writeFile(join(folder, 'usher', `${name}.yaml`), (files[at] ?? '').replace('name: Welcome', 'name: Hello'));
    await copyFile(join(root, 'docs/pictures/tour.png'), join(folder, 'usher/pictures/login.webp'));
    const applied = await run('bash', ['-ec', 'npx usher apply --publish'], { cwd: folder, env });
    expect(applied.stdout).toContain('4 new, 4 published, 1 unchanged');
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** CI must have all four languages installed; other machines need not. */
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
    for (const [filter, about] of [
      [{ kind: '' }, 'kind'] as const,
      [{ kind: 'property', prop: 'plan' }, 'op'] as const,
    ]) {
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
  // The commands in these guides start Node several times, which takes long on a busy machine.
  90_000,
);

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

  /** The code that is added to each example to print a hash. */
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
