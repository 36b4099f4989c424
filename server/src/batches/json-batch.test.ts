import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../domain/test/random-runs.ts';
import { ApiError } from '../errors.ts';
import { parseBody } from '../http/body.ts';
import { type JsonBatch, readJsonBatch } from './json-batch.ts';

const list = 'profiles';
/** How much is read between two turns of the event loop, where the reader must not lose its place. */
const slice = 16 * 1024;
const utf8Slice = 512 * 1024;

function itemsOf(batch: JsonBatch): unknown[] {
  return batch.count === undefined ? [] : batch.slice(0, batch.count);
}

/** All that was read as one text: the same for the same keys and values, whatever the order of the keys is. */
function textOf(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wholeOf(batch: JsonBatch): object {
  if (batch.count === undefined) return batch.fields;
  expect(Object.keys(batch.fields)).not.toContain(list);
  return Object.assign(Object.create(null), batch.fields, { [list]: itemsOf(batch) });
}

/** What was read, or the words it was refused with. */
async function outcomeOf(reading: Promise<object>): Promise<string> {
  try {
    return textOf(await reading);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const read = (body: string | Uint8Array) => readJsonBatch(Buffer.from(body), list, () => nextTurn());

/** Reads a body both ways, and tells what came of it. */
async function same(body: string | Uint8Array): Promise<string> {
  const outcome = await outcomeOf(read(body).then(wholeOf));
  expect(outcome).toBe(await outcomeOf(parseBody(Buffer.from(body), 'application/json')));
  return outcome;
}

const nested = (levels: number, [open, close]: readonly [string, string] = ['[', ']']) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe('a batch', () => {
  it('has its items apart from its other parameters', async () => {
    const batch = await read(
      '{"on_model_missing":"ignore","profiles":[{"uid":"a"}, 2 ,"c,]}",[]],"account_secret":"s"}',
    );
    expect(batch.fields).toEqual({ on_model_missing: 'ignore', account_secret: 's' });
    expect(Object.getPrototypeOf(batch.fields)).toBeNull();
    expect(batch.count).toBe(4);
    expect(itemsOf(batch)).toEqual([{ uid: 'a' }, 2, 'c,]}', []]);
  });

  it('gives an item anew each time, in any order, and none that it does not have', async () => {
    const batch = await read('{"profiles":[{"a":1},{"b":2}]}');
    expect(batch.slice(1, 2)).toEqual([{ b: 2 }]);
    expect(batch.slice(0, 1)).toEqual([{ a: 1 }]);
    expect(batch.slice(1, 1)).toEqual([]);
    for (const [start, end] of [
      [-1, 1],
      [0, 3],
      [1, 0],
      [Number.NaN, 1],
    ] as const)
      expect(() => batch.slice(start, end)).toThrow(RangeError);
    const without = await read('{}');
    expect(() => without.slice(0, 1)).toThrow(RangeError);
  });

  it('can have an empty list', async () => {
    for (const body of ['{"profiles":[]}', '{"profiles": [ \n ] }']) {
      expect(await read(body)).toMatchObject({ fields: {}, count: 0 });
    }
  });

  it('need not have the list, or one that is a list', async () => {
    expect(await read('{"a":1}')).toMatchObject({ fields: { a: 1 }, count: undefined });
    for (const value of [null, {}, { a: [1] }, 'x', 1, '[1]']) {
      const batch = await read(JSON.stringify({ profiles: value }));
      expect(batch.fields).toEqual({ profiles: value });
      expect(batch.count).toBeUndefined();
    }
  });

  it('has no parameters when the body has nothing in it', async () => {
    for (const body of [
      '',
      ' \r\n\t',
      '\ufeff',
      '\ufeff ',
      '\u00a0\u2028\ufeff\v',
      ' '.repeat(3 * slice),
      '{}',
      ' { } ',
    ]) {
      const batch = await read(body);
      expect(Object.keys(batch.fields)).toEqual([]);
      expect(batch.count).toBeUndefined();
      await same(body);
    }
  });

  it('has the last of the values that one key has', async () => {
    expect(await read('{"a":1,"profiles":[1],"a":2,"profiles":[2,3]}')).toMatchObject({ fields: { a: 2 }, count: 2 });
    expect((await read('{"profiles":[1],"profiles":[2,3]}')).slice(0, 1)[0]).toBe(2);
    expect(await read('{"profiles":[1],"profiles":"x"}')).toMatchObject({
      fields: { profiles: 'x' },
      count: undefined,
    });
    const last = await read('{"profiles":"x","\\u0070rofiles":[1]}');
    expect(Object.keys(last.fields)).toEqual([]);
    expect(last.count).toBe(1);
  });

  it('keeps keys that every object is born with as they are', async () => {
    const before = Reflect.ownKeys(Object.prototype);
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const { fields } = await read(hostile);
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect((await readJsonBatch(Buffer.from('{"__proto__":[1,2]}'), '__proto__', () => nextTurn())).count).toBe(2);
    expect(await same(`{"profiles":[${hostile}]}`)).toContain('__proto__');
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });
});

describe('a body that is refused', () => {
  it('is malformed or truncated', async () => {
    for (const body of [
      '{',
      '{"profiles"',
      '{"profiles":',
      '{"profiles":[',
      '{"profiles":[1',
      '{"profiles":[1,',
      '{"profiles":[1]',
      '{"profiles":[1],',
      '{"profiles":[1]}}',
      '{"profiles":[1]} x',
      '{"profiles":[1]]}',
      '{"profiles":[1}]',
      '{"profiles":[1}}',
      '{"profiles":[1:2]}',
      '{"profiles":[1 2]}',
      '{"profiles":[,]}',
      '{"profiles":[,1]}',
      '{"profiles":[1,]}',
      '{"profiles":[1,,2]}',
      '{"profiles":[1],}',
      '{"profiles":[1] "a":1}',
      '{"profiles":[1]:1}',
      '{"profiles":[[}]}',
      '{"profiles":[{]]}',
      '{"profiles":[{"a":1,}]}',
      '{"profiles":["\n"]}',
      '{"profiles":["\\x"]}',
      '{"profiles":["\\"]}',
      '{"profiles":["a]}',
      '{"profiles":[01]}',
      '{"profiles":[NaN]}',
      '{"profiles":[\ufeff1]}',
      '{"profiles":[\u00a0]}',
      '{"profiles" "a"}',
      '{"profiles",1}',
      '{"profiles":}',
      '{"a":1:2}',
      '{"a":1]',
      '{"a":1,,"b":2}',
      '{,}',
      '{"a"}',
      '{:1}',
      '{a:1}',
      "{'a':1}",
      '{1:1}',
      '{null:1}',
      '{["a"]:1}',
      '{"a":01}',
      '{"a":1}{}',
      '\ufeff\ufeff{}',
      '\u00a0{}',
      '[',
      '[1,]',
      '[1}',
      '[1]2',
      '"a',
      'tru',
      '}',
      ']',
      ',',
      'profiles=1',
    ]) {
      expect([body, await same(body)]).toEqual([body, '422 The body is not valid JSON']);
    }
  });

  it('is no object', async () => {
    for (const body of ['[]', ' [ ] ', '[{"profiles":[1]},2]', '"a"', '1', 'true', ' null ', `[${nested(100)}]`]) {
      expect([body, await same(body)]).toEqual([body, '422 The body must be a JSON object']);
    }
  });

  it('is not valid UTF-8, whatever else it is', async () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    for (const body of [
      bytes('\xff'),
      bytes('{"\xc3":1}'),
      bytes('{"profiles":["\xed\xa0\x80"]}'),
      bytes('{"profiles":["\xc0\x80"]}'),
      bytes('{"profiles":["\xf0\x9f\x98"]}'),
      bytes('{"profiles":[}\xff'),
      bytes('{"profiles":[]}\x80'),
    ]) {
      expect(await same(body)).toBe('422 The body is not valid UTF-8');
    }
  });

  it('is nested deeper than 64 levels, and not when that is under a key that comes again', async () => {
    const kinds = [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const;
    const refused = '422 The body is nested deeper than 64 levels';
    for (const kind of kinds) {
      expect(await same(`{"a":${nested(64, kind)}}`)).toContain('[["a",');
      expect(await same(`{"profiles":[0,${nested(63, kind)}]}`)).toContain('[["profiles",');
      for (const levels of [65, 1000]) {
        expect(await same(`{"a":${nested(levels, kind)}}`)).toBe(refused);
        expect(await same(`{"profiles":[0,${nested(levels - 1, kind)},0]}`)).toBe(refused);
        for (const hidden of [
          `{"a":${nested(levels, kind)},"a":1}`,
          `{"profiles":[${nested(levels, kind)}],"profiles":[]}`,
          `{"profiles":[${nested(levels, kind)}],"profiles":1}`,
          `{"profiles":[{"a":${nested(levels, kind)},"a":1}]}`,
        ]) {
          expect(await same(hidden)).not.toContain('422');
        }
      }
      expect(await same(`{"profiles":[${nested(65, kind)}`)).toBe('422 The body is not valid JSON');
    }
  });
});

describe('where a slice ends', () => {
  const text = ' "a" : "\\"\\\\" , "profiles" : [ {"é😀":"\\\\\\"]"} , -1.5e3 , [ ] ] , "b" : { } } ';

  it('nothing is lost, whatever is there', async () => {
    const expected = await same(`{${text}`);
    expect(expected).not.toContain('422');
    for (let before = 0; before <= text.length + 8; before++) {
      expect(await same(`{${' '.repeat(slice - before)}${text}`)).toBe(expected);
    }
  });

  it('no comma may be the last of the list', async () => {
    for (let length = slice - 3; length <= slice + 3; length++) {
      const item = `"${'x'.repeat(length - 2)}"`;
      expect(await same(`{"profiles":[${item},1]}`)).not.toContain('422');
      for (const end of [',]', ', ]', ',', ',,1]', ':1]', '}']) {
        expect(await same(`{"profiles":[${item}${end}}`)).toBe('422 The body is not valid JSON');
      }
    }
  });

  it('no character is cut', async () => {
    const head = '{"profiles":["';
    for (const character of ['é', '漢', '😀']) {
      for (let before = 0; before <= 5; before++) {
        const start = head + 'x'.repeat(utf8Slice - head.length - before) + character.repeat(3);
        expect(await same(`${start}"]}`)).not.toContain('422');
        for (const wrong of [[0x80], [0xf0, 0x9f]]) {
          const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from('"]}')]);
          expect(await same(bytes)).toBe('422 The body is not valid UTF-8');
        }
      }
    }
    expect(await same(Buffer.alloc(utf8Slice + 10, 0x80))).toBe('422 The body is not valid UTF-8');
  });
});

describe('any body', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
    fc.array(fc.jsonValue({ stringUnit: 'grapheme' })),
    fc.array(fc.constantFrom('"', '\\', '[', '}', ',', ':', '\u0000', '\ud800', {}, [], -0, 1e300)),
  );
  const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });
  const key = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('"profiles"', '"\\u0070rofiles"', '"__proto__"', '"1"') },
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  );
  const member = fc
    .tuple(space, key, space, value, fc.nat(2), space)
    .map(([a, name, b, params, indent, c]) => `${a}${name}${b}:${c}${JSON.stringify(params, null, indent)}${a}`);
  /** Keys come more than once, too. */
  const object = fc
    .tuple(fc.constantFrom('', '\ufeff'), space, fc.array(member, { maxLength: 6 }))
    .map(([mark, around, members]) => `${mark}${around}{${members.join(',') || around}}${around}`);

  it('is read as JSON.parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), value), value, fc.nat(4), async (fields, items, indent) => {
        const text = JSON.stringify({ ...fields, [list]: items }, null, indent);
        const parsed = JSON.parse(text);
        const batch = await read(text);
        expect(textOf(wholeOf(batch))).toBe(textOf(parsed));
        expect(batch.count).toBe(Array.isArray(items) ? items.length : undefined);
      }),
      { numRuns: randomRuns(100) },
    );
    await fc.assert(
      fc.asyncProperty(object, async (text) => {
        expect(await same(text)).toBe(textOf(JSON.parse(text.replace(/^\ufeff/, ''))));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('rejects a truncated or changed body exactly when parseBody rejects it', async () => {
    await fc.assert(
      fc.asyncProperty(object, fc.nat(), async (text, at) => {
        const bytes = Buffer.from(text);
        await same(bytes.subarray(0, at % bytes.length));
      }),
      { numRuns: randomRuns(200) },
    );
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\[]{},: 01e-\n\ufeff')), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(object, fc.nat(), byte, async (text, at, change) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = change;
        await same(bytes);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('rejects a body of random fragments exactly when parseBody rejects it', async () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"profiles"',
      '"a"',
      '1',
      ' ',
      '[1,2]',
      '\ufeff',
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: piece, maxLength: 12 }), async (text) => {
        await same(text);
        await same(`{"profiles":[${text}]}`);
        await same(`{"profiles":${text}}`);
      }),
      { numRuns: randomRuns(600) },
    );
  });
});

