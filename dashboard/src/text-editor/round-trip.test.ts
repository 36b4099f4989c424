import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Node } from 'prosemirror-model';
import { EditorState } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../domain/test/random-runs.ts';
import { parseDocument } from './parse-text.ts';
import { schema } from './schema.ts';
import { serializeDocument } from './serialize-text.ts';
import { isEmpty, signatureOf } from './signature.ts';

const root = join(import.meta.dirname, '../../..');
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file) && !/node_modules|dist\//.test(file))
    .map((file) => join(root, folder, file));

/** Every text of a Markdown field that is written in the sources, the tests and the examples, and every page of the docs. */
function listTexts(): string[] {
  const sources = ['domain', 'server', 'script', 'dashboard', 'examples', 'bench', 'reliability'];
  const texts = new Set(filesIn('docs', /\.md$/).map((file) => readFileSync(file, 'utf8')));
  const literal = /(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\$])*`)/g;
  for (const file of sources.flatMap((folder) => filesIn(folder, /\.(ts|tsx|mjs|json|yaml)$/))) {
    const content = readFileSync(file, 'utf8');
    const isAboutMarkdown = /markdown|rich-text|xss/.test(file);
    const fields = isAboutMarkdown ? [content] : content.match(/(?:body|description|empty_state_content)['"]?: .*/g);
    for (const field of fields ?? []) for (const [found] of field.matchAll(literal)) texts.add(readLiteral(found));
  }
  return [...texts];
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', 0: '\0' };
function readLiteral(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\\u\{?([0-9a-f]{4})\}?/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\([\s\S])/g, (_, sign) => escapes[sign] ?? sign);
}

const piece = fc.constantFrom(
  ...[
    'a',
    'b ',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```',
    '~~~',
    '[',
    ']',
    '](b)',
    '![',
    '(',
    ')',
  ],
  ...[
    '<',
    '>',
    '> ',
    '- ',
    '+ ',
    '1. ',
    '2) ',
    '    ',
    '#',
    '## ',
    '\\',
    '---',
    '***',
    '{{a}}',
    '{{a | fallback: "b"}}',
    "{{a fallback='\"b\\\\'}}",
    '{{time_ago a in="weeks"}}',
    '{{global "a.b" fallback="c"}}',
    '{{if {time_ago a in="days"} > 1 && !(b || c)}}',
    '\\{{',
  ],
  ...[
    '{{#if a}}',
    '{{else}}',
    '{{/if}}',
    '"',
    '!',
    'https://c.d',
    '<https://c.d>',
    'é',
    '\u202e',
    '\u05d0',
    '\ud83d\ude00',
    '\ufdd0',
  ],
);
const nearlyMarkdown = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''));
const blocks = fc.constantFrom(
  ...[
    'Hello *there*',
    'A __bold__ word',
    '* one\n* two',
    '1) a\n2) b',
    '# Title #',
    '```js\ncode\n```',
    '> quote\nmore',
    '***',
  ],
  ...[
    '{{#if a}}\nx\n{{/if}}',
    'Hi {{ a }}',
    'two\nlines  \nbreak',
    '![x](/y.png "z")',
    '- a\n\n  b\n- c',
    '   indented',
    '~~~\nx',
  ],
);
const texts = fc.oneof(
  nearlyMarkdown,
  fc.array(blocks, { maxLength: 6 }).map((parts) => parts.join('\n\n')),
);

const roundTrip = (text: string) => serializeDocument(parseDocument(text));

describe('a text that is opened', () => {
  it('is written back byte for byte, for every text in this repository', () => {
    const all = listTexts();
    expect(all.length).toBeGreaterThan(400);
    expect(all.filter((text) => roundTrip(text) !== text)).toEqual([]);
  });

  it('is written back byte for byte, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
        expect(roundTrip(text)).toBe(text);
      }),
      { numRuns: randomRuns(2000) },
    );
  });
});

/** The same document without the bytes that it was read from. */
function withoutSources(doc: Node): Node {
  const blocks = doc.children.map((node) => node.type.create({ ...node.attrs, source: null, gap: null }, node.content));
  return schema.nodes.doc.create(null, blocks);
}

