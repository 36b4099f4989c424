import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { png } from '../../../domain/test/pictures.ts';
import { type Api, startApi } from '../../test/api.ts';
import { pictureForm } from '../../test/picture-form.ts';
import { runCommand } from './cli.ts';

type Account = Api['account'];
const pictureFiles = [png(8, 5), png(16, 10)];

/** Starts a server, and returns functions that run commands in a folder, for one of its accounts. */
async function start() {
  const api = await startApi();
  const folder = await mkdtemp(join(tmpdir(), 'usher-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = async (line: string, account: Account = api.account, dir = 'a') => {
    const output = { out: '', err: '' };
    const env = { USHER_URL: api.url, ACCOUNT_SECRET: account.account_secret };
    const code = await runCommand([...line.split(' '), '--dir', join(folder, dir)], env, {
      print: (text) => {
        output.out += text;
      },
      printError: (text) => {
        output.err += text;
      },
      untilStopped: async () => {},
    });
    return { code, ...output };
  };
  const pathOf = (file: string, dir = 'a') => join(folder, dir, file);
  const edit = async (file: string, change: (text: string) => string) => {
    await mkdir(join(pathOf(file), '..'), { recursive: true });
    const text = await readFile(pathOf(file), 'utf8').catch(() => '');
    await writeFile(pathOf(file), change(text));
  };
  return { api, run, edit, pathOf, folder };
}

async function create(api: Api, path: string, params: object) {
  const { status, body } = await api.post(`/v3/edit/${path}`, params);
  expect([status, body.messages]).toEqual([201, undefined]);
  return Object.values(body)[0] as { id: string; steps: { id: string; buttons: { id: string }[] }[]; path: string };
}

/** Creates records of every type. They name each other in every way. */
async function createAll(api: Api) {
  const picture = (await api.send('POST', '/v3/edit/pictures', { body: pictureForm(...pictureFiles) })).body.picture;
  const tag = await create(api, 'tags', { name: 'VIP Users', description: 'Ours' });
  const group = await create(api, 'url_groups', {
    name: 'Staging',
    short_name: 'STG',
    style_short_name_color: '1e90ff',
  });
  const pro = await create(api, 'segments', { name: 'Pro', items: [{ prop: 'plan', op: 'in', value: ['pro', 'no'] }] });
  const inPro = [{ kind: 'segment', op: 'ex', value: pro.id }];
  const theme = await create(api, 'themes', {
    ...{ name: 'Brand', style_radius: 4, style_color_text: '112233', default: true },
    variations: [{ name: 'Pro', filters: inPro, overrides: { style_radius: '8' } }],
  });
  const survey = await create(api, 'surveys', {
    name: 'NPS: how was it?',
    steps: [
      { preset: 'survey_nps', title: 'How likely?', label_low: 'no', label_high: 'null' },
      { preset: 'survey_dropdown', title: 'Which?', dropdown_items: ['One', 'Two #2', 'yes'], other_text: '~' },
    ],
  });
  const tour = await create(api, 'tours', {
    ...{ name: 'Welcome', theme_id: theme.id, segment_ids: [pro.id], tag_ids: [tag.id], url_group_ids: [group.id] },
    ...{ goal: 'signed_up', position: 3, experiment_range: '0-50', rate_unlimit_at: '2029-04-07' },
    steps: [
      {
        ...{
          title: 'Hello {{first_name}}',
          body: `One\n\n- **two**: a # b\n![x](${picture.path})\n\n`,
          picture: picture.path,
        },
        ...{ elements: [{ selector: '#a', text: 'Save' }], quantifier_urls: [{ url: '/x/*', match_type: 'exact' }] },
        buttons: [
          { text: 'Next', tour_action: 'next' },
          { text: 'Next', additional_actions: ['survey'], action_campaign_id: survey.id },
        ],
      },
      { title: 'Hello', body: ' "quoted": \'it\'\\ \t👋' },
    ],
  });
  await api.post('/v3/edit/languages', { code: 'de' });
  const [step] = tour.steps;
  await api.patch(`/v3/edit/tours/${tour.id}/translations`, {
    language: 'de',
    texts: [
      { model_id: step?.id, field: 'title', text: 'Hallo {{first_name}}' },
      { model_id: step?.buttons[0]?.id, field: 'text', text: 'Weiter' },
    ],
  });
  const saw = await create(api, 'segments', {
    name: 'Saw it',
    items: [
      { kind: 'tour', op: 'ex', value: tour.id, range: 'completed' },
      { kind: 'group', filters: inPro },
    ],
    items_op: 'or',
  });
  await create(api, 'launchers', {
    ...{ name: 'Help', title: 'Help', list_type: 'checklist', empty_state_content: 'Done' },
    items: [{ kind: 'tour', title: 'Tour', campaign_id: tour.id, segment_id: saw.id }, { kind: 'divider' }],
  });
  await create(api, 'tooltips', { name: 'Tip', steps: [{ title: 'Tip', elements: [{ selector: '.x' }] }] });
  await create(api, 'embeds', { name: 'Banner', style: 'banner', dismissible: false, steps: [{ body: 'Hi' }] });
  await create(api, 'limit_groups', { name: 'One', max_count: 1, period_hours: 24, experience_ids: [tour.id] });
  // A survey that leads back to its tour, and a second tour of the same name.
  const back = [{ buttons: [{ text: 'Tour', additional_actions: ['tour'], action_campaign_id: tour.id }] }];
  await create(api, 'surveys', { name: 'Back', steps: back });
  await create(api, 'tours', { name: 'Welcome', excluded_segment_ids: [saw.id] });
  return { tour, survey, picture };
}

/** All files of a folder but the lock file, by their names. */
async function contentOf(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map((entry) => join(entry.parentPath, entry.name)).filter((path) => !path.endsWith('usher.lock'));
  const read = await Promise.all(
    files.map(async (path) => [path.slice(dir.length + 1), await readFile(path, 'latin1')]),
  );
  return Object.fromEntries(read);
}

it('pulls everything, applies it to an empty account, and pulls the same files from there', async () => {
  const { api, run, folder } = await start();
  await createAll(api);
  expect(await run('pull')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('13 of 13 files written') });
  expect(await run('plan')).toMatchObject({ code: 0, out: 'Nothing to change in 13 files\n' });
  const first = await contentOf(join(folder, 'a'));
  expect(Object.keys(first).filter((name) => name.endsWith('.yaml'))).toHaveLength(13);
  expect(Object.keys(first).filter((name) => name.startsWith('pictures/'))).toHaveLength(pictureFiles.length);
  expect(first['tours/welcome.yaml']).not.toMatch(/[0-9a-f]{24}/);
  expect(await run('plan', api.other)).toMatchObject({ code: 2, err: '', out: expect.stringContaining('13 new') });
  expect(await run('apply', api.other)).toMatchObject({ code: 0, err: '' });
  expect(await run('plan', api.other)).toMatchObject({ code: 0, err: '' });
  expect(await run('pull', api.other, 'b')).toMatchObject({ code: 0, err: '' });
  expect(await contentOf(join(folder, 'b'))).toEqual(first);
  expect(await run('plan')).toMatchObject({ code: 0, out: 'Nothing to change in 13 files\n' });
  // Both accounts are in the lock file.
  const { accounts } = parse(await readFile(join(folder, 'a', 'usher.lock'), 'utf8'));
  expect(Object.keys(accounts).sort()).toEqual([api.account.account_id, api.other.account_id].sort());
}, 60_000);

