import type { QuantifierUrl } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { checkSelector, countCommand } from './check-selector.ts';
import { candidatesOf, describeCandidate, describeMatches, firstChoice, keyOf } from './describe-candidate.ts';
import { codeAddress, completeAddress, suggestPage } from './page-address.ts';
import type { Candidate, PickResult } from './pick-api.ts';
import { placeBubble } from './place-bubble.ts';
import { readPicks, withPick } from './remembered-picks.ts';
import { fontSizeOf, targetOf, textOfTarget } from './sketch.ts';

describe('the address of a page', () => {
  const own = { protocol: 'http:', hostname: '127.0.0.1', port: '3400' };
  it.each([
    ['https://app.acme.test/a?b=1#c', 'https://app.acme.test/a?b=1#c'],
    ['app.acme.test/home', 'https://app.acme.test/home'],
    ['/settings', 'https://app.acme.test/settings'],
    ['localhost:5173/x', 'http://localhost:5173/x'],
    ['127.0.0.1/demo/', 'http://127.0.0.1:3400/demo/'],
    ['localhost/demo/', 'http://localhost:3400/demo/'],
    ['http://127.0.0.1/demo/', 'http://127.0.0.1/demo/'],
    ['', undefined],
    ['two words', undefined],
    ['javascript:alert(1)', undefined],
    ['ftp://acme.test/', undefined],
    ['https://ann:secret@acme.test/', undefined],
  ])('completes %j to %j', (typed, href) => {
    expect(completeAddress(typed, 'app.acme.test', own)).toBe(href);
  });

  it('does not know where a path belongs without a host', () => {
    expect(completeAddress('/settings', undefined, own)).toBeUndefined();
  });

  it('asks for a code at an address of its own', () => {
    expect(codeAddress('https://acme.test/a#/b')).toBe('https://acme.test/a?usher-pick#/b');
    expect(codeAddress('https://acme.test/a?b=1')).toBe('https://acme.test/a?b=1&usher-pick');
  });

  const rule = (url: string, match_type = 'simple') => ({ url, match_type }) as QuantifierUrl;
  const visited = [
    { host: 'app.acme.test', path: '/users/*' },
    { host: 'app.acme.test', path: '/home' },
  ];
  it('suggests a page of the rules that can be opened', () => {
    expect(suggestPage([rule('/users/*'), rule('/no', 'inverse_simple'), rule('/team')], visited, [])).toBe('/team');
  });
  it('suggests the page that is visited most, else a domain', () => {
    expect(suggestPage([rule('/users/*')], visited, ['acme.test'])).toBe('app.acme.test/home');
    expect(suggestPage([], [], ['*.acme.test', 'acme.test'])).toBe('acme.test/');
    expect(suggestPage([], [], [])).toBe('');
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
