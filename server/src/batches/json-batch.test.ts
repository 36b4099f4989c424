import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../domain/test/random-runs.ts';
import { ApiError } from '../errors.ts';
import { parseBody } from '../http/body.ts';
import { type JsonBatch, readJsonBatch } from './json-batch.ts';

const list = 'profiles';
/** How much is parsed between two turns of the event loop. The parser must continue correctly after each slice. */
const slice = 16 * 1024;
const utf8Slice = 512 * 1024;

function itemsOf(batch: JsonBatch): unknown[] {
  return batch.count === undefined ? [] : batch.slice(0, batch.count);
}

/** What was parsed, as a text that does not depend on the order of the keys. */
function textOf(value: object): string {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function wholeOf(batch: JsonBatch): object {
  if (batch.count === undefined) return batch.fields;
  expect(Object.keys(batch.fields)).not.toContain(list);
  return Object.assign(Object.create(null), batch.fields, { [list]: itemsOf(batch) });
}

/** What was parsed, or the error as a text. */
async function outcomeOf(parsing: Promise<object>): Promise<string> {
  try {
    return textOf(await parsing);
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
}

const parse = (body: string | Uint8Array) => readJsonBatch(Buffer.from(body), list, () => nextTurn());

/** Checks that readJsonBatch and parseBody agree on a body, and returns what they return. */
async function parseBothWays(body: string | Uint8Array): Promise<string> {
  const outcome = await outcomeOf(parse(body).then(wholeOf));
  expect(outcome).toBe(await outcomeOf(parseBody(Buffer.from(body), 'application/json')));
  return outcome;
}

const nested = (levels: number, [open, close]: readonly [string, string] = ['[', ']']) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;

describe('readJsonBatch', () => {
  it('separates the items from the other parameters', async () => {
    const batch = await parse(
      '{"on_model_missing":"ignore","profiles":[{"uid":"a"}, 2 ,"c,]}",[]],"account_secret":"s"}',
    );
    expect(batch.fields).toEqual({ on_model_missing: 'ignore', account_secret: 's' });
    expect(Object.getPrototypeOf(batch.fields)).toBeNull();
    expect(batch.count).toBe(4);
    expect(itemsOf(batch)).toEqual([{ uid: 'a' }, 2, 'c,]}', []]);
  });

  it('parses the items at any positions', async () => {
    const batch = await parse('{"profiles":[{"uid":"ä"}, 2 ,"c,]}", \n[]]}');
    expect(batch.pick(Uint32Array.of(3, 0, 2, 0))).toEqual([[], { uid: 'ä' }, 'c,]}', { uid: 'ä' }]);
    expect(batch.pick(new Uint32Array())).toEqual([]);
    expect(() => batch.pick(Uint32Array.of(4))).toThrow(RangeError);
  });

  it('parses items in any order, and throws for items that do not exist', async () => {
    const batch = await parse('{"profiles":[{"a":1},{"b":2}]}');
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
    const without = await parse('{}');
    expect(() => without.slice(0, 1)).toThrow(RangeError);
  });

  it('accepts an empty list', async () => {
    for (const body of ['{"profiles":[]}', '{"profiles": [ \n ] }']) {
      expect(await parse(body)).toMatchObject({ fields: {}, count: 0 });
    }
  });

  it('returns no count if the body has no list', async () => {
    expect(await parse('{"a":1}')).toMatchObject({ fields: { a: 1 }, count: undefined });
    for (const value of [null, {}, { a: [1] }, 'x', 1, '[1]']) {
      const batch = await parse(JSON.stringify({ profiles: value }));
      expect(batch.fields).toEqual({ profiles: value });
      expect(batch.count).toBeUndefined();
    }
  });

  it('returns no parameters for an empty body', async () => {
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
      const batch = await parse(body);
      expect(Object.keys(batch.fields)).toEqual([]);
      expect(batch.count).toBeUndefined();
      await parseBothWays(body);
    }
  });

  it('uses the last value of a repeated key', async () => {
    expect(await parse('{"a":1,"profiles":[1],"a":2,"profiles":[2,3]}')).toMatchObject({ fields: { a: 2 }, count: 2 });
    expect((await parse('{"profiles":[1],"profiles":[2,3]}')).slice(0, 1)[0]).toBe(2);
    expect(await parse('{"profiles":[1],"profiles":"x"}')).toMatchObject({
      fields: { profiles: 'x' },
      count: undefined,
    });
    const last = await parse('{"profiles":"x","\\u0070rofiles":[1]}');
    expect(Object.keys(last.fields)).toEqual([]);
    expect(last.count).toBe(1);
  });

  it('treats `__proto__` and `constructor` as ordinary keys', async () => {
    const before = Reflect.ownKeys(Object.prototype);
    const hostile = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const { fields } = await parse(hostile);
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect((await readJsonBatch(Buffer.from('{"__proto__":[1,2]}'), '__proto__', () => nextTurn())).count).toBe(2);
    expect(await parseBothWays(`{"profiles":[${hostile}]}`)).toContain('__proto__');
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before);
  });
});