it('writes a JSON Schema for each folder that accepts its files', async () => {
  const { api, run, folder } = await start();
  await createAll(api);
  await run('pull');
  const files = await contentOf(join(folder, 'a'));
  const ajv = new Ajv({ strict: false });
  let checked = 0;
  for (const [name, text] of Object.entries(files)) {
    if (!name.endsWith('.yaml')) continue;
    const [, path = ''] = /\$schema=\.\.\/(\S+)/.exec(text) ?? [];
    const validate = ajv.compile(JSON.parse(files[path] ?? ''));
    validate(parse(Buffer.from(text, 'latin1').toString('utf8')));
    expect([name, validate.errors]).toEqual([name, null]);
    expect(validate({ nonsense: 1 })).toBe(false);
    checked++;
  }
  expect(checked).toBe(13);
});

it('keeps the comments and the order of a file, and the IDs of its parts', async () => {
  const { api, run, edit, pathOf } = await start();
  const { tour } = await createAll(api);
  await run('pull');
  await edit('tours/welcome.yaml', (text) =>
    text
      .replace('# yaml-language-server', '# Our first tour.\n# yaml-language-server')
      .replace('name: Welcome', "goal: signed_up # what counts\nname: 'Welcome, you'")
      .replace(/\ngoal: signed_up\n/, '\n')
      .replace('  - key: hello-2\n', '  # The end.\n  - key: hello-2\n')
      .replace('title: Hello\n', 'title: Bye # or so\n'),
  );
  const edited = await readFile(pathOf('tours/welcome.yaml'), 'utf8');
  expect((await run('apply')).err).toBe('');
  await run('pull');
  expect(await readFile(pathOf('tours/welcome.yaml'), 'utf8')).toBe(edited);
  const stored = (await api.get(`/v3/edit/tours/${tour.id}`)).body.tour;
  expect(stored).toMatchObject({ name: 'Welcome, you', steps: [{ id: tour.steps[0]?.id }, { title: 'Bye' }] });
  expect(stored.steps[1].id).toBe(tour.steps[1]?.id);
  // What is changed in the dashboard comes into the file, and everything else stays as it is written.
  await api.patch(`/v3/edit/tours/${tour.id}`, { goal: 'bought', steps: [{ id: stored.steps[1].id, title: 'End' }] });
  await run('pull');
  const pulled = await readFile(pathOf('tours/welcome.yaml'), 'utf8');
  expect(pulled).toContain("goal: bought # what counts\nname: 'Welcome, you'");
  expect(pulled).toContain('# Our first tour.');
  expect(pulled).toContain('title: End # or so');
  expect(pulled).not.toContain('key: hello\n');
});

