import { AllSelection, type Command, EditorState, NodeSelection, TextSelection } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { deleteTag, insertMergeTag, insertPicture, linkAt, setLink, tools, typedTags } from './commands.ts';
import { parseDocument } from './parse-text.ts';
import { serializeDocument } from './serialize-text.ts';

/** A text in which `‹` and `›` are the ends of the selection. */
function stateOf(marked: string): EditorState {
  const state = EditorState.create({ doc: parseDocument(marked), plugins: [typedTags] });
  const ends: number[] = [];
  const { tr } = state;
  state.doc.descendants((node, pos) => {
    for (const { index } of (node.text ?? '').matchAll(/[‹›]/g)) ends.push(pos + index);
  });
  for (const end of [...ends].reverse()) tr.delete(end, end + 1);
  const [from = 1, to = from + 1] = ends;
  return state.apply(tr.setSelection(TextSelection.create(tr.doc, from, to - 1)));
}

function run(state: EditorState, command: Command): string {
  let after = state;
  command(state, (tr) => {
    after = state.apply(tr);
  });
  return serializeDocument(after.doc);
}

const all = (text: string) => {
  const state = EditorState.create({ doc: parseDocument(text) });
  return state.apply(state.tr.setSelection(new AllSelection(state.doc)));
};

describe('the tools', () => {
  it.each([
    ['bold', 'a ‹word› b', 'a **word** b'],
    ['bold', 'a **‹word›** b', 'a word b'],
    ['bold', '‹a word› b', '**a word** b'],
    ['italic', 'a **‹word›** b', 'a ***word*** b'],
    ['strike', 'a ‹word›', 'a ~~word~~'],
    ['code', 'a ‹word›', 'a `word`'],
    ['heading', 'a‹› b', '## a b'],
    ['heading', '# a‹› b', 'a b'],
    ['list', 'one\n\ntw‹›o', 'one\n\n- two'],
    ['list', '- one\n- tw‹›o', '- one\n\ntwo'],
    ['numbers', '- one\n- tw‹›o', '1. one\n2. two'],
    ['quote', 'a‹›', '> a'],
    ['quote', '> a‹›', 'a'],
    ['divider', 'a‹›', 'a\n\n---'],
  ] as const)('make %s of %s', (tool, before, after) => {
    expect(run(stateOf(before), tools[tool])).toBe(after);
  });
});

describe('links', () => {
  it('take the selected text, keep their marks, and can be removed', () => {
    expect(run(stateOf('Read ‹*this*›'), setLink({ text: 'this', href: '/a' }))).toBe('Read [*this*](/a)');
    expect(run(stateOf('Read‹›'), setLink({ text: '', href: '/a' }))).toBe('Read[/a](/a)');
    const inside = stateOf('Read [th‹›is](/a) now');
    expect(linkAt(inside)).toMatchObject({ text: 'this', href: '/a' });
    expect(run(inside, setLink({ text: 'that', href: '/b' }))).toBe('Read [that](/b) now');
    expect(run(inside, setLink({ text: 'this', href: '' }))).toBe('Read this now');
  });

  it('can be around everything', () => {
    expect(run(all('one'), setLink({ text: 'one', href: '/a' }))).toBe('[one](/a)');
  });
});

describe('values of the user', () => {
  it('replace the braces that opened the menu, the selection, or everything', () => {
    expect(run(stateOf('Hi \\{{‹›!'), insertMergeTag('{{name}}'))).toBe('Hi {{name}}!');
    expect(run(stateOf('Hi ‹you›!'), insertMergeTag('{{name}}'))).toBe('Hi {{name}}!');
    expect(run(all('Hi'), insertMergeTag('{{name}}'))).toBe('{{name}}');
    expect(run(stateOf('```\nx‹›\n```'), insertMergeTag('{{name}}'))).toBe('```\nx{{name}}\n```');
  });

  it('are changed when they are selected, and deleted with one key', () => {
    const state = EditorState.create({ doc: parseDocument('Hi {{name}}!') });
    const selected = state.apply(state.tr.setSelection(NodeSelection.create(state.doc, 4)));
    expect(run(selected, insertMergeTag('{{plan}}'))).toBe('Hi {{plan}}!');
    const after = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 5)));
    expect(run(after, deleteTag(-1))).toBe('Hi !');
  });

  it('are made of typed tags, but not of text that was there before', () => {
    const type = (text: string) => (words: string) => {
      const state = stateOf(text);
      return serializeDocument(state.apply(state.tr.insertText(words)).doc);
    };
    expect(type('Hi ‹›')('{{name}} and {{ plan | fallback: "x" }}!')).toBe(
      'Hi {{name}} and {{ plan | fallback: "x" }}!',
    );
    expect(type('Write \\{{name}}‹› so')(' literally')).toBe('Write \\{{name}} literally so');
    expect(type('Hi \\{{name}‹›')('}')).toBe('Hi {{name}}');
    expect(type('Hi ‹›')('{{#if a}}')).toBe('Hi \\{{#if a}}');
  });
});

it('inserts a picture', () => {
  expect(run(stateOf('a ‹›b'), insertPicture({ src: '/x_(1).png', alt: 'A [map]' }))).toBe(
    'a ![A [map]](/x_\\(1\\).png)b',
  );
});