describe('an invalid body', () => {
  it('rejects malformed and truncated JSON', async () => {
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
      expect([body, await parseBothWays(body)]).toEqual([body, '422 The body is not valid JSON']);
    }
  });

  it('rejects JSON that is not an object', async () => {
    for (const body of ['[]', ' [ ] ', '[{"profiles":[1]},2]', '"a"', '1', 'true', ' null ', `[${nested(100)}]`]) {
      expect([body, await parseBothWays(body)]).toEqual([body, '422 The body must be a JSON object']);
    }
  });

  it('rejects invalid UTF-8 before anything else', async () => {
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
      expect(await parseBothWays(body)).toBe('422 The body is not valid UTF-8');
    }
  });

  it('rejects more than 64 levels, except under a key that is repeated later', async () => {
    const kinds = [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const;
    const tooDeep = '422 The body is nested deeper than 64 levels';
    for (const kind of kinds) {
      expect(await parseBothWays(`{"a":${nested(64, kind)}}`)).toContain('[["a",');
      expect(await parseBothWays(`{"profiles":[0,${nested(63, kind)}]}`)).toContain('[["profiles",');
      for (const levels of [65, 1000]) {
        expect(await parseBothWays(`{"a":${nested(levels, kind)}}`)).toBe(tooDeep);
        expect(await parseBothWays(`{"profiles":[0,${nested(levels - 1, kind)},0]}`)).toBe(tooDeep);
        for (const hidden of [
          `{"a":${nested(levels, kind)},"a":1}`,
          `{"profiles":[${nested(levels, kind)}],"profiles":[]}`,
          `{"profiles":[${nested(levels, kind)}],"profiles":1}`,
          `{"profiles":[{"a":${nested(levels, kind)},"a":1}]}`,
        ]) {
          expect(await parseBothWays(hidden)).not.toContain('422');
        }
      }
      expect(await parseBothWays(`{"profiles":[${nested(65, kind)}`)).toBe('422 The body is not valid JSON');
    }
  });
});

describe('the end of a slice', () => {
  const text = ' "a" : "\\"\\\\" , "profiles" : [ {"é😀":"\\\\\\"]"} , -1.5e3 , [ ] ] , "b" : { } } ';

  it('loses nothing at the end of a slice', async () => {
    const expected = await parseBothWays(`{${text}`);
    expect(expected).not.toContain('422');
    for (let before = 0; before <= text.length + 8; before++) {
      expect(await parseBothWays(`{${' '.repeat(slice - before)}${text}`)).toBe(expected);
    }
  });

  it('rejects a comma before the end of the list, also at the end of a slice', async () => {
    for (let length = slice - 3; length <= slice + 3; length++) {
      const item = `"${'x'.repeat(length - 2)}"`;
      expect(await parseBothWays(`{"profiles":[${item},1]}`)).not.toContain('422');
      for (const end of [',]', ', ]', ',', ',,1]', ':1]', '}']) {
        expect(await parseBothWays(`{"profiles":[${item}${end}}`)).toBe('422 The body is not valid JSON');
      }
    }
  });

  it('keeps a character that two slices share', async () => {
    const head = '{"profiles":["';
    for (const character of ['é', '漢', '😀']) {
      for (let before = 0; before <= 5; before++) {
        const start = head + 'x'.repeat(utf8Slice - head.length - before) + character.repeat(3);
        expect(await parseBothWays(`${start}"]}`)).not.toContain('422');
        for (const wrong of [[0x80], [0xf0, 0x9f]]) {
          const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from('"]}')]);
          expect(await parseBothWays(bytes)).toBe('422 The body is not valid UTF-8');
        }
      }
    }
    expect(await parseBothWays(Buffer.alloc(utf8Slice + 10, 0x80))).toBe('422 The body is not valid UTF-8');
  });
});