it('prints what would change, and says by the exit code whether anything would', async () => {
  const { api, run, edit } = await start();
  await createAll(api);
  await run('pull');
  await edit('tours/welcome.yaml', (text) =>
    text.replace('name: Welcome', 'name: "Hi `there`"').replace('text: Next', 'text: On'),
  );
  await edit('segments/pro.yaml', (text) => text.replace('- pro', '- team'));
  const plan = await run('plan');
  expect(plan).toMatchObject({ code: 2, err: '' });
  expect(plan.out).toBe(
    [
      '~ segments/pro  Pro',
      '    Changed the items: plan in ["pro","no"] → plan in ["team","no"]',
      '~ tours/welcome  Hi `there`',
      '    Changed the name: "Welcome" → "Hi `there`"',
      '    Changed the text of button 1 of step 1: "Next" → "On"',
      '',
      '2 changed, 11 unchanged\n',
    ].join('\n'),
  );
  const markdown = await run('plan --markdown');
  expect(markdown.code).toBe(2);
  expect(markdown.out).toContain('**~ `tours/welcome.yaml`** Hi \\`there\\`\n\n```\nChanged the name:');
  // Nothing was stored.
  expect((await api.get('/v3/edit/tours')).body.tours[1].name).toBe('Welcome');
});

it('names the file, the line, the column and the field of every problem, and stores nothing', async () => {
  const { api, run, edit } = await start();
  await edit('tours/a.yaml', () => 'name: A\nsteps:\n  - key: one\n    title: 5\n    nonsense: 1\n  - title: No key\n');
  await edit('tours/b.yaml', () => 'name: B\nsegment_ids: [segments/none]\nkind: survey\n');
  await edit('segments/c.yaml', () => 'name: C\nitems:\n  - kind: property\n    prop: a\n    op: what\n');
  await edit('other/d.yaml', () => 'name: D\n');
  await edit('tags/fine.yaml', () => 'name: Fine\n');
  const { code, err, out } = await run('apply');
  expect([code, out]).toEqual([1, '']);
  expect(err.replace('usher: ', '').trim().split('\n').sort()).toEqual([
    expect.stringMatching(/^other\/d.yaml:1:1: The name must be a folder and a short name/),
    expect.stringMatching(/^segments\/c.yaml:5:5: `items\[0\].op` must be /),
    expect.stringMatching(/^tours\/a.yaml:4:5: `steps\[0\].title` must be /),
    'tours/a.yaml:5:5: `steps[0].nonsense` is no field of this: correct its name, or remove it',
    expect.stringMatching(/^tours\/a.yaml:6:5: `steps\[1\].key` is required/),
    expect.stringMatching(/^tours\/b.yaml:2:15: `segment_ids\[0\]` is segments\/none, but there is no such file/),
    'tours/b.yaml:3:1: `kind` must be `tour`, as the folder says',
  ]);
  expect((await api.get('/v3/edit/tags')).body.tags).toEqual([]);
  await edit('tours/a.yaml', () => 'name: &a A\nb: *a\nname: 2\nc: [\n');
  const broken = await run('plan');
  expect(broken).toMatchObject({ code: 1, out: '' });
  expect(broken.err).toMatch(/tours\/a.yaml:1:10: Anchors and aliases are not read/);
  expect(broken.err).toMatch(/tours\/a.yaml:3:1: Map keys must be unique/);
});