describe('a hostile body', () => {
  const large = 16 * 1024 * 1024;

  it('may have five million items', async () => {
    const batch = await read(`{"profiles":[${'{},'.repeat(4_999_999)}{"last":1}],"a":1}`);
    expect(batch).toMatchObject({ fields: { a: 1 }, count: 5_000_000 });
    expect(batch.slice(2_500_000, 2500001)[0]).toEqual({});
    expect(batch.slice(4_999_999, 5000000)[0]).toEqual({ last: 1 });
  });

  it('may have brackets as deep as it likes', async () => {
    const open = '['.repeat(100_000);
    const close = ']'.repeat(100_000);
    expect(await same(`{"profiles":[1,${open}${close},2]}`)).toBe('422 The body is nested deeper than 64 levels');
    expect(await same(`{"profiles":[1,${open}`)).toBe('422 The body is not valid JSON');
    expect(await same(`{"profiles":[1,${open}${close}}`)).toBe('422 The body is not valid JSON');
    expect(await same(open + close)).toBe('422 The body must be a JSON object');
  });

  it('may have one string that is all of it', async () => {
    for (const text of ['x'.repeat(large), '"'.repeat(large / 2)]) {
      const json = JSON.stringify(text);
      expect((await read(`{"profiles":[${json}]}`)).slice(0, 1)[0] === text).toBe(true);
      expect((await read(`{"a":${json}}`)).fields.a === text).toBe(true);
      expect(await outcomeOf(read(`{"profiles":[${json.slice(0, -1)}`))).toBe('422 The body is not valid JSON');
    }
  });
});

it('lets the event loop turn while it reads', async () => {
  const megabyte = 1024 * 1024;
  const blank = ' '.repeat(megabyte);
  for (const body of [
    `{"profiles":[${'{"uid":"user-1"},'.repeat(megabyte / 17)}1]}`,
    `{"profiles":["${'x'.repeat(megabyte)}"]}`,
    `{${'"a":1,'.repeat(megabyte / 6)}"b":1}`,
    `{${blank}}`,
    `${blank}{}`,
    `{}${blank}`,
    `{"profiles":[]${blank}}`,
  ]) {
    let turns = 0;
    let reading = true;
    const turn = () => {
      turns++;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    await read(body);
    reading = false;
    expect(turns).toBeGreaterThanOrEqual(megabyte / slice - 1);
  }
});
