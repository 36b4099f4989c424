import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactExperience } from '@usher/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileParser } from './parse-file.ts';
import { type ParsedFile, readLayout } from './read-layout.ts';
import { writers } from './write-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'usher-layout-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(folder, 'file.yaml');
  await writeFile(path, content);
  return path;
}

/** A file as a download writes it. */
function fileOf(texts: readonly string[]): string {
  const { head, experience, end } = writers.yaml;
  const experiences = texts.map((text, at) => {
    const step = (n: number) => ({ id: `s${at}x${n}`, texts: textsOf(text, n) });
    return experience({ id: `e${at}`, name: 'Ä "tour": 1', steps: [step(0), step(1)] }, at === 0);
  });
  return head({ id: 'a1', code: 'pt-BR', options: ['default', 'pt-BR'] }) + experiences.join('') + end(false);
}

function textsOf(text: string, n: number) {
  return [
    { key: 'title', text, missing: n === 1 },
    { key: 'buttons:b1:text', text: `${text}\nand more\n`, missing: false },
  ];
}

const stepsOf = ({ experiences }: ParsedFile) =>
  experiences.map((one) => (one instanceof CompactExperience ? [one.id, ...one.steps()] : one));

describe('a file in the layout of a download', () => {
  it('gives the same result as the thread for every chunk size', async () => {
    // Chunks have an odd number of bytes, so that they end within characters, texts and IDs.
    const text = fileOf(Array.from({ length: 400 }, (_, at) => `${'ä€😀'.repeat(20)}${'x'.repeat(at % 7)}`));
    const here = await readLayout(await fileWith(text));
    const parser = new FileParser();
    const there = await parser.parse(await fileWith(`# another layout\n${text}`));
    await parser.stop();
    expect(Buffer.byteLength(text)).toBeGreaterThan(3 * 64 * 1024);
    expect(here?.root).toEqual((there as ParsedFile).root);
    expect(here?.experiences).toHaveLength(400);
    expect(stepsOf(here as ParsedFile)).toEqual(stepsOf(there as ParsedFile));
  });

  it('accepts a text with many blank lines', async () => {
    const text = `one${'\n'.repeat(2000)}two`;
    const read = await readLayout(await fileWith(fileOf([text])));
    expect(stepsOf(read as ParsedFile)[0]).toContainEqual([
      's0x0',
      'title',
      text,
      'buttons:b1:text',
      `${text}\nand more\n`,
    ]);
  });

  const good = fileOf(['one', 'two']);
  const others = {
    'nothing in it': '',
    'a text that may be no UTF-8': good.replace('two', 'two\ufffd'),
    'bytes that are no UTF-8': Buffer.from(good.replace('two', 'twoÿ'), 'latin1'),
    'a mark at its beginning': `\ufeff${good}`,
    'other ends of lines': good.replaceAll('\n', '\r\n'),
    'a key after its Experiences': `${good}more: 1\n`,
    'a text without quotes': good.replace('"two"', 'two'),
    'no Experiences': good.slice(0, good.indexOf('\n  - id: ')),
    'an Experience cut off': good.slice(0, good.lastIndexOf('text: ')),
    'an Experience of more than a megabyte': fileOf(['one']).replace('steps:\n', `steps:\n${'\n'.repeat(2 ** 20)}`),
  };
  for (const [what, content] of Object.entries(others))
    it(`is rejected with ${what}`, async () => {
      expect(await readLayout(await fileWith(content))).toBeUndefined();
    });
});
