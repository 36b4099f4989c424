import fc from 'fast-check';
import { parseEvents } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../../../test/api.ts';
import { readFile, writeFile } from './yaml-file.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
beforeEach(() => api.replaceAccounts());
afterAll(() => api.stop());

interface Shown {
  file: string;
  id: string;
  version: string;
  parts: Record<string, string>;
  content: Record<string, unknown>;
}

const showFiles = async (): Promise<Shown[]> => (await api.get('/v3/edit/files')).body.files;
const apply = (records: object[], options: object = {}) => api.post('/v3/edit/apply', { records, ...options });
const upload = (text: string, id?: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), 'mine.yaml');
  return api.send('POST', id ? `/v3/edit/tours/${id}/file` : '/v3/edit/files/upload', { body: form });
};

describe('POST /v3/edit/apply', () => {
  it('says what is wrong with the request', async () => {
    expect((await apply([])).body).toMatchObject({
      code: 422,
      messages: [expect.stringContaining('`records` is required')],
    });
    const form = new FormData();
    form.append('file', new Blob(['{']), 'records.json');
    expect((await api.send('POST', '/v3/edit/apply', { body: form })).status).toBe(422);
    const twice = [1, 2].map(() => ({ file: 'tags/a', content: { name: 'A' } }));
    expect((await apply(twice)).status).toBe(409);
    const other = { file: 'tags/a', id: api.other.account_id, content: { name: 'A' } };
    expect((await apply([other])).body.messages).toEqual([expect.stringContaining('Its record was deleted')]);
    expect(await showFiles()).toEqual([]);
  });

  it('does not overwrite what another repository has applied under the same name', async () => {
    const applyFrom = (source: string | null, name: string) =>
      apply([{ file: 'tours/shared', content: { name } }], { source });
    expect((await applyFrom('https://git.example/one', 'From one')).status).toBe(200);
    for (const source of ['https://git.example/two', null]) {
      const { status, body } = await applyFrom(source, 'From two');
      expect([status, body.messages]).toEqual([
        409,
        [expect.stringContaining('Somebody has changed “From two” since')],
      ]);
    }
    expect((await applyFrom('https://git.example/one/tree/abc/usher', 'From one again')).status).toBe(200);
  });

  it('lists a thousand problems of a folder with more, and takes 5,000 files', async () => {
    const send = async (records: object[]) => {
      const form = new FormData();
      form.append('file', new Blob([JSON.stringify({ records })]), 'records.json');
      return api.send('POST', '/v3/edit/apply', { body: form });
    };
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ file: `x/${at}`, content: {} }));
    expect((await send(many(200_000))).body.messages).toEqual(['`records` holds 200000: 5000 at most']);
    expect((await send(many(5000))).body.messages).toHaveLength(1000);
  });

  it('shows no file under a name that leads out of the folder', async () => {
    const { tour } = (await api.post('/v3/edit/tours', { name: 'Mine' })).body;
    for (const file of ['tours/../../.github/workflows/ci', 'tours/..', 'tours/A', '../tours/a'])
      expect((await api.post('/v3/edit/files', { known: [{ id: tour.id, file }] })).body.files[0].file).toBe(
        'tours/mine',
      );
  });

  it('creates nothing in a dry run', async () => {
    const records = [{ file: 'tours/a', content: { name: 'A', steps: [{ key: 'x', title: 'X' }] } }];
    const { body } = await apply(records, { dry_run: true });
    expect(body.records).toMatchObject([{ file: 'tours/a', action: 'create', summary: { kind: 'create' } }]);
    expect(await showFiles()).toEqual([]);
    expect((await api.get('/v3/edit/changes')).body.changes).toEqual([]);
  });

  it('records a Change for what it creates and for what it changes', async () => {
    const store = async (title: string, seen: object = {}): Promise<Shown> => {
      const content = { name: 'A', steps: [{ key: 'x', title }] };
      return (await apply([{ file: 'tours/changes', ...seen, content }])).body.records[0];
    };
    const { id, version, parts } = await store('Before');
    await store('After', { id, version, parts });
    const { changes } = (await api.get(`/v3/edit/tours/${id}/changes`)).body;
    const steps = changes.filter(({ model_type }: { model_type: string }) => model_type === 'Step');
    expect(steps).toHaveLength(2);
    expect(JSON.stringify(steps)).toMatch(/Before.*After/);
  });

  it('stores 500 Experiences in one request', async () => {
    const records = Array.from({ length: 500 }, (_, at) => ({
      file: `tours/tour-${at}`,
      content: {
        name: `Tour ${at}`,
        steps: Array.from({ length: 4 }, (_, step) => ({
          ...{ key: `s${step}`, title: 'Step', body: 'Text. '.repeat(50) },
          buttons: [{ key: 'next', text: 'Next', tour_action: 'next', translations: { de: { text: 'Weiter' } } }],
        })),
      },
    }));
    const form = new FormData();
    form.append('file', new Blob([JSON.stringify({ records })]), 'records.json');
    const { status, body } = await api.send('POST', '/v3/edit/apply', { body: form });
    expect([status, body.messages]).toEqual([200, undefined]);
    expect(await showFiles()).toHaveLength(500);
  }, 120_000);
});