it('reports a file that is in no folder or has another ending, instead of leaving it out', async () => {
  const { api, run, edit } = await start();
  await edit('tags/fine.yaml', () => 'name: Fine\n');
  await edit('tags/short.yml', () => 'name: Short\n');
  await edit('welcome.yaml', () => 'name: Welcome\n');
  const { code, err } = await run('apply');
  expect(code).toBe(1);
  expect(err.match(/^(?:usher: )?\S+: A file of a record is in a folder/gm)).toHaveLength(2);
  expect((await api.get('/v3/edit/tags')).body.tags).toEqual([]);
});

it('reports a record that somebody has changed meanwhile, and overwrites nothing', async () => {
  const { api, run, edit } = await start();
  const { tour, survey } = await createAll(api);
  await run('pull');
  await api.patch(`/v3/edit/tours/${tour.id}`, { name: 'Theirs' });
  await edit('tours/welcome.yaml', (text) => text.replace('name: Welcome', 'name: Ours'));
  await edit('surveys/back.yaml', (text) => text.replace('name: Back', 'name: Changed'));
  const both = { code: 1, err: expect.stringMatching(/^usher: tours\/welcome.yaml:1:1: Somebody has changed “Ours”/) };
  expect(await run('plan')).toMatchObject(both);
  expect(await run('apply')).toMatchObject(both);
  const names = async () =>
    (await api.get('/v3/edit/experiences')).body.experiences.map(({ name }: Account & { name: string }) => name);
  expect(await names()).toEqual(expect.arrayContaining(['Theirs', 'Back']));
  // A translation counts, publishing does not.
  await api.patch(`/v3/edit/surveys/${survey.id}/translations`, {
    language: 'de',
    texts: [{ model_id: survey.steps[0]?.id, field: 'title', text: 'Wie?' }],
  });
  await edit('tours/welcome.yaml', (text) => text.replace('name: Ours', 'name: Theirs'));
  await edit('surveys/nps-how-was-it.yaml', (text) => text.replace('How likely?', 'How so?'));
  expect((await run('apply')).err).toMatch(/^usher: surveys\/nps-how-was-it.yaml:1:1: Somebody has changed/);
  await edit('surveys/nps-how-was-it.yaml', (text) => text.replace('How so?', 'How likely?'));
  await run('pull');
  await api.patch(`/v3/edit/tours/${tour.id}`, { steps: [{ title: 'Short' }] });
  await run('pull');
  await api.patch(`/v3/edit/tours/${tour.id}`, { published_at: '$now' });
  await edit('tours/welcome.yaml', (text) => text.replace('name: Theirs', 'name: Mine'));
  expect(await run('apply')).toMatchObject({ code: 0, err: '' });
  // A record that was deleted is not created again.
  await api.send('DELETE', `/v3/edit/surveys/${(await api.get('/v3/edit/surveys')).body.surveys[0].id}`);
  expect((await run('apply')).err).toMatch(/surveys\/back.yaml:1:1: Its record was deleted/);
});

it('publishes in the same transaction, also what leads to one another', async () => {
  const { api, run, edit } = await start();
  await edit(
    'tours/one.yaml',
    () =>
      'name: One\nsteps:\n  - key: a\n    title: A\n    buttons: [{key: b, text: Go, additional_actions: [tour], action_campaign_id: tours/two}]\n',
  );
  await edit(
    'tours/two.yaml',
    () =>
      'name: Two\nsteps:\n  - key: a\n    title: A\n    buttons: [{key: b, text: Go, additional_actions: [tour], action_campaign_id: tours/one}]\n',
  );
  await edit('themes/brand.yaml', () => 'name: Brand\nstyle_radius: 4\n');
  expect((await run('plan --publish')).out).toContain('3 new, 3 published, 0 unchanged');
  expect(await run('apply --publish')).toMatchObject({ code: 0, err: '' });
  const { tours } = (await api.get('/v3/edit/tours')).body;
  expect(tours.map(({ state }: { state: string }) => state)).toEqual(['live', 'live']);
  expect((await api.get('/v3/edit/themes')).body.themes[0].published_at).not.toBeNull();
  expect(await run('plan --publish')).toMatchObject({ code: 0 });
  await edit('tours/two.yaml', (text) => text.replace('title: A', 'title: New'));
  await edit('tours/three.yaml', () => 'name: Three\nsteps:\n  - key: a\n    title: "{{broken"\n');
  expect((await run('apply --publish')).code).toBe(1);
  expect((await api.get(`/v3/edit/tours/${tours[0].id}`)).body.tour.steps[0].title).toBe('A');
  const { changes } = (await api.get(`/v3/edit/tours/${tours[0].id}/changes`)).body;
  expect(new Set(changes.map(({ kind }: { kind: string }) => kind))).toEqual(new Set(['create', 'raw', 'update']));
});

