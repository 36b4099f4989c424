import type { QuantifierUrl } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { codeAddress, completeAddress, suggestPage } from '../../../picks/page-address.ts';
import type { Candidate, PickResult } from '../../../picks/pick-api.ts';
import { readPicks, withPick } from '../../../picks/remembered-picks.ts';
import { checkSelector, countCommand } from './check-selector.ts';
import { candidatesOf, describeCandidate, describeMatches, firstChoice, keyOf } from './describe-candidate.ts';
import { placeBubble } from './place-bubble.ts';
import { fontSizeOf, targetOf, textOfTarget } from './sketch.ts';

describe('the address of a page', () => {
  const visited = [
    { host: 'sample.example', path: '/a' },
    { host: 'app.acme.test', path: '/users/*' },
    { host: 'app.acme.test', path: '/home' },
    { host: 'shop.acme.test', path: '/cart' },
  ];
  const known = { visited, domains: ['acme.test'], demo: 'http://127.0.0.1:3400/demo/' };
  it.each([
    ['https://app.acme.test/a?b=1#c', { href: 'https://app.acme.test/a?b=1#c' }],
    ['app.acme.test/home', { href: 'https://app.acme.test/home' }],
    ['/settings', { href: 'https://app.acme.test/settings' }],
    ['/cart?a=1', { href: 'https://shop.acme.test/cart?a=1' }],
    ['/demo/team', { href: 'http://127.0.0.1:3400/demo/team' }],
    ['127.0.0.1/demo', { href: 'http://127.0.0.1:3400/demo' }],
    ['localhost/demo/team', { href: 'http://localhost:3400/demo/team' }],
    ['localhost:5173/x', { href: 'http://localhost:5173/x' }],
    ['http://127.0.0.1/demo/', { href: 'http://127.0.0.1/demo/' }],
    ['localhost/home', { problem: 'port' }],
    ['127.0.0.1/demonstration', { problem: 'port' }],
    ['app.acme.test/users/*', { problem: 'wildcard' }],
    ['', { problem: 'address' }],
    ['two words', { problem: 'address' }],
    ['javascript:alert(1)', { problem: 'address' }],
    ['ftp://acme.test/', { problem: 'address' }],
    ['https://ann:secret@acme.test/', { problem: 'address' }],
  ])('completes %j to %j', (typed, completed) => {
    expect(completeAddress(typed, known)).toEqual(completed);
  });

  it('does not know the port of a local page, nor where a path belongs, if the server does not', () => {
    const nothing = { visited: [], domains: [], demo: undefined };
    expect(completeAddress('127.0.0.1/demo/', nothing)).toEqual({ problem: 'port' });
    expect(completeAddress('/demo/', nothing)).toEqual({ problem: 'address' });
    expect(completeAddress('/settings', { ...nothing, visited: [{ host: 'localhost', path: '/' }] })).toEqual({
      problem: 'port',
    });
  });

  it('asks for a code at an address of its own', () => {
    expect(codeAddress('https://acme.test/a#/b')).toBe('https://acme.test/a?usher-pick#/b');
    expect(codeAddress('https://acme.test/a?b=1')).toBe('https://acme.test/a?b=1&usher-pick');
  });

  const rule = (url: string, match_type = 'simple') => ({ url, match_type }) as QuantifierUrl;
  it('suggests a page of the rules that can be opened', () => {
    expect(suggestPage([rule('/users/*'), rule('/no', 'inverse_simple'), rule('/team')], known)).toBe('/team');
  });
  it('suggests the page that is visited most, else a domain, else the demo site', () => {
    expect(suggestPage([rule('/users/*')], known)).toBe('app.acme.test/home');
    const domains = ['*.acme.test', 'acme.test'];
    expect(suggestPage([], { ...known, visited: [], domains })).toBe('acme.test/');
    expect(suggestPage([], { ...known, visited: [], domains: [] })).toBe(known.demo);
    expect(suggestPage([], { visited: [], domains: [], demo: undefined })).toBe('');
  });
  it('suggests no local page without its port', () => {
    const visited = [{ host: 'localhost', path: '/home' }];
    expect(suggestPage([rule('/team')], { visited, domains: ['localhost'], demo: undefined })).toBe('');
  });
});