describe('an Experience as a file', () => {
  it('is downloaded, and replaces the draft when it is uploaded again', async () => {
    const params = { name: 'Hello there', steps: [{ title: 'One' }, { title: 'Two' }] };
    const { tour } = (await api.post('/v3/edit/tours', params)).body;
    const { text, headers } = await api.get(`/v3/edit/tours/${tour.id}/file`);
    expect(headers.get('content-disposition')).toContain('hello-there.yaml');
    expect(text).toContain('kind: tour\nname: Hello there\n');
    const replaced = await upload(text.replace('title: Two', 'title: Three'), tour.id);
    expect(replaced.body.experience).toMatchObject({
      id: tour.id,
      steps: [{ id: tour.steps[0].id }, { title: 'Three' }],
    });
    const created = await upload(text);
    expect(created.body.experience).toMatchObject({ name: 'Hello there', steps: [{ title: 'One' }, { title: 'Two' }] });
    expect(created.body.experience.id).not.toBe(tour.id);
    // It is no folder, so nothing is managed by it.
    expect((await api.get('/v3/edit/files/managed')).body.managed).toEqual([]);
  });

  it('is rejected with the place of each problem', async () => {
    expect((await upload('kind: tour\nname: A\nwhat: 1\n')).body.messages).toEqual([
      'mine.yaml:3:1: `what` is no field of this: correct its name, or remove it',
    ]);
    expect((await upload('name: A\n')).body.messages).toEqual([expect.stringContaining('`kind` must be one of tour')]);
    expect((await upload('a: [\n')).status).toBe(422);
    expect((await upload('kind: tour\nname: A\n"name": B\n')).body.messages).toEqual([
      'mine.yaml:3:1: Map keys must be unique',
    ]);
    expect(await showFiles()).toEqual([]);
  });

  it('is rejected within seconds when its file was made to take long', async () => {
    const started = performance.now();
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1`).join('\n');
    const files = ['['.repeat(200_000), '{'.repeat(200_000), '? '.repeat(100_000), '- '.repeat(100_000)];
    files.push(
      keys(14_000),
      keys(25_000),
      '# a\n'.repeat(60_000),
      `a: [${'{},'.repeat(80_000)}]`,
      ': : :\n'.repeat(29_000),
    );
    for (const text of [...files, 'x'.repeat(300_000)])
      expect([text.slice(0, 20), (await upload(text)).status]).toEqual([text.slice(0, 20), 422]);
    // One of these took 12 seconds, others did not end.
    expect(performance.now() - started).toBeLessThan(60_000);
    expect(await showFiles()).toEqual([]);
  }, 120_000);
});

it('survives a thousand random edits: what is applied is shown, and what is written is read', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      'no',
      'null',
      '~',
      '1e3',
      '0x1F',
      '- a',
      'a: b',
      '# c',
      '"',
      "'",
      '|',
      ' a',
      'a ',
      'a\n\n b\n',
      '2029-01-01',
    ),
  );
  const shown = text.filter((one) => one.trim() !== '' && !/[{}\0]/.test(one));
  const part = fc.record(
    {
      title: shown,
      body: shown,
      dismiss_text: shown,
      trigger_delay: fc.integer({ min: 0, max: 99 }),
      backdrop: fc.boolean(),
    },
    { requiredKeys: ['title'] },
  );
  const edit = fc.record(
    {
      name: shown,
      goal: fc.stringMatching(/^[a-z]{1,9}$/),
      position: fc.integer({ min: 0, max: 9 }),
      steps: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), part), { maxLength: 5 }),
      de: shown,
    },
    { requiredKeys: ['name', 'steps'] },
  );
  let files = new Map<string, { text: string; seen: Omit<Shown, 'content'> | undefined }>();
  let edits = 0;
  const batch = fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three', 'four'), edit), {
    minLength: 10,
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(batch, async (changes) => {
      for (const [key, { steps, de, ...fields }] of changes) {
        edits++;
        const parts = new Map(steps.map(([name, one]) => [name, { key: name, ...one }]));
        const list = [...parts.values()].map((one) => ({ ...one, ...(de && { translations: { de: { title: de } } }) }));
        const content = { kind: 'tour', ...fields, ...(list.length > 0 && { steps: list }) };
        const file = `tours/${key}`;
        const before = files.get(file);
        const written = writeFile(content, '# head', before?.text);
        const read = readFile(written);
        expect([read.problems, read.content]).toEqual([[], content]);
        expect(() => parseEvents(written, {})).not.toThrow();
        // A file that did not change is not written again.
        expect(writeFile(content, '# other', written)).toBe(written);
        files.set(file, { text: written, seen: before?.seen });
      }
      const records = [...files].map(([file, { text, seen }]) => ({ file, ...seen, content: readFile(text).content }));
      const { status, body } = await apply(records);
      expect([status, body.messages]).toEqual([200, undefined]);
      const now = await showFiles();
      const next: typeof files = new Map();
      for (const { content, ...seen } of now) {
        const { text = '' } = files.get(seen.file) ?? {};
        const isInitial = ([name, value]: [string, unknown]) => name === 'position' && value === 0;
        const wanted = readFile(text).content;
        expect(content).toEqual(
          withoutInitial(Object.fromEntries(Object.entries(wanted).filter((one) => !isInitial(one)))),
        );
        next.set(seen.file, { text: writeFile(content, '# head', text), seen });
      }
      expect(next.size).toBe(files.size);
      files = next;
    }),
    { numRuns: 100, endOnFailure: true },
  );
  expect(edits).toBeGreaterThanOrEqual(1000);
}, 300_000);

/** Files have no fields with their initial value. */
function withoutInitial(content: Record<string, unknown>): object {
  const { steps, ...fields } = content;
  if (!Array.isArray(steps)) return fields;
  return {
    ...fields,
    steps: steps.map(({ backdrop, ...step }) => ({ ...step, ...(backdrop && { backdrop }) })),
  };
}

describe('the answers of a question', () => {
  const question = {
    kind: 'multiple',
    options: [
      { id: 'cheap', text: 'It is cheap' },
      { id: 'fast', text: 'It is fast' },
    ],
    other_text: 'Something else',
  };

  it('are in the file with the IDs of their author, and come back as they were', async () => {
    const steps = [{ title: 'Why?', question, next: [{ when: null, go: 'end' }] }];
    const { body } = await api.post('/v3/edit/surveys', { name: 'Asks', steps });
    const [file] = await showFiles();
    expect(file?.content.steps).toMatchObject([{ title: 'Why?', question }]);
    expect((await api.get(`/v3/edit/surveys/${body.survey.id}/file`)).status).toBe(200);
    await api.replaceAccounts();
    expect((await apply([{ file: 'surveys/asks', content: file?.content ?? {} }])).status).toBe(200);
    const [again] = await showFiles();
    expect(again?.content).toEqual(file?.content);
  });
});