it('leaves a record without a file alone, and archives it only with the option', async () => {
  const { api, run, pathOf } = await start();
  const { survey } = await createAll(api);
  await run('pull');
  await rm(pathOf('surveys/back.yaml'));
  const missing = '? surveys/back  Back (not in the folder: it stays as it is)';
  expect(await run('plan')).toMatchObject({ code: 0, out: expect.stringContaining(missing) });
  expect(await run('apply')).toMatchObject({ code: 0, out: expect.stringContaining(missing) });
  expect(await run('plan --archive-missing')).toMatchObject({
    code: 2,
    out: expect.stringContaining('- surveys/back  Back'),
  });
  expect(await run('apply --archive-missing')).toMatchObject({ code: 0 });
  const { surveys } = (await api.get('/v3/edit/surveys')).body;
  expect(
    surveys.map(({ id, archived_at }: { id: string; archived_at: string }) => [id === survey.id, archived_at === null]),
  ).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(await run('plan --archive-missing')).toMatchObject({ code: 0 });
});

it('finds records without a lock file by what was applied, and takes over others only with the option', async () => {
  const { api, run, edit, folder, pathOf } = await start();
  await create(api, 'tags', { name: 'VIP' });
  await edit('tags/vip.yaml', () => 'name: VIP\ndescription: Ours\n');
  expect((await run('apply')).err).toMatch(/There is “VIP” already, which has no file/);
  const source = '--source https://github.com/acme/app/tree/abc/usher';
  expect(await run(`apply --adopt ${source}`)).toMatchObject({ code: 0, err: '' });
  const { managed } = (await api.get('/v3/edit/files/managed')).body;
  expect(managed).toEqual([
    expect.objectContaining({ file: 'tags/vip', url: 'https://github.com/acme/app/tree/abc/usher/tags/vip.yaml' }),
  ]);
  // A pipeline checks the folder out again, with an older lock file or without one.
  await cp(pathOf('usher.lock'), join(folder, 'old.lock'));
  for (const name of ['Very', 'Very very']) {
    await edit('tags/vip.yaml', () => `name: ${name}\nuid: vip\n`);
    expect(await run('apply --source https://github.com/acme/app/tree/def/usher')).toMatchObject({ code: 0, err: '' });
    await rm(pathOf('usher.lock'));
  }
  await cp(join(folder, 'old.lock'), pathOf('usher.lock'));
  await edit('tags/vip.yaml', () => 'name: Last\nuid: vip\n');
  expect((await run('apply')).err).toMatch(/Somebody has changed “Last”/);
  expect(await run('apply --source https://github.com/acme/app/tree/123/usher')).toMatchObject({ code: 0, err: '' });
  expect((await api.get('/v3/edit/tags')).body.tags).toMatchObject([{ name: 'Last', uid: 'vip', description: null }]);
});

it('keeps the rules of roles', async () => {
  const { api, run, edit } = await start();
  const secretOf = async (scope: string) =>
    (await api.post('/v3/edit/secrets', { name: scope, scope })).body.secret.secret as string;
  const [read, editor] = [await secretOf('read'), await secretOf('edit')];
  await edit('themes/a.yaml', () => 'name: A\ncss: ".title { color: red }"\n');
  expect(await run(`plan --secret ${read}`)).toMatchObject({ code: 1, out: '' });
  expect((await run(`apply --secret ${editor}`)).err).toMatch(
    /themes\/a.yaml:2:1: Only owners may write the `css`|themes\/a.yaml:1:1: Only owners/,
  );
  expect(await run(`pull --secret ${read}`, api.account, 'b')).toMatchObject({ code: 0 });
  expect(await run('apply')).toMatchObject({ code: 0, err: '' });
});

