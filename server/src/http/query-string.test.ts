import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors.ts';
import { parseQueryString } from './query-string.ts';

type Tree = { [key: string]: string | string[] | Tree };

/** As a plain value, so that it can be compared whatever its prototype is. */
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
  throw new Error(`${text} was read`);
}

describe('names and values', () => {
  it('reads pairs in both encodings of a space', () => {
    expect(parse('a=1&b=x+y&c=x%20y&d=x%2By')).toEqual({ a: '1', b: 'x y', c: 'x y', d: 'x+y' });
  });

  it('reads a name without a value as empty, and a value with more equals signs whole', () => {
    expect(parse('a&b=&c=x=y==')).toEqual({ a: '', b: '', c: 'x=y==' });
  });

  it('reads nothing from nothing', () => {
    expect(['', '&', '&&&'].map(parse)).toEqual([{}, {}, {}]);
  });

  it('reads encoded names and UTF-8', () => {
    expect(parse('%61=%C3%A9&n%C3%A4me=%F0%9F%98%80&用户=角色')).toEqual({ a: 'é', näme: '😀', 用户: '角色' });
  });

  it('refuses percent-encoding that is broken or no UTF-8', () => {
    for (const text of ['a=%', 'a=%zz', 'a=%C3', '%FF=a', 'a=%ED%A0%80', 'b=1&a=%e']) {
      expect(apiErrorOf(text)).toMatchObject({
        code: 422,
        messages: [expect.stringContaining('percent-encoded UTF-8')],
      });
    }
  });
});

describe('nested names', () => {
  it('reads brackets and dots as the same keys', () => {
    const expected = { expand: { profile: 'all', company: 'skip' } };
    expect(parse('expand[profile]=all&expand[company]=skip')).toEqual(expected);
    expect(parse('expand.profile=all&expand.company=skip')).toEqual(expected);
    expect(parse('expand%5Bprofile%5D=all&expand.company=skip')).toEqual(expected);
    expect(parse('a[b].c[d]=1&a.b[e]=2')).toEqual({ a: { b: { c: { d: '1' }, e: '2' } } });
  });

  it('reads a list from empty brackets, from a repeated name and from numbers', () => {
    expect(parse('ids[]=a&ids[]=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids[]=a')).toEqual({ ids: ['a'] });
    expect(parse('ids=a&ids=b&ids=c')).toEqual({ ids: ['a', 'b', 'c'] });
    expect(parse('ids[]=a&ids=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids=a&ids[]=b')).toEqual({ ids: ['a', 'b'] });
    expect(parse('ids[1]=b&ids[0]=a')).toEqual({ ids: { 0: 'a', 1: 'b' } });
    expect(parse('a[ids][]=x&a.ids[]=y')).toEqual({ a: { ids: ['x', 'y'] } });
  });

  it('refuses a name that is given both as a value and as an object', () => {
    for (const text of ['a=1&a[b]=2', 'a[b]=2&a=1', 'a[]=1&a[b]=2', 'a[b]=2&a[]=1', 'a=1&a.b.c=2', 'a=1&a=2&a.b=3']) {
      expect(apiErrorOf(text)).toMatchObject({
        code: 422,
        messages: [expect.stringContaining('both as a value and as an object')],
      });
    }
  });

  it('refuses more than 8 levels and 2000 parameters', () => {
    expect(parse('a.b.c.d.e.f.g.h=1')).toEqual({ a: { b: { c: { d: { e: { f: { g: { h: '1' } } } } } } } });
    expect(apiErrorOf('a.b.c.d.e.f.g.h.i=1').messages).toEqual(['A parameter name has more than 8 levels']);
    expect(apiErrorOf(`${'[a]'.repeat(100_000)}=1`).code).toBe(422);
    expect(parse(Array(2000).fill('a=1').join('&'))).toEqual({ a: Array(2000).fill('1') });
    expect(apiErrorOf(Array(2001).fill('a=1').join('&')).messages).toEqual([
      'There are 2001 parameters: 2000 at most can be given',
    ]);
  });
});

describe('keys that every object is born with', () => {
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

  it('are keys like any other', () => {
    expect(parse('toString=1&a[constructor]=2')).toEqual({ toString: '1', a: { constructor: '2' } });
    const tree = parseQueryString('__proto__[polluted]=1');
    expect(Object.keys(tree)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(tree)).toBe(null);
  });

  it('change no prototype', () => {
    const before = Reflect.ownKeys(Object.prototype);
    for (const text of hostile) parseQueryString(text);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
    expect('polluted' in {}).toBe(false);
  });
});

describe('any text', () => {
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

  /** The pairs of a tree, each level named in brackets or with a dot. */
  function write(node: string | string[] | Tree, name: string, dotted: boolean): string[] {
    if (typeof node === 'string') return [`${encodeURIComponent(name)}=${encodeURIComponent(node)}`];
    if (Array.isArray(node)) return node.flatMap((item) => write(item, `${name}[]`, dotted));
    return Object.entries(node).flatMap(([key, child]) =>
      write(child, dotted ? `${name}.${key}` : `${name}[${key}]`, dotted),
    );
  }

  it('reads back every tree of parameters, in brackets and with dots', () => {
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

  it('reads a form as URLSearchParams writes it', () => {
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

  it('is read or refused with 422, and changes no prototype', () => {
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
