import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startApi } from '../../test/api.ts';
import { runCommand } from './cli.ts';

/** Starts a server with a tour, creates a folder, and returns a function that runs commands. */
async function start() {
  const api = await startApi();
  await api.post('/v3/edit/tours', { name: 'Tour', steps: [{ title: 'Hello', dismiss_text: 'Close' }] });
  const dir = await mkdtemp(join(tmpdir(), 'usher-i18n-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const env = { USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret };
  const run = async (line: string, params: Record<string, string> = env) => {
    const output = { out: '', err: '', bar: '' };
    const to = (where: keyof typeof output) => (text: string) => {
      output[where] += text;
    };
    const code = await runCommand(['i18n', ...line.split(' ')], params, {
      print: to('out'),
      printError: to('err'),
      progress: to('bar'),
      untilStopped: async () => {},
    });
    return { code, ...output };
  };
  return { api, dir, run };
}

it('pulls a file for each language, and pushes a translated one', async () => {
  const { api, dir, run } = await start();
  await api.post('/v3/edit/languages', { code: 'de' });
  const pulled = await run(`pull --dir ${dir}`);
  expect(pulled).toMatchObject({
    code: 0,
    err: '',
    out: `${dir}/experiences.default.yaml\n${dir}/experiences.de.yaml\n`,
    bar: expect.stringContaining('1/2 de'),
  });
  const file = join(dir, 'experiences.de.yaml');
  const text = await readFile(file, 'utf8');
  expect(text).toContain('text: "Hello" # not translated');
  await writeFile(file, text.replace('"Hello" # not translated', '"Hallo"'));
  const would = { code: 0, out: `${file}: de, 1 would be updated, 1 unchanged\n` };
  expect(await run(`push --dry-run ${file}`)).toMatchObject(would);
  expect(await run(`push --dry-run ${file}`)).toMatchObject(would);
  expect(await run(`push ${file}`)).toMatchObject({ code: 0, out: `${file}: de, 1 updated, 1 unchanged\n` });
  expect(await run('status')).toMatchObject({ code: 0, out: 'de            50 %   1 of 2 texts\n' });
  expect(await run('status --min 50')).toMatchObject({ code: 0 });
  expect(await run('status --min 51')).toMatchObject({ code: 1, err: 'usher: below 51 %: de\n' });
});

it('pulls one kind, one language and one format', async () => {
  const { dir, run } = await start();
  const { code, out } = await run(`pull --kind tours --language pt-BR --format json --dir ${dir}`);
  expect([code, out]).toEqual([0, `${dir}/tours.pt-BR.json\n`]);
  expect(JSON.parse(await readFile(join(dir, 'tours.pt-BR.json'), 'utf8')).language.code).toBe('pt-BR');
});

it('prints the errors of each file, and applies the other files', async () => {
  const { dir, run } = await start();
  await run(`pull --dir ${dir}`);
  const bad = join(dir, 'bad.yaml');
  await writeFile(bad, 'id: *a\n');
  const { code, out, err } = await run(`push ${bad} ${dir}/experiences.default.yaml ${dir}/missing.yaml`);
  expect(code).toBe(1);
  expect(out).toContain(`${bad}: not applied\n  bad.yaml: The file has an alias`);
  expect(out).toContain('experiences.default.yaml: default, 0 updated, 2 unchanged\n');
  expect(out).toContain('missing.yaml: not applied\n  ENOENT');
  expect(err).toBe('usher: 2 of 3 files could not be applied\n');
  const dry = await run(`push --dry-run ${bad}`);
  expect(dry).toMatchObject({ code: 1, err: 'usher: 1 of 1 files have errors\n' });
  expect(dry.out).toContain(`${bad}: has errors\n  bad.yaml: The file has an alias`);
});

it('prints an error for missing options, wrong secrets and unreachable servers', async () => {
  const { api, run } = await start();
  const env = { USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret };
  expect(await run('status', {})).toMatchObject({ code: 2, err: expect.stringContaining('give --url') });
  expect(await run('status', { USHER_URL: api.url })).toMatchObject({
    code: 2,
    err: expect.stringContaining('ACCOUNT_SECRET'),
  });
  expect(await run('status', { ...env, ACCOUNT_SECRET: 'wrong' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('secret'),
  });
  expect(await run('status', { ...env, USHER_URL: 'http://127.0.0.1:9' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('http://127.0.0.1:9 cannot be reached'),
  });
  expect(await run('status')).toMatchObject({ code: 0, out: 'There is no language besides the default one.\n' });
  expect(await run('status --language fr')).toMatchObject({ code: 1, err: expect.stringContaining('fr') });
  for (const line of [
    'pull',
    'push',
    'status --min many',
    'pull --dir x --kind tour',
    'pull --dir x --format xml',
    'move',
  ])
    expect(await run(line)).toMatchObject({ code: 2 });
});