it('says what is wrong with its options, and never with the exit code of a difference', async () => {
  const { run, edit } = await start();
  expect(await run('plan --to nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('give --to') });
  expect(await run('pull --from nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('give --from') });
  expect(await run('plan --what')).toMatchObject({ code: 1 });
  expect(await run('plan')).toMatchObject({ code: 1, err: expect.stringContaining('there is no folder') });
  await edit('tours/a.yaml', () => `name: A\nsteps: [{key: a, body: "${'x'.repeat(11_000_000)}"}]\n`);
  expect((await run('plan')).err).toContain('the folder has 11 MB without pictures, and a server takes 10 MB');
});

it.each(['github-actions', 'gitlab-ci'])('the example for %s is valid, and its commands are', async (name) => {
  const path = new URL(`../../../examples/as-code/${name}.yml`, import.meta.url);
  const text = await readFile(path, 'utf8');
  const pipeline = parse(text, { strict: true, merge: false });
  const jobs: Record<string, { script?: string[]; steps?: { run?: string }[] }> = pipeline.jobs ?? pipeline;
  const scripts = Object.values(jobs).flatMap(
    ({ script, steps }) => script ?? steps?.flatMap(({ run = '' }) => run) ?? [],
  );
  const commands = scripts.join('\n').match(/\b(plan|apply) --[^>\n]*/g) ?? [];
  expect(commands).toHaveLength(2);
  const { api, run, edit } = await start();
  await edit('tags/a.yaml', () => 'name: A\n');
  const codes = [];
  for (const command of commands)
    codes.push((await run(command.trim().replace('"$SOURCE"', 'https://x.test/tree/1/a'))).code);
  expect(codes).toEqual([2, 0]);
  expect((await api.get('/v3/edit/tags')).body.tags).toHaveLength(1);
  for (const script of scripts)
    expect(spawnSync('bash', ['-n'], { input: script.replace(/\$\{\{.*?\}\}/g, 'x') }).status).toBe(0);
});

it('writes and reads nothing outside of the folder', async () => {
  const { api, run, pathOf, folder } = await start();
  const { id } = await create(api, 'tours', { name: 'Hello' });
  const lock = (file: string) =>
    `accounts: {${api.account.account_id}: {"${file}": {id: "${id}", version: "${'a'.repeat(24)}", parts: {}}}}`;
  await mkdir(pathOf(''), { recursive: true });
  // Somebody has changed the lock file in a pull request.
  await writeFile(pathOf('usher.lock'), lock('tours/../../stolen'));
  expect(await run('pull')).toMatchObject({ code: 0, err: '' });
  expect(await readdir(folder)).toEqual(['a']);
  expect(await readdir(pathOf('tours'))).toEqual(['hello.yaml']);

  const secret = join(folder, 'secret.yaml');
  await writeFile(secret, 'name: Secret\n');
  await rm(pathOf('tours/hello.yaml'));
  await symlink(secret, pathOf('tours/hello.yaml'));
  for (const command of ['pull', 'plan'])
    expect(await run(command)).toMatchObject({ code: 1, err: expect.stringContaining('link') });
  await rm(pathOf('tours'), { recursive: true });
  await mkdir(join(folder, 'elsewhere'));
  await symlink(join(folder, 'elsewhere'), pathOf('tours'));
  expect(await run('pull')).toMatchObject({ code: 1, err: expect.stringContaining('link') });
  expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  expect(await readFile(secret, 'utf8')).toBe('name: Secret\n');
});

it('does not follow a redirect with the secret', async () => {
  const { run } = await start();
  const seen: (string | undefined)[] = [];
  const other = createServer(({ headers }, response) => {
    seen.push(String(headers['x-account-secret']));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  const target = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  const first = createServer((_, response) => response.writeHead(307, { location: target() }).end()).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void [first, other].map((one) => one.close()));
  await Promise.all([first, other].map((one) => once(one, 'listening')));
  const from = `http://127.0.0.1:${(first.address() as AddressInfo).port}`;
  expect(await run(`pull --from ${from}`)).toMatchObject({ code: 1, err: expect.stringContaining('redirects to') });
  expect(seen).toEqual([]);
});
