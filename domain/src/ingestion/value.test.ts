import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { isTimestamp } from '../basics/time.ts';
import { normalizeKey } from './key.ts';
import {
  type Custom,
  type CustomPatch,
  isCustomTooLarge,
  isEqualValue,
  type MergedCustom,
  mergeCustom,
  readCustom,
  readValue,
  typeOfValue,
  type Value,
} from './value.ts';

const nothing: ReadonlySet<string> = new Set();
const NOW = Date.UTC(2029, 3, 7, 12, 18);

/** Reads properties that have no problems. */
function readGood(input: Record<string, unknown>, reserved = nothing): CustomPatch {
  const problems: string[] = [];
  const patch = readCustom(input, reserved, problems, NOW);
  expect(problems).toEqual([]);
  return patch;
}

function problemsOf(input: Record<string, unknown>): string[] {
  const problems: string[] = [];
  readCustom(input, nothing, problems, NOW);
  return problems;
}

/** Reads one value under a neutral key. */
const readOne = (input: unknown) => readGood({ it: input }).it;
const readAll = (texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text, readOne(text)]));
const bytesOf = (text: string) => Buffer.byteLength(text);

/** Texts that look like another type, and any other text. */
const text = fc.oneof(
  fc.constantFrom('true', 'false', '007', '-0', '1.50', '2029-04-07', '2029-04-07T12:18:00+02:00', '0099-01-01', ''),
  fc.double({ noNaN: true }).map(String),
  fc.integer().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('a', '1', 'é', '用', '😀'), minLength: 190, maxLength: 900 }),
);
const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean());
const key = fc.oneof(
  fc.constantFrom('created', 'seenAt', 'start_time', 'plan', 'User Role', '__proto__', 'constructor', 'toString', '!'),
  fc.string({ maxLength: 12 }),
);
const { tree: anything } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
  ),
}));
const sent = fc.dictionary(key, anything, { maxKeys: 8 }) as fc.Arbitrary<Record<string, unknown>>;

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('readCustom', () => {
  it('normalizes keys', () => {
    expect(readGood({ userRole: 'a', 'Seat Count': 2, 'api-key': 'c', 用户: 'd' })).toEqual({
      user_role: 'a',
      seat_count: 2,
      api_key: 'c',
      用户: 'd',
    });
  });

  it('uses the last value of keys that are equal when normalized', () => {
    expect(readGood({ userRole: 'first', user_role: 'second', 'USER ROLE': 'third' })).toEqual({ user_role: 'third' });
  });

  it('drops keys without a letter or a digit, and undefined', () => {
    expect(readGood({ '!?': 1, '': 2, kept: 3, gone: undefined })).toEqual({ kept: 3 });
  });

  it('drops reserved keys in any spelling, whatever their values are', () => {
    const reserved = new Set(['created_at']);
    const input = { createdAt: 1, 'Created At': '\0', CREATED_AT: Number.POSITIVE_INFINITY, created: 'x', kept: true };
    expect(readGood(input, reserved)).toEqual({ created: 'x', kept: true });
  });

  it('accepts reserved keys within an object', () => {
    expect(readGood({ owner: { id: 7, created_at: 'never' } }, new Set(['id', 'created_at']))).toEqual({
      owner: { id: 7, created_at: 'never' },
    });
  });

  it('converts the text of a number', () => {
    const expected = {
      0: 0,
      12: 12,
      '-12': -12,
      '12.5': 12.5,
      '-0.5': -0.5,
      '1.50': 1.5,
      999999999999999: 999999999999999,
      '11.9932e5': 1199320,
      '1e3': 1000,
      '-2.5E-3': -0.0025,
      '1E+21': 1e21,
      '0e9': 0,
    };
    expect(readAll(Object.keys(expected))).toEqual(expected);
    expect(Object.is(readOne('-0'), 0)).toBe(true);
    expect(Object.is(readOne(-0), 0)).toBe(true);
  });

  it('keeps texts that only look like a number', () => {
    const texts = [
      '007',
      '+1',
      '1e400',
      '1e-400',
      '1e',
      'e5',
      '01e5',
      '1e1.5',
      '1234567890.1234567e3',
      '0x10',
      '1,5',
      '1.',
      '.5',
      '-',
      '--1',
      ' 12',
      '12 ',
      '1_000',
      '١٢',
      'NaN',
      'Infinity',
    ];
    texts.push('1234567890123456', '123456789.1234567', '00', '-01', '12345678901234567890');
    expect(readAll(texts)).toEqual(Object.fromEntries(texts.map((text) => [text, text])));
  });

  it('converts only true and false to booleans', () => {
    expect(readAll(['true', 'false', 'True', 'FALSE', ' true', 'yes', ''])).toEqual({
      true: true,
      false: false,
      True: 'True',
      FALSE: 'FALSE',
      ' true': ' true',
      yes: 'yes',
      '': '',
    });
  });

  it('converts ISO 8601 to a timestamp', () => {
    const expected = {
      '2029-04-07': '2029-04-07T00:00:00.000Z',
      '2029-04-07T12:18': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00Z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00.5+02:00': '2029-04-07T10:18:00.500Z',
      '2029-04-07t12:18:00z': '2029-04-07T12:18:00.000Z',
      '2029-04-07T12:18:00.123456789Z': '2029-04-07T12:18:00.123Z',
      '1815-12-10T00:00:00.000Z': '1815-12-10T00:00:00.000Z',
      '2028-02-29': '2028-02-29T00:00:00.000Z',
      '2029-08-21 02:46:46': '2029-08-21T02:46:46.000Z',
      '2029-08-21 02:46:46Z': '2029-08-21T02:46:46.000Z',
      '2029-08-21 02:46:46+00:00': '2029-08-21T02:46:46.000Z',
      '2029-08-21 02:46:46+0200': '2029-08-21T00:46:46.000Z',
      '2029-08-21 02:46:46 +0200': '2029-08-21T00:46:46.000Z',
      '2029-08-21 02:46:46 -05:00': '2029-08-21T07:46:46.000Z',
      '2029-08-21 02:46:46 UTC': '2029-08-21T02:46:46.000Z',
      '2029-08-21 02:46:46.25': '2029-08-21T02:46:46.250Z',
    };
    expect(readAll(Object.keys(expected))).toEqual(expected);
  });

  it('keeps texts that only look like a time', () => {
    const texts = [
      '2029-02-30',
      '2029-13-01',
      '2029-04-07T25:00:00Z',
      '2029-04-07 25:18:00',
      '2029-02-30 12:18:00',
      '2029-04-07 12:18:00 PST',
      '2029-04-07 noon',
      '7 April 2029',
      '2029-4-7',
    ];
    texts.push(
      '$NOW',
      '$now ',
      '+30',
      '+30y',
      '-5d',
      '+1234567890d',
      '2029',
      '2029-04',
      '12:18',
      '2029-02-29T00:00:00.000Z',
      '9999-12-31T23:59:59-05:00',
    );
    expect(readAll(texts)).toEqual({ ...Object.fromEntries(texts.map((text) => [text, text])), 2029: 2029 });
  });

  it('converts $now and intervals to times, also in lists and objects', () => {
    expect(readGood({ seen: '$now', ends: '+30d', soon: '+5m', list: ['$now', '+1w'], in: { ends: '+2h' } })).toEqual({
      seen: '2029-04-07T12:18:00.000Z',
      ends: '2029-05-07T12:18:00.000Z',
      soon: '2029-04-07T12:23:00.000Z',
      list: ['2029-04-07T12:18:00.000Z', '2029-04-14T12:18:00.000Z'],
      in: { ends: '2029-04-07T14:18:00.000Z' },
    });
    expect(readOne(' 30d')).toBe('2029-05-07T12:18:00.000Z');
    expect(readValue('$now', 'it', 'it', [], 0)).toBe('$now');
  });

  it.each(['created', 'signed_up_at', 'signedUpAt', 'start_time', 'Start Time'])(
    'reads a Unix number in %s as a time',
    (name) => {
      const prop = normalizeKey(name);
      expect(readGood({ [name]: 1870258680 })).toEqual({ [prop]: '2029-04-07T12:18:00.000Z' });
      expect(readGood({ [name]: '1870258680.25' })).toEqual({ [prop]: '2029-04-07T12:18:00.250Z' });
      expect(readGood({ in: { [name]: 0 } })).toEqual({ in: { [prop]: '1970-01-01T00:00:00.000Z' } });
      expect(readGood({ [name]: 'soon' })).toEqual({ [prop]: 'soon' });
    },
  );

  it.each(['create', 'created_by', 'at', 'time', 'format', 'lifetime', 'created_at_home', 'recreated'])(
    'keeps a number in %s',
    (name) => {
      expect(readGood({ [name]: 1870258680 })).toEqual({ [name]: 1870258680 });
    },
  );

  it('keeps a number that is out of range for a time', () => {
    expect(readGood({ seen_at: -1, left_at: 1e15, came_at: 253402300800 })).toEqual({
      seen_at: -1,
      left_at: 1e15,
      came_at: 253402300800,
    });
  });

  it('keeps only the scalars of a list, normalized', () => {
    const input = ['a', '12', 'true', '2029-04-07', 7, null, { a: 1 }, ['b'], undefined, false];
    expect(readGood({ tags: input })).toEqual({ tags: ['a', 12, true, '2029-04-07T00:00:00.000Z', 7, false] });
    expect(readGood({ seen_at: [1870258680] })).toEqual({ seen_at: [1870258680] });
    expect(readGood({ tags: [null, {}] })).toEqual({ tags: [] });
  });

  it('keeps three levels of objects', () => {
    expect(readGood({ a: { b: { c: { d: 1, e: { f: 2 }, g: [3] } } } })).toEqual({ a: { b: { c: { d: 1, g: [3] } } } });
  });

  it('normalizes values within objects, and drops nulls there', () => {
    expect(readGood({ Address: { 'Zip Code': '12345', isHome: 'true', gone: null, '!': 1 } })).toEqual({
      address: { zip_code: 12345, is_home: true },
    });
  });

  it('keeps null, which removes a property', () => {
    expect(readGood({ plan: null })).toEqual({ plan: null });
  });

  it.each([
    ['a', 768],
    ['é', 384],
    ['用', 256],
    ['😀', 192],
  ])('cuts a text of %s at 768 bytes', (character, kept) => {
    expect(readOne(character.repeat(kept))).toBe(character.repeat(kept));
    expect(readOne(character.repeat(kept + 1))).toBe(character.repeat(kept));
    expect(readOne(character.repeat(5000))).toBe(character.repeat(kept));
  });

  it('cuts between characters, not within one', () => {
    for (const [start, character, kept] of [
      ['a', 'é', 383],
      ['a', '用', 255],
      ['ab', '用', 255],
      ['a', '😀', 191],
      ['abc', '😀', 191],
    ] as const)
      expect(readOne(start + character.repeat(400))).toBe(start + character.repeat(kept));
    expect(readGood({ list: ['x'.repeat(900)], in: { it: 'x'.repeat(900) } })).toEqual({
      list: ['x'.repeat(768)],
      in: { it: 'x'.repeat(768) },
    });
  });

  it('accepts the names of inherited properties as keys', () => {
    const input = JSON.parse(
      '{"__proto__":{"polluted":true,"__proto__":1},"constructor":"c","toString":"t","hasOwnProperty":1}',
    );
    const patch = readGood(input);
    expect(Object.keys(patch)).toEqual(['__proto__', 'constructor', 'to_string', 'has_own_property']);
    expect(JSON.stringify(patch)).toBe(
      '{"__proto__":{"polluted":true,"__proto__":1},"constructor":"c","to_string":"t","has_own_property":1}',
    );
    expect(Object.getPrototypeOf(patch)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBe(undefined);
    expect((patch as Record<string, unknown>).polluted).toBe(undefined);
  });

  it('accepts a key of 255 characters and rejects a longer one', () => {
    expect(Object.keys(readGood({ ['k'.repeat(255)]: 1 }))).toEqual(['k'.repeat(255)]);
    expect(problemsOf({ ['k'.repeat(256)]: 1 })).toEqual([`\`${'k'.repeat(40)}…\` is longer than 255 characters`]);
  });

  it.each([
    ['a NUL', 'a\0b', 'must be valid Unicode without NUL characters'],
    ['half a pair', 'a\ud800', 'must be valid Unicode without NUL characters'],
    ['half a pair after a digit', '1\udc00', 'must be valid Unicode without NUL characters'],
    ['a number beyond all', Number.POSITIVE_INFINITY, 'is a number that is too large to be kept'],
    ['a number below all', Number.NEGATIVE_INFINITY, 'is a number that is too large to be kept'],
  ])('rejects %s with its path', (_what, value, message) => {
    expect(problemsOf({ myName: value })).toEqual([`\`my_name\` ${message}`]);
    expect(problemsOf({ list: ['fine', value] })).toEqual([`\`list\` ${message}`]);
    expect(problemsOf({ a: { bC: { d: value } } })).toEqual([`\`a.b_c.d\` ${message}`]);
    expect(problemsOf({ seenAt: value })).toEqual([`\`seen_at\` ${message}`]);
  });

  it('prefixes the path of a property', () => {
    const problems: string[] = [];
    readCustom({ Name: '\0' }, nothing, problems, NOW, 'company.');
    expect(problems).toEqual([expect.stringContaining('`company.name` must')]);
  });

  it('returns its own output unchanged', () => {
    fc.assert(
      fc.property(sent, (input) => {
        const once = readCustom(input, nothing, [], NOW);
        const twice = readCustom(once, nothing, [], NOW);
        expect(JSON.stringify(twice)).toBe(JSON.stringify(once));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('returns the same after encoding its output as JSON', () => {
    fc.assert(
      fc.property(sent, (input) => {
        const patch = readCustom(input, nothing, [], NOW);
        expect(JSON.stringify(JSON.parse(JSON.stringify(patch)))).toBe(JSON.stringify(patch));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('returns only texts up to 768 bytes, three levels of objects and normalized keys', () => {
    fc.assert(
      fc.property(sent, (input) => {
        const patch = readCustom(input, nothing, [], NOW);
        for (const one of textsIn(patch)) expect(bytesOf(one)).toBeLessThanOrEqual(768);
        for (const [name, value] of Object.entries(patch)) {
          expect(normalizeKey(name)).toBe(name);
          expect(depthOf(value)).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('keeps as many characters of a text as fit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '用', '😀'), minLength: 180, maxLength: 900 }),
        (input) => {
          const kept = readOne(input) as string;
          expect(input.startsWith(kept)).toBe(true);
          expect(kept.isWellFormed()).toBe(true);
          const [next = ''] = input.slice(kept.length);
          if (next !== '')
            expect(bytesOf(kept + String.fromCodePoint(input.codePointAt(kept.length) ?? 0))).toBeGreaterThan(768);
        },
      ),
    );
  });

  it('returns every existing time as a timestamp', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0100-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59.999Z'),
          noInvalidDate: true,
        }),
        fc.constantFrom('Z', 'z', '+00:00', ''),
        (date, zone) => {
          const iso = date.toISOString();
          const read = readOne(iso.slice(0, -1) + zone) as string;
          expect(read).toBe(iso);
          expect(isTimestamp(read)).toBe(true);
        },
      ),
    );
  });
});

describe('typeOfValue', () => {
  it.each([
    ['text', 'string'],
    ['', 'string'],
    ['2029-04-07', 'string'],
    ['2029-04-07T12:18:00.000Z', 'timestamp'],
    [12, 'integer'],
    [-0.5, 'number'],
    [1e300, 'integer'],
    [false, 'boolean'],
    [[1], 'array'],
    [{ a: 1 }, 'object'],
  ] as [Value, string][])('returns for %j the type %s', (value, type) => {
    expect(typeOfValue(value)).toBe(type);
  });
});

describe('mergeCustom', () => {
  const custom = sent.map((input) => {
    const patch = readCustom(input, nothing, [], NOW);
    for (const name of Object.keys(patch)) if (patch[name] === null) delete patch[name];
    return patch as Custom;
  });
  const patch = sent.map((input) => readCustom(input, nothing, [], NOW));
  const after = (before: Custom, change: CustomPatch) => mergeCustom(before, change)?.custom ?? before;
  const reversed = <T extends object>(object: T): T => {
    if (Array.isArray(object)) return object;
    const turned = Object.entries(object)
      .reverse()
      .map(([name, value]) => [name, typeof value === 'object' && value !== null ? reversed(value) : value]);
    return Object.fromEntries(turned) as T;
  };

  it('adds, changes and removes, and keeps the rest', () => {
    const before = { kept: 1, changed: 'a', gone: true };
    expect(mergeCustom(before, { changed: 'b', gone: null, added: [1] })).toEqual({
      custom: { kept: 1, changed: 'b', added: [1] },
      text: '{"kept":1,"changed":"b","added":[1]}',
    });
    expect(before).toEqual({ kept: 1, changed: 'a', gone: true });
  });

  it('replaces an object as a whole', () => {
    expect(mergeCustom({ a: { b: 1, c: 2 } }, { a: { b: 1 } })?.custom).toEqual({ a: { b: 1 } });
  });

  it('returns undefined when nothing changes', () => {
    const before = { a: 1, list: [1, 'x'], in: { b: 1, c: { d: 2 } } };
    for (const change of [{}, { a: 1 }, { nobody: null }, { list: [1, 'x'] }, { in: { c: { d: 2 }, b: 1 } }])
      expect(mergeCustom(before, change)).toBe(undefined);
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [] }, { a: {} }],
    [{ a: {} }, { a: { b: 1 } }],
    [{ a: { b: 1 } }, { a: {} }],
    [{ a: { b: 1 } }, { a: { c: 1 } }],
    [{ a: false }, { a: 0 }],
    [{ a: '' }, { a: null }],
    [{}, { a: '' }],
  ] as [Custom, CustomPatch][])('finds that %j differs from %j', (before, change) => {
    expect(mergeCustom(before, change)).not.toBe(undefined);
  });

  it('removes and adds __proto__ like any other key', () => {
    const input = JSON.parse('{"__proto__":{"a":1},"b":2}') as Custom;
    const merged = mergeCustom({}, input) as MergedCustom;
    expect(merged.text).toBe('{"__proto__":{"a":1},"b":2}');
    expect(mergeCustom(merged.custom, input)).toBe(undefined);
    expect(mergeCustom({}, JSON.parse('{"__proto__":null}'))).toBe(undefined);
    expect(mergeCustom(merged.custom, JSON.parse('{"__proto__":null}'))?.text).toBe('{"b":2}');
  });

  it('sets every property in the patch, and keeps the others', () => {
    fc.assert(
      fc.property(custom, patch, (before, change) => {
        const result = after(before, change);
        for (const name of Object.keys(change))
          if (change[name] === null) expect(Object.hasOwn(result, name)).toBe(false);
          else expect(isEqualValue(result[name] as Value, change[name] as Value)).toBe(true);
        for (const name of Object.keys(before))
          if (!Object.hasOwn(change, name)) expect(result[name]).toBe(before[name]);
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it('changes nothing when a patch is applied again', () => {
    fc.assert(
      fc.property(custom, patch, (before, change) => {
        expect(mergeCustom(after(before, change), change)).toBe(undefined);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('changes nothing when all are sent again, in any order', () => {
    fc.assert(
      fc.property(custom, (before) => {
        expect(mergeCustom(before, reversed(before))).toBe(undefined);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('returns no properties when all are removed', () => {
    fc.assert(
      fc.property(custom, (before) => {
        const removal = readCustom(
          Object.fromEntries(Object.keys(before).map((name) => [name, null])),
          nothing,
          [],
          NOW,
        );
        expect(Object.keys(after(before, removal))).toEqual([]);
      }),
    );
  });

  it('returns the text to store', () => {
    fc.assert(
      fc.property(custom, patch, (before, change) => {
        const merged = mergeCustom(before, change);
        if (merged) expect(merged.text).toBe(JSON.stringify(merged.custom));
      }),
    );
  });
});

describe('isEqualValue', () => {
  it('returns true for equal values, and false for values that differ as JSON', () => {
    const value = anything.map((input) => readCustom({ it: input }, nothing, [], NOW).it ?? '');
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isEqualValue(one, structuredClone(one))).toBe(true);
        expect(isEqualValue(one, other)).toBe(isEqualValue(other, one));
        if (JSON.stringify(one) === JSON.stringify(other)) expect(isEqualValue(one, other)).toBe(true);
        if (typeof one !== 'object' && typeof other !== 'object') expect(isEqualValue(one, other)).toBe(one === other);
      }),
      { numRuns: randomRuns(200) },
    );
  });
});

describe('isCustomTooLarge', () => {
  const limit = 128 * 1024;

  it.each(['x', 'é', '用', '😀'])('returns true above 128 KB of %s', (character) => {
    const most = Math.floor(limit / bytesOf(character));
    expect(isCustomTooLarge({ custom: {}, text: '' })).toBe(false);
    expect(isCustomTooLarge({ custom: {}, text: character.repeat(most) })).toBe(false);
    expect(isCustomTooLarge({ custom: {}, text: character.repeat(most + 1) })).toBe(true);
  });
});
