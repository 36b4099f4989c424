import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors.ts';
import { parseQueryString } from './query-string.ts';

type Tree = { [key: string]: string | string[] | Tree };

/** Parses a query. The result has ordinary prototypes, so that it can be compared. */
function parse(text: string): unknown {
  return JSON.parse(JSON.stringify(parseQueryString(text)));
}

function apiErrorOf(text: string): ApiError {
  try {
    parseQueryString(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

describe('names and values', () => {
  it('parses pairs with both encodings of a space', () => {
    expect(parse('a=1&b=x+y&c=x%20y&d=x%2By')).toEqual({ a: '1', b: 'x y', c: 'x y', d: 'x+y' });
  });

  it('parses a name without a value as empty, and keeps equals signs in a value', () => {
    expect(parse('a&b=&c=x=y==')).toEqual({ a: '', b: '', c: 'x=y==' });
  });

  it('returns no parameters for an empty query', () => {
    expect(['', '&', '&&&'].map(parse)).toEqual([{}, {}, {}]);
  });

  it('parses encoded names and UTF-8', () => {
    expect(parse('%61=%C3%A9&n%C3%A4me=%F0%9F%98%80&用户=角色')).toEqual({ a: 'é', näme: '😀', 用户: '角色' });
  });

  it('rejects broken percent-encoding and invalid UTF-8', () => {
    for (const text of ['a=%', 'a=%zz', 'a=%C3', '%FF=a', 'a=%ED%A0%80', 'b=1&a=%e']) {
      expect(apiErrorOf(text)).toMatchObject({
        code: 422,
        messages: [expect.stringContaining('percent-encoded UTF-8')],
      });
    }
  });
});

describe('nested names', () => {
  it('parses brackets and dots as the same keys', () => {
    const expected = { expand: { profile: 'all', company: 'skip' } };
    expect(parse('expand[profile]=all&expand[company]=skip')).toEqual(expected);
    expect(parse('expand.profile=all&expand.company=skip')).toEqual(expected);
    expect(parse('expand%5Bprofile%5D=all&expand.company=skip')).toEqual(expected);
    expect(parse('a[b].c[d]=1&a.b[e]=2')).toEqual({ a: { b: { c: { d: '1' }, e: '2' } } });
  });

  it('parses a list from empty brackets, a repeated name or numbers', () => {
    expect(parse('ids[]=a&ids[]=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids[]=a')).toEqual({ ids: ['a'] });
    expect(parse('ids=a&ids=b&ids=c')).toEqual({ ids: ['a', 'b', 'c'] });
    expect(parse('ids[]=a&ids=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids=a&ids[]=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids[1]=b&ids[0]=a')).toEqual({ ids: { 0: 'a', 1: 'b' } });
    expect(parse('a[ids][]=x&a.ids[]=y')).toEqual({ a: { ids: ['x', 'y'] } });
  });

  it('rejects a name that is both a value and an object', () => {
    for (const text of ['a=1&a[b]=2', 'a[b]=2&a=1', 'a[]=1&a[b]=2', 'a[b]=2&a[]=1', 'a=1&a.b.c=2', 'a=1&a=2&a.b=3']) {
      expect(apiErrorOf(text)).toMatchObject({
        code: 422,
        messages: [expect.stringContaining('both as a value and as an object')],
      });
    }
  });

  it('rejects more than 8 levels and more than 2000 parameters', () => {
    expect(parse('a.b.c.d.e.f.g.h=1')).toEqual({ a: { b: { c: { d: { e: { f: { g: { h: '1' } } } } } } } });
    expect(apiErrorOf('a.b.c.d.e.f.g.h.i=1').messages).toEqual(['A parameter name has more than 8 levels']);
    expect(apiErrorOf(`${'[a]'.repeat(100_000)}=1`).code).toBe(422);
    expect(parse(Array(2000).fill('a=1').join('&'))).toEqual({ a: Array(2000).fill('1') });
    expect(apiErrorOf(Array(2001).fill('a=1').join('&')).messages).toEqual([
      'There are 2001 parameters: 2000 at most can be given',
    ]);
  });
});

describe('names of built-in object members', () => {
  const hostile = [
    '__proto__[polluted]=1',
    '__proto__.polluted=1',
    'constructor[prototype][polluted]=1',
    'a[__proto__][polluted]=1',
    'a.constructor.prototype.polluted=1',
    'toString=1&hasOwnProperty=2&valueOf[x]=3',
    '__proto__=1&__proto__=2',
    '__proto__[]=1',
  ];

  it('treats `__proto__` and `constructor` as ordinary keys', () => {
    expect(parse('toString=1&a[constructor]=2')).toEqual({ toString: '1', a: { constructor: '2' } });
    const tree = parseQueryString('__proto__[polluted]=1');
    expect(Object.keys(tree)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(tree)).toBe(null);
  });

  it('changes no prototype for hostile names', () => {
    const before = Reflect.ownKeys(Object.prototype);
    for (const text of hostile) parseQueryString(text);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });
});

describe('random query strings', () => {
  const key = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '0', '1'),
    )
    .filter((name) => !/[[\].]/.test(name));
  const value = fc.string({ unit: 'grapheme' });
  const { tree } = fc.letrec<{ tree: Tree; node: string | string[] | Tree }>((tie) => ({
    node: fc.oneof({ maxDepth: 5 }, value, fc.array(value, { minLength: 1, maxLength: 4 }), tie('tree')),
    tree: fc.dictionary(key, tie('node'), { minKeys: 1, maxKeys: 4 }),
  }));

  /** Lists the pairs of a tree. Each level is in brackets or after a dot. */
  function write(node: string | string[] | Tree, name: string, dotted: boolean): string[] {
    if (typeof node === 'string') return [`${encodeURIComponent(name)}=${encodeURIComponent(node)}`];
    if (Array.isArray(node)) return node.flatMap((item) => write(item, `${name}[]`, dotted));
    return Object.entries(node).flatMap(([key, child]) =>
      write(child, dotted ? `${name}.${key}` : `${name}[${key}]`, dotted),
    );
  }

  it('parses back every tree of parameters, in brackets and with dots', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), (params, dotted) => {
        const text = Object.entries(params)
          .flatMap(([key, node]) => write(node, key, dotted))
          .join('&');
        expect(parse(text)).toEqual(JSON.parse(JSON.stringify(params)));
      }),
      { numRuns: 500 },
    );
  });

  it('parses what URLSearchParams writes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value)), (pairs) => {
        const expected: Record<string, string | string[]> = Object.create(null);
        for (const [name, item] of pairs) {
          const before = expected[name];
          expected[name] = before === undefined ? item : [before, item].flat();
        }
        expect(parse(new URLSearchParams(pairs).toString())).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 500 },
    );
  });

  it('parses any text or rejects it with 422, and changes no prototype', () => {
    const unit = fc.constantFrom(
      'a',
      'b',
      '=',
      '=',
      '&',
      '&',
      '[',
      ']',
      '.',
      '%',
      '%5B',
      '%41',
      '%C3%A9',
      '+',
      '__proto__',
      'constructor',
    );
    const before = Reflect.ownKeys(Object.prototype);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
        try {
          expect(Object.getPrototypeOf(parseQueryString(text))).toBe(null);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
          expect(error).toMatchObject({ code: 422 });
        }
      }),
      { numRuns: 3000 },
    );
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });
});
