import { describe, expect, it } from 'vitest';
import { compileReader } from '../params/read.ts';
import { buildPickAddress, buildPickCode, normalizePickCode, readPickHref, withoutPickKey } from './pick-address.ts';
import { listResultProblems, PickResult, withoutForeignAttribute } from './pick-result.ts';
import { isPickOver, pickStateOf } from './pick-state.ts';

describe('buildPickAddress', () => {
  it.each([
    ['https://a.test/', 'https://a.test/#usher-pick=KEY'],
    ['https://a.test/x?y=1', 'https://a.test/x?y=1#usher-pick=KEY'],
    ['https://a.test/#', 'https://a.test/#usher-pick=KEY'],
    ['https://a.test/#/inbox?x=1', 'https://a.test/#usher-pick=KEY&/inbox?x=1'],
    ['https://a.test/#usher-pick=OLD', 'https://a.test/#usher-pick=KEY'],
    ['https://a.test/#usher-pick=OLD&/inbox', 'https://a.test/#usher-pick=KEY&/inbox'],
  ])('puts the key into the fragment of %s', (href, address) => {
    expect(buildPickAddress(href, 'KEY')).toBe(address);
  });

  it('is undone by removing the key', () => {
    for (const href of ['https://a.test/x', 'https://a.test/#/inbox', 'https://a.test/?a=b#c&d'])
      expect(withoutPickKey(buildPickAddress(href, 'KEY'))).toBe(href);
  });
});

describe('readPickHref', () => {
  it('finds the host of a page', () => {
    expect(readPickHref('HTTPS://App.Example.com:8080/x#y')).toEqual({
      host: { host: 'app.example.com', domain: 'example.com' },
    });
  });

  it.each([
    'app.example.com',
    '/home',
    'javascript://a.test/%0aalert(1)',
    'ftp://a.test',
    'https://',
    'https://a b.test',
    'https://a.test/\r\nx',
    'https://a.test/\u0001',
    'https://a.test/\u202ex',
    'https://a.test\\@evil.test/',
  ])('rejects %s', (href) => {
    expect(readPickHref(href)).toEqual({ problem: expect.stringMatching(/^must /) });
  });

  it.each(['https://ann@a.test/', 'https://ann:pw@a.test/', 'https://:pw@a.test/'])(
    'rejects %s, which has user info',
    (href) => {
      expect(readPickHref(href)).toEqual({ problem: 'must not hold a user name or a password' });
    },
  );
});

describe('the code of a pick', () => {
  it('has 8 characters that nobody mistakes for others', () => {
    let next = 0;
    const all = Array.from({ length: 30 }, () => buildPickCode((limit) => next++ % limit)).join('');
    expect(buildPickCode(() => 0)).toBe('2222-2222');
    expect(all).not.toMatch(/[01ILOU]/);
    expect(all).toMatch(/^([2-9A-Z]{4}-[2-9A-Z]{4})+$/);
  });

  it.each(['K7QM-2XDP', 'k7qm2xdp', ' k7qm 2xdp ', 'K7-QM-2X-DP'])('is recognized as %j', (input) => {
    expect(normalizePickCode(input)).toBe('K7QM-2XDP');
  });

  it.each(['', 'K7QM-2XD', 'K7QM-2XDPP', 'K7QM-2XD0', 'ıııııııı'])('is not %j', (input) => {
    expect(normalizePickCode(input)).toBeUndefined();
  });
});

describe('pickStateOf', () => {
  const times = { expires_at: 100, opened_at: null, result_at: null, ended_at: null };
  it.each([
    ['waiting', times],
    ['opened', { ...times, opened_at: 1 }],
    ['picked', { ...times, opened_at: 1, result_at: 2 }],
    ['ended', { ...times, opened_at: 1, result_at: 2, ended_at: 3 }],
    ['expired', { ...times, opened_at: 1, result_at: 2, expires_at: 50 }],
  ] as const)('is %s', (state, row) => {
    expect(pickStateOf(row, 50)).toBe(state);
    expect(isPickOver(state)).toBe(state === 'ended' || state === 'expired');
  });
});

describe('the result of a pick', () => {
  const read = compileReader<PickResult>(PickResult);
  const box = { x: 0, y: -5, width: 10, height: 10.5 };
  const result = {
    elements: [{ selector: '#save' }],
    candidates: [],
    box,
    wireframe: { width: 1, height: 1, boxes: [] as object[] },
  };
  const problemsOf = (input: object): string[] => {
    const reading = read(input, 0);
    return 'problems' in reading ? reading.problems : listResultProblems(reading.value);
  };
  const withBox = (more: object) => ({ ...result, wireframe: { ...result.wireframe, boxes: [{ ...box, ...more }] } });
  const withElement = (element: object) => ({ ...result, elements: [element] });

  it('accepts everything that the picker sends, and drops the rest', () => {
    expect(problemsOf(result)).toEqual([]);
    const more = withBox({ fill: '#aaBB01', color: '#00000080', text: 'x'.repeat(200), target: true });
    expect(problemsOf(more)).toEqual([]);
    expect(read({ ...more, onclick: 'alert(1)' }, 0)).toEqual({ value: more });
  });

  it.each([
    ['data-usher="save"', true],
    ['data-usher="Größe-2"', true],
    ['data-usher=""', false],
    ['onclick="alert(1)"', false],
    ['data-usher="x" onclick="alert(1)"', false],
    ['data-usher="<b>"', false],
    ['data-usher="\u202ex"', false],
  ])('keeps the attribute %s: %s', (attribute, isKept) => {
    expect(withoutForeignAttribute({ ...result, attribute } as PickResult).attribute).toBe(
      isKept ? attribute : undefined,
    );
  });

  it.each([
    ['no element', { ...result, elements: [] }],
    ['11 elements', { ...result, elements: Array.from({ length: 11 }, () => ({ selector: 'a' })) }],
    [
      '11 candidates',
      {
        ...result,
        candidates: Array.from({ length: 11 }, () => ({ selector: 'a', score: 1, kind: 'text', matches: 1 })),
      },
    ],
    ['an element without selector and text', withElement({})],
    ['a shadow root without its host', withElement({ text: 'Save', shadow_selector: 'b' })],
    ['a wrong selector', withElement({ selector: 'a { }' })],
    ['a wrong selector in a shadow root', withElement({ selector: 'a', shadow_selector: '[' })],
    ['a long text', withElement({ selector: 'a', text: 'x'.repeat(201) })],
    ['a score above 100', { ...result, candidates: [{ selector: 'a', score: 101, kind: 'token', matches: 1 }] }],
    ['an unknown kind', { ...result, candidates: [{ selector: 'a', score: 1, kind: 'magic', matches: 1 }] }],
    ['a color with an address', withBox({ fill: 'url(https://evil.test/x)' })],
    ['a color with a name', withBox({ color: 'red' })],
    ['a color and more', withBox({ fill: '#ffffff;x' })],
    ['a long text in the drawing', withBox({ text: 'x'.repeat(201) })],
    ['a negative size', withBox({ width: -1 })],
    ['a size that is no number', withBox({ width: '1"/><script>' })],
    ['1,501 boxes', { ...result, wireframe: { ...result.wireframe, boxes: Array.from({ length: 1501 }, () => box) } }],
    ['no drawing', { ...result, wireframe: undefined }],
  ])('rejects %s', (_, input) => {
    expect(problemsOf(input)).not.toEqual([]);
  });
});