describe('a text that is written again', () => {
  it('says the same', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const doc = parseDocument(text);
        if (doc.children.some(({ type }) => type.name === 'raw')) return;
        const again = serializeDocument(withoutSources(doc));
        expect(signatureOf(parseDocument(again))).toBe(signatureOf(doc));
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  it('says any typed words', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyMarkdown, fc.string({ unit: 'grapheme' })), (typed) => {
        const words = typed.replace(/[\s\ufdd0]+/g, ' ').trim();
        if (words === '') return;
        const doc = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(words)));
        expect(parseDocument(serializeDocument(doc)).textContent).toBe(words);
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  it.each([
    ['plain words', 'Read [this] at 5 * 3 = 15, a_b_c & #1', 'Read [this] at 5 * 3 = 15, a_b_c & #1'],
    ['signs that would format', 'Not *bold*', 'Not \\*bold\\*'],
    ['a line that would be a list', '- no list', '\\- no list'],
    ['a number', '1. no list', '1\\. no list'],
    ['braces', 'Use {{name}}', 'Use \\{{name}}'],
  ])('has few escapes: %s', (_, words, expected) => {
    const doc = schema.nodes.doc.create(null, schema.nodes.paragraph.create(null, schema.text(words)));
    expect(serializeDocument(doc)).toBe(expected);
  });

  it('keeps the words where Markdown cannot say the marks', () => {
    const { doc, paragraph } = schema.nodes;
    const bold = schema.text('"a"', [schema.marks.strong.create()]);
    expect(
      serializeDocument(doc.create(null, paragraph.create(null, [schema.text('b'), bold, schema.text('c')]))),
    ).toBe('b"a"c');
  });
});

describe('a text that is edited', () => {
  it('keeps the bytes of all blocks that are not, and of all blocks when it is undone', () => {
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 2, maxLength: 6 }), fc.nat(), fc.nat(), (parts, which, where) => {
        // An open fence would contain the blocks after it.
        const sources = parts.filter((part) => !part.startsWith('~~~'));
        const text = sources.join('\n\n\n');
        const doc = parseDocument(text);
        if (doc.childCount !== sources.length || sources.length === 0) return;
        const at = which % doc.childCount;
        const places: number[] = [];
        doc.forEach((block, offset, index) => {
          if (index !== at) return;
          if (block.isTextblock) places.push(offset + 1 + (where % (block.content.size + 1)));
          block.descendants((node, pos) => {
            if (node.isTextblock) places.push(offset + 1 + pos + 1);
          });
        });
        const place = places[where % places.length];
        if (place === undefined) return;
        const state = EditorState.create({ doc });
        const tr = state.tr.insertText('new', place);
        const edited = serializeDocument(tr.doc);
        const others = sources.filter((_, index) => index !== at);
        expect(others.filter((source) => !edited.includes(source))).toEqual([]);
        expect(edited).toContain('new');
        const step = tr.steps[0];
        const undone = step && state.apply(tr).tr.step(step.invert(doc)).doc;
        expect(undone && serializeDocument(undone)).toBe(text);
      }),
      { numRuns: randomRuns(500) },
    );
  });

  it('separates blocks that would become one', () => {
    const { doc, bullet_list: list, list_item: item, paragraph } = schema.nodes;
    const p = (words: string) => paragraph.create(null, schema.text(words));
    const lists = doc.create(null, [
      list.create(null, item.create(null, p('a'))),
      list.create(null, item.create(null, p('b'))),
    ]);
    expect(serializeDocument(lists)).toBe('- a\n\n* b');
    const open = parseDocument('~~~\nx');
    const after = open.copy(open.content.addToEnd(p('y')));
    expect(serializeDocument(after)).toBe('```\nx\n```\n\ny');
  });

  it('leaves out empty paragraphs, which Markdown cannot say', () => {
    const doc = parseDocument('a\n\nb');
    const more = doc.copy(doc.content.addToEnd(schema.nodes.paragraph.create()));
    expect(isEmpty(more.lastChild as Node)).toBe(true);
    expect(serializeDocument(more)).toBe('a\n\nb');
  });

  it('keeps a text of spaces, and replaces it by what is typed', () => {
    const state = EditorState.create({ doc: parseDocument('  \n \n') });
    expect(serializeDocument(state.doc)).toBe('  \n \n');
    expect(serializeDocument(state.tr.insertText('a', 1).doc)).toBe('a');
  });

  it('is quick for deep lists and for many spaces', () => {
    const deep = Array.from({ length: 40 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
    const started = performance.now();
    for (const text of [deep, `ab${' '.repeat(20_000)}cd`]) {
      const state = EditorState.create({ doc: parseDocument(text) });
      const written = serializeDocument(state.apply(state.tr.insertText('x', 3)).doc);
      expect(written).toContain('x');
    }
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