describe('random bodies', () => {
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
  /** Generates objects. Some of their keys are repeated. */
  const object = fc
    .tuple(fc.constantFrom('', '\ufeff'), space, fc.array(member, { maxLength: 6 }))
    .map(([mark, around, members]) => `${mark}${around}{${members.join(',') || around}}${around}`);

  it('parses a body as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), value), value, fc.nat(4), async (fields, items, indent) => {
        const text = JSON.stringify({ ...fields, [list]: items }, null, indent);
        const parsed = JSON.parse(text);
        const batch = await parse(text);
        expect(textOf(wholeOf(batch))).toBe(textOf(parsed));
        expect(batch.count).toBe(Array.isArray(items) ? items.length : undefined);
      }),
      { numRuns: randomRuns(100) },
    );
    await fc.assert(
      fc.asyncProperty(object, async (text) => {
        expect(await parseBothWays(text)).toBe(textOf(JSON.parse(text.replace(/^\ufeff/, ''))));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('rejects a truncated or changed body exactly when parseBody rejects it', async () => {
    await fc.assert(
      fc.asyncProperty(object, fc.nat(), async (text, at) => {
        const bytes = Buffer.from(text);
        await parseBothWays(bytes.subarray(0, at % bytes.length));
      }),
      { numRuns: randomRuns(200) },
    );
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\[]{},: 01e-\n\ufeff')), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(object, fc.nat(), byte, async (text, at, change) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = change;
        await parseBothWays(bytes);
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
        await parseBothWays(text);
        await parseBothWays(`{"profiles":[${text}]}`);
        await parseBothWays(`{"profiles":${text}}`);
      }),
      { numRuns: randomRuns(600) },
    );
  });
});

describe('a hostile body', () => {
  const large = 16 * 1024 * 1024;

  it('accepts five million items', async () => {
    const batch = await parse(`{"profiles":[${'{},'.repeat(4_999_999)}{"last":1}],"a":1}`);
    expect(batch).toMatchObject({ fields: { a: 1 }, count: 5_000_000 });
    expect(batch.slice(2_500_000, 2500001)[0]).toEqual({});
    expect(batch.slice(4_999_999, 5000000)[0]).toEqual({ last: 1 });
  });

  it('rejects 100,000 nested brackets', async () => {
    const open = '['.repeat(100_000);
    const close = ']'.repeat(100_000);
    expect(await parseBothWays(`{"profiles":[1,${open}${close},2]}`)).toBe(
      '422 The body is nested deeper than 64 levels',
    );
    expect(await parseBothWays(`{"profiles":[1,${open}`)).toBe('422 The body is not valid JSON');
    expect(await parseBothWays(`{"profiles":[1,${open}${close}}`)).toBe('422 The body is not valid JSON');
    expect(await parseBothWays(open + close)).toBe('422 The body must be a JSON object');
  });

  it('accepts one string of 16 MB', async () => {
    for (const text of ['x'.repeat(large), '"'.repeat(large / 2)]) {
      const json = JSON.stringify(text);
      expect((await parse(`{"profiles":[${json}]}`)).slice(0, 1)[0] === text).toBe(true);
      expect((await parse(`{"a":${json}}`)).fields.a === text).toBe(true);
      expect(await outcomeOf(parse(`{"profiles":[${json.slice(0, -1)}`))).toBe('422 The body is not valid JSON');
    }
  });
});

it('lets other work run while it parses a large body', async () => {
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
    await parse(body);
    reading = false;
    expect(turns).toBeGreaterThanOrEqual(megabyte / slice - 1);
  }
});
