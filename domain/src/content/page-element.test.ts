import { describe, expect, it } from 'vitest';
import type { PageElement } from '../fields/field.ts';
import { resolveElement, toTarget } from './page-element.ts';
import { findSelectorProblem } from './selector.ts';

const none = { selector: null, text: null, shadow_selector: null };
const resolve = (fields: Partial<PageElement>) => resolveElement({ ...none, ...fields });

describe('the selector of an imported element', () => {
  it.each<[string, Partial<PageElement>, string | null]>([
    ['a selector alone', { selector: '.save' }, '.save'],
    ['nothing', { description: 'The button' }, null],
    ['an ID', { attr_id: 'save' }, '#save'],
    ['an ID that is no name', { attr_id: '7 "a"\\' }, '[id="7 \\"a\\"\\\\"]'],
    [
      'a tag and classes',
      { tag: 'BUTTON', attr_class: 'btn  btn-primary 2xl' },
      'button.btn.btn-primary[class~="2xl"]',
    ],
    ['attributes', { attr_href: '/a?b="c"', attr_title: 'Go\nnow' }, '[href="/a?b=\\"c\\""][title="Go\\a now"]'],
    [
      'labels, type and name',
      { attr_type: 'submit', attr_name: 'go', attr_aria_label: 'Go', attr_aria_labelledby: 'l' },
      '[type="submit"][name="go"][aria-label="Go"][aria-labelledby="l"]',
    ],
    ['data as a text', { attr_data: 'data-test="save it" id=7' }, '[data-test="save it"][data-id="7"]'],
    ['data as an object', { attr_data: { testId: 'save', 'data-b': '' } }, '[data-test-id="save"][data-b=""]'],
    ['a path', { path: '#app > div:nth-child(2)' }, '#app > div:nth-child(2)'],
    ['a path with an attribute', { path: '#a > b, i', tag: 'b', attr_id: 'x' }, 'b:is(#a > b, i)#x'],
    [
      'a selector and what is used of the rest',
      { selector: 'a', tag: 'a', attr_id: 'x', use: ['attr_id'] },
      ':is(a)#x',
    ],
    ['a selector with attributes that are not used', { selector: 'a', attr_id: 'x' }, 'a'],
    ['the first of several alike', { tag: 'li', arity: 1, path_index: 0 }, 'li'],
  ])('is exact for %s', (_, fields, selector) => {
    expect(resolve(fields)).toEqual({ target: { ...none, selector }, doubts: [] });
    if (selector !== null) expect(findSelectorProblem(selector)).toBeUndefined();
  });

  it('is of the innermost element, if it is in shadow roots', () => {
    const element = { selector: 'my-app', shadow_selector: 'my-menu >>> a', attr_id: 'save', use: ['attr_id'] };
    expect(resolve(element).target).toEqual({
      selector: 'my-app',
      text: null,
      shadow_selector: 'my-menu >>> :is(a)#save',
    });
  });

  it('keeps the text that the element holds', () => {
    expect(resolve({ tag: 'button', text: 'Save' }).target).toEqual({ ...none, selector: 'button', text: 'Save' });
  });

  it.each<[string, Partial<PageElement>, string | null, string]>([
    ['a path that is no CSS', { path: '/html/body/div[1]' }, null, 'is no CSS selector'],
    ['a tag that is none', { tag: 'a b', attr_id: 'x' }, '#x', 'its tag "a b" is no name'],
    ['data that cannot be read', { attr_data: 'save', attr_id: 'x' }, '#x', '`attr_data` is no list'],
    ['data with a name that is none', { attr_data: { 'a]': 'b' }, attr_id: 'x' }, '#x', '`attr_data` is no list'],
    ['one of several alike', { tag: 'li', arity: 4 }, 'li', 'one of 4 elements alike'],
    ['another than the first', { tag: 'li', path_index: 2 }, 'li', 'number 3 of the elements alike'],
    ['a field that is missing', { selector: 'a', use: ['attr_id'] }, 'a', '`attr_id`, which is missing'],
    ['a way that is not known', { selector: 'a', use: ['xpath'] }, 'a', '`xpath`, which is not known'],
  ])('has a doubt for %s', (_, fields, selector, doubt) => {
    const { target, doubts } = resolve(fields);
    expect(target.selector).toBe(selector);
    expect(doubts).toEqual([expect.stringContaining(doubt)]);
  });

  it('has only the fields that pages need', () => {
    expect(Object.keys(toTarget({ ...none, tag: 'a', description: 'Home', use: ['tag'] }))).toEqual(Object.keys(none));
  });
});
