import { describe, expect, it } from 'vitest';
import { findSelectorProblem, findShadowSelectorProblem } from './selector.ts';

describe('a CSS selector', () => {
  it.each([
    'a',
    '*',
    '#save',
    '.btn.btn-primary',
    'ul > li:nth-child(2n + 1)',
    'a:not([href^="http"]):hover',
    'input[name="user[email]"]',
    "a[title='it is {here} / there; <b>']",
    'a[title="a \\" quote"]',
    '.w-1\\/2.md\\:flex',
    '#\\31 23',
    '.größe, .名前',
    'p::first-line',
    ':has(> img, > video)',
    'main ~ aside + div',
    '.-a._b',
    '[data-x]',
  ])('accepts %s', (selector) => expect(findSelectorProblem(selector)).toBeUndefined());

  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['a[href="x]', 'has a quote that is never closed: "'],
    ["a[href='x]", "has a quote that is never closed: '"],
    ['a[href', 'has a bracket without its other half: ['],
    ['a:not(.b', 'has a bracket without its other half: ('],
    ['a]', 'has a bracket without its other half: ]'],
    [':not([a)]', 'has a bracket without its other half: )'],
    ['.a { color: red }', 'has a { where none can be: in a name, write \\ before it'],
    ['//button', 'has a / where none can be: in a name, write \\ before it'],
    ['<b>', 'has a < where none can be: in a name, write \\ before it'],
    ['.a\\', 'has a \\ where none can be: in a name, write \\ before it'],
    ['#1st', 'has a # that no name follows (a name cannot begin with a digit)'],
    ['.', 'has a . that no name follows (a name cannot begin with a digit)'],
    ['a..b', 'has a . that no name follows (a name cannot begin with a digit)'],
    ['a: b', 'has a : that no name follows (a name cannot begin with a digit)'],
    ['a:::b', 'has a : that no name follows (a name cannot begin with a digit)'],
    ['> a', 'begins or ends with a sign that stands between two elements'],
    ['a,', 'begins or ends with a sign that stands between two elements'],
  ])('rejects %s', (selector, problem) => expect(findSelectorProblem(selector)).toBe(problem));
});

it('checks each level of a shadow selector', () => {
  expect(findShadowSelectorProblem('x-inner >>> #deep')).toBe(undefined);
  expect(findShadowSelectorProblem('x-inner >>> #7')).toContain('that no name follows');
  expect(findShadowSelectorProblem('x-inner >>> ')).toBe('is empty');
});