describe('candidates', () => {
  const candidate = (kind: Candidate['kind'], score: number, selector: string): Candidate => ({
    kind,
    score,
    selector,
    matches: 1,
  });
  const named = candidate('token', 90, '#save');
  const styled = candidate('token', 45, '.save');
  const worded = candidate('text', 40, 'button');
  const placed = candidate('positional', 5, 'main > button:nth-of-type(2)');
  const resultOf = (elements: Candidate[], candidates = elements) =>
    ({ elements, candidates }) as unknown as PickResult;

  it('says what a score means', () => {
    const words = [named, styled, worded, placed].map((one) => describeCandidate(one).name);
    expect(words).toEqual([
      'Survives a redeploy',
      'Usually survives a redeploy',
      'Depends on the text',
      'Positional: will break',
    ]);
  });

  it('names the language of a text, if the page has declared one', () => {
    const nameIn = (language?: string) => describeCandidate(worded, language).name;
    expect(['en', 'de-AT', 'xx', '-', undefined].map(nameIn)).toEqual([
      'Depends on English text',
      'Depends on Austrian German text',
      ...Array(3).fill('Depends on the text'),
    ]);
  });

  it('says how many elements match', () => {
    expect([0, 1, 1200].map(describeMatches)).toEqual([
      'Matches nothing',
      'Matches 1 element',
      'Matches 1,200 elements, and the others are hidden',
    ]);
  });

  it('chooses positional ones only if there is nothing else', () => {
    expect([...firstChoice(resultOf([named, worded, placed]))]).toEqual([named, worded].map(keyOf));
    expect([...firstChoice(resultOf([placed]))]).toEqual([keyOf(placed)]);
  });

  it('chooses the best one for a field that has room for one', () => {
    expect([...firstChoice(resultOf([worded, named]), 'one')]).toEqual([keyOf(worded)]);
    const said = { ...worded, text: 'Save' };
    expect(candidatesOf(resultOf([said, named]), 'selector')).toEqual([named]);
    expect([...firstChoice(resultOf([said], [said, placed]), 'selector')]).toEqual([keyOf(placed)]);
    expect([...firstChoice(resultOf([said]), 'selector')]).toEqual([]);
  });

  it('chooses only what the page suggests', () => {
    expect([...firstChoice(resultOf([styled], [named, styled]))]).toEqual([keyOf(styled)]);
  });

  it('shows what a page repeats only once', () => {
    const elements = [{ selector: '#save' }, { text: 'Save' }, { text: 'Save' }];
    const list = candidatesOf({ ...resultOf([], [named, { ...named, score: 10 }, named]), elements });
    expect(list.map(({ selector, text, score }) => [selector ?? text, score])).toEqual([
      ['#save', 90],
      ['Save', 0],
    ]);
  });

  it('shows elements without a score last, as the least certain', () => {
    const list = candidatesOf({ ...resultOf([named]), elements: [{ selector: 'b' }, { selector: '#save' }] });
    expect(list.map(({ selector, kind }) => [selector, kind])).toEqual([
      ['#save', 'token'],
      ['b', 'positional'],
    ]);
  });
});

describe('a pasted selector', () => {
  const wordsOf = (selector: string) => {
    const check = checkSelector(selector, () => undefined);
    return check && 'words' in check ? check.words.name : check;
  };
  it.each([
    ['#save', 'Survives a redeploy'],
    ['[data-testid="save"]', 'Survives a redeploy'],
    ['.save-button', 'Usually survives a redeploy'],
    ['main > div > div > button', 'Positional: will break'],
    ['li:nth-child(3)', 'Positional: will break'],
    ['html > body > h1', 'Positional: will break'],
    ['.css-1q2w3e', 'Generated: will break'],
    ['.Button_root__x7Yz1', 'Generated: will break'],
    ['#radix-42', 'Generated: will break'],
    ['.block__element', 'Usually survives a redeploy'],
  ])('rates %s: %s', (selector, words) => {
    expect(wordsOf(selector)).toBe(words);
  });

  it('says what is wrong with it, and nothing while there is none', () => {
    expect(checkSelector('a[', () => 'Wrong')).toEqual({ problem: 'Wrong' });
    expect(checkSelector('  ', () => 'Wrong')).toBeUndefined();
  });

  it('is counted by a line that is safe to paste', () => {
    expect(countCommand(' [title="a\\"b"] ')).toBe('document.querySelectorAll("[title=\\"a\\\\\\"b\\"]").length');
  });
});

describe('the step in the sketch', () => {
  const page = { width: 1000, height: 600 };
  const target = { x: 400, y: 300, width: 100, height: 40 };
  it.each([
    ['bottom', { x: 340, y: 348 }],
    ['top', { x: 340, y: 220 }],
    ['left', { x: 172, y: 284 }],
    ['right', { x: 508, y: 284 }],
    ['auto', { x: 340, y: 348 }],
  ] as const)('stands at the %s of the element', (placement, place) => {
    expect(placeBubble(target, page, placement)).toMatchObject(place);
  });

  it('stays inside, and goes where there is room', () => {
    expect(placeBubble({ x: 950, y: 560, width: 50, height: 40 }, page, 'auto')).toMatchObject({ x: 780, y: 480 });
    expect(placeBubble({ x: -50, y: 0, width: 20, height: 20 }, page, 'left')).toMatchObject({ x: 0, y: 0 });
  });
});

describe('the sketch', () => {
  const box = { x: 0, y: 0, width: 100, height: 20 };
  it('fills a box with its text, and keeps it readable', () => {
    expect(fontSizeOf(box, 'Save')).toBe(15);
    expect(fontSizeOf(box, 'a'.repeat(20))).toBe(10);
    expect(fontSizeOf(box, 'a'.repeat(200))).toBe(9);
    expect(fontSizeOf({ ...box, height: 4 }, 'a'.repeat(200))).toBe(4);
  });

  it('finds the picked element and its text', () => {
    const target = { x: 10, y: 10, width: 80, height: 30, target: true };
    const boxes = [
      { ...box, y: 200, text: 'Elsewhere' },
      { x: 20, y: 15, width: 40, height: 16, text: 'Save' },
      target,
    ];
    const wireframe = { width: 500, height: 400, boxes };
    expect(targetOf(wireframe, box)).toBe(target);
    expect(targetOf({ ...wireframe, boxes: [] }, box)).toBe(box);
    expect(textOfTarget(wireframe, target)).toBe('Save');
    expect(textOfTarget({ ...wireframe, boxes: [] }, target)).toBe('');
  });
});

describe('remembered picks', () => {
  it('survive whatever is in the storage', () => {
    expect(readPicks('{"a":"1","b":2}')).toEqual({ a: '1' });
    for (const stored of [null, '', 'null', '[]', '{', '7']) expect(readPicks(stored)).toEqual({});
  });

  it('has one for each step, and drops the oldest', () => {
    expect(withPick({ a: '1', b: '2' }, 'a', '3')).toEqual({ b: '2', a: '3' });
    expect(withPick({ a: '1' }, 'a', null)).toEqual({});
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`s${at}`, 'x']));
    const next = Object.keys(withPick(many, 'new', 'y'));
    expect([next.length, next[0], next[19]]).toEqual([20, 's1', 'new']);
  });
});
