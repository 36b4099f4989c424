import { describe, expect, it } from 'vitest';
import { endOfChange, insertMarkdown, insertText, type Selected } from './insert-markdown.ts';

/** `[` and `]` stand for the ends of the selection, `|` for a caret. */
function selectionIn(marked: string): Selected {
  const start = marked.search(/[‹|]/);
  const value = marked.replace(/[‹›|]/g, '');
  const end = marked.includes('›') ? marked.indexOf('›') - 1 : start;
  return { value, start, end };
}
const show = ({ value, start, end }: Selected) =>
  start === end
    ? `${value.slice(0, start)}|${value.slice(start)}`
    : `${value.slice(0, start)}‹${value.slice(start, end)}›${value.slice(end)}`;

describe('the toolbar', () => {
  it.each([
    ['bold', 'a ‹word› b', 'a **‹word›** b'],
    ['bold', 'a **‹word›** b', 'a ‹word› b'],
    ['bold', 'a | b', 'a **‹text›** b'],
    ['italic', 'a ‹word› b', 'a *‹word›* b'],
    ['italic', 'a *‹word›* b', 'a ‹word› b'],
    ['italic', 'a **‹word›** b', 'a ***‹word›*** b'],
    ['link', 'a ‹word› b', 'a [word](‹https://›) b'],
    ['list', 'one\ntw|o\nthree', 'one\n‹- two›\nthree'],
    ['list', '‹one\ntwo›', '‹- one\n- two›'],
    ['list', '‹- one\n- two›', '‹one\ntwo›'],
  ] as const)('makes %s of %s', (kind, before, after) => {
    expect(show(insertMarkdown(kind, selectionIn(before), 'text'))).toBe(after);
  });
});

it('inserts a merge tag in the place of the selection and of the braces that opened the menu', () => {
  expect(show(insertText('{{name}}', selectionIn('Hi ‹you›!')))).toBe('Hi {{name}}|!');
  expect(show(insertText('{{name}}', selectionIn('Hi {{|!')))).toBe('Hi {{name}}|!');
});

it('finds where a text has changed', () => {
  expect(endOfChange('Hello you', 'Hello dear you')).toBe('Hello dear'.length);
  expect(endOfChange('Hello dear you', 'Hello you')).toBe('Hello'.length);
  expect(endOfChange('', 'abc')).toBe(3);
});
