import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { Id, Nullable, OneOf, pageParameters, Text, Time } from '../basics/schema.ts';
import { compileReader } from './read.ts';

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const id = '5fb70dcbc39330000325a817';
const otherId = '5fb70dcbc39330000325a818';

/** Reads one parameter `it` of this type. */
function readWhole(schema: object, input: unknown): unknown {
  const reading = compileReader<{ it: unknown }>(Type.Object({ it: Type.Unsafe(schema) }))({ it: input }, NOW);
  return 'problems' in reading ? reading.problems : reading.value.it;
}

/** The same, with what was expected, and without what was sent instead. */
function readIt(schema: object, input: unknown): unknown {
  const read = readWhole(schema, input);
  return Array.isArray(read) ? read.map(withoutSent) : read;
}

function withoutSent<T>(problem: T): T | string {
  return typeof problem === 'string'
    ? problem.replace(/^(`it.*?` must be (?!one value).*?), not (?:"[^"]*"|[^:]+)/, '$1')
    : problem;
}

/** The value of each input, or the problems of a rejected one. */
function readEach(schema: object, input: readonly unknown[]): unknown[] {
  return input.map((item) => readIt(schema, item));
}

function fromJson(text: string): unknown {
  return JSON.parse(text);
}

describe('texts', () => {
  it('reads a text unchanged', () => {
    const texts = ['a', ' a b ', '12', 'true', '{"a":1}', '用户 😀', 'x\ny'];
    expect(readEach(Text('a name'), texts)).toEqual(texts);
  });

  it('rejects a value that is not a text', () => {
    const problem = ['`it` must be a text: give a name'];
    expect(readEach(Text('a name'), [12, true, null, {}])).toEqual([problem, problem, problem, problem]);
    expect(readIt(Text('a name'), ['a', 'b'])).toEqual(['`it` must be one value, not a list']);
    expect(readIt({ type: 'string' }, 12)).toEqual(['`it` must be a text']);
  });

  it('rejects a blank text only where a text is required', () => {
    const problem = ['`it` must not be blank: give a name'];
    expect(readEach(Text('a name'), ['', ' ', '\t\n', '\u00a0'])).toEqual([problem, problem, problem, problem]);
    expect(readEach({ type: 'string' }, ['', ' '])).toEqual(['', ' ']);
  });

  it('counts characters, not units of UTF-16', () => {
    const schema = { type: 'string', minLength: 3, maxLength: 4 };
    const fitting = ['abc', 'abcd', '😀😀😀', '😀😀😀😀', '😀bc'];
    expect(readEach(schema, fitting)).toEqual(fitting);
    const short = ['`it` has 2 characters: 3 at least'];
    expect(readEach(schema, ['ab', '😀😀', 'a😀'])).toEqual([short, short, short]);
    expect(readIt(schema, '😀')).toEqual(['`it` has 1 character: 3 at least']);
    const long = ['`it` has 5 characters: 4 at most'];
    expect(readEach(schema, ['abcde', '😀😀😀😀😀', 'abcd😀'])).toEqual([long, long, long]);
  });

  it('applies the length limits to every text', () => {
    const unit = fc.constantFrom('a', '😀', '用');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), fc.nat(6), fc.nat(6), (text, minLength, more) => {
        const length = [...text].length;
        const fits = length >= minLength && length <= minLength + more;
        const read = readIt({ type: 'string', minLength, maxLength: minLength + more }, text);
        expect(read === text).toBe(fits);
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it('rejects NUL characters and lone surrogates', () => {
    const problem = ['`it` must be valid Unicode without NUL characters'];
    const input = ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800'];
    expect(readEach(Text('a name'), input)).toEqual(input.map(() => problem));
    expect(readEach({ type: 'string' }, input)).toEqual(input.map(() => problem));
  });

  it('rejects a text that does not match its pattern', () => {
    const color = { type: 'string', pattern: '^[0-9A-F]{6}$', description: '6 hex digits' };
    expect(readIt(color, '1E90FF')).toBe('1E90FF');
    const problem = ['`it` must be 6 hex digits'];
    expect(readEach(color, ['1E90F', '#1E90FF', '1E90FF\n', ''])).toEqual([problem, problem, problem, problem]);
  });

  it('accepts only the listed words', () => {
    const schema = OneOf(['off', 'on']);
    expect(readEach(schema, ['off', 'on'])).toEqual(['off', 'on']);
    const problem = ['`it` must be one of `off`, `on`'];
    const wrong = ['ON', '', 'toString', true, 0, null, {}];
    expect(readEach(schema, wrong)).toEqual(wrong.map(() => problem));
  });
});

describe('what was sent instead', () => {
  const sizes = OneOf(['big', 'small']);
  it.each<[what: string, schema: object, input: unknown, problem: string]>([
    ['a word', sizes, 'huge', 'must be one of `big`, `small`, not "huge"'],
    ['a long word', sizes, 'x'.repeat(50), `must be one of \`big\`, \`small\`, not "${'x'.repeat(40)}…"`],
    ['lines', sizes, 'a\r\nb', 'must be one of `big`, `small`, not "a b"'],
    ['an empty text', sizes, '', 'must be one of `big`, `small`, not an empty text'],
    ['a number', { type: 'integer' }, '1.5', 'must be a whole number, not "1.5"'],
    ['null', { type: 'boolean' }, null, 'must be `true` or `false`, not null'],
    ['an object', Id, {}, 'must be an ID: 24 lowercase hex digits, not an object'],
    ['a list', Id, [id], 'must be an ID: 24 lowercase hex digits, not a list'],
    ['a list for a word', sizes, ['big', 'small'], 'must be one value, not a list'],
    ['a number for a text', Text('a name'), 12, 'must be a text, not a number: give a name'],
    ['a text for a list', Type.Array(Type.Integer()), 'x', 'must be a list, not a text'],
  ])('is in the message: %s', (_, schema, input, problem) => {
    expect(readWhole(schema, input)).toEqual([`\`it\` ${problem}`]);
  });

  it('is not repeated where it can be a password or what a user has written', () => {
    const texts = [
      { ...Text('a password', 72), minLength: 8 },
      { ...Text('a code'), pattern: '^[0-9]+$' },
    ];
    for (const schema of texts) expect(JSON.stringify(readWhole(schema, 'hunter2'))).not.toContain('hunter2');
  });
});

describe('numbers', () => {
  it('reads numbers, also as texts', () => {
    expect(readEach({ type: 'number' }, [0, -1.5, '12', '-1.5', '+3', '007', 1e21])).toEqual([
      0, -1.5, 12, -1.5, 3, 7, 1e21,
    ]);
    expect(readEach({ type: 'integer' }, [0, -3, '12', '12.0', 12.0])).toEqual([0, -3, 12, 12, 12]);
  });

  it('rejects a value that is not a number', () => {
    const wrong = ['', ' ', '1e3', '0x10', '1,5', '.5', '5.', 'NaN', 'Infinity', '９', true, null, {}, '9'.repeat(400)];
    expect(readEach({ type: 'number' }, wrong)).toEqual(wrong.map(() => ['`it` must be a number']));
    expect(readIt({ type: 'number' }, [1])).toEqual(['`it` must be one value, not a list']);
  });

  it('rejects a fraction where a whole number is required', () => {
    const problem = ['`it` must be a whole number'];
    expect(readEach({ type: 'integer' }, [1.5, '1.5', '1.0000001'])).toEqual([problem, problem, problem]);
  });

  it('rejects numbers outside the limits', () => {
    const schema = { type: 'integer', minimum: 1, maximum: 10, description: 'a number of 1 to 10' };
    expect(readEach(schema, [1, '10'])).toEqual([1, 10]);
    const problem = ['`it` must be a number of 1 to 10'];
    expect(readEach(schema, [0, '11', -1, 1e300])).toEqual([problem, problem, problem, problem]);
  });

  it('reads every number without an exponent from its digits', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (number) => readIt({ type: 'integer' }, String(number)) === number));
  });
});

describe('booleans', () => {
  it('reads true and false, also as texts', () => {
    expect(readEach({ type: 'boolean' }, [true, 'true', false, 'false'])).toEqual([true, true, false, false]);
  });

  it('rejects everything else', () => {
    const wrong = [1, 0, '1', '0', 'yes', 'TRUE', '', null, [], {}, [true]];
    expect(readEach({ type: 'boolean' }, wrong)).toEqual(wrong.map(() => ['`it` must be `true` or `false`']));
  });
});

describe('IDs, times and places', () => {
  it('reads an ID and rejects anything else', () => {
    expect(readIt(Id, id)).toBe(id);
    const wrong = ['', id.toUpperCase(), `${id}0`, 12, null, [id], `${id}\n`];
    expect(readEach(Id, wrong)).toEqual(wrong.map(() => ['`it` must be an ID: 24 lowercase hex digits']));
  });

  it('reads a time to milliseconds', () => {
    const times = ['2029-04-07T12:18:00.000Z', '2029-04-07 12:18', '$now', '+1h', NOW / 1000, String(NOW / 1000)];
    expect(readEach(Time, times)).toEqual([NOW, NOW, NOW, NOW + 3_600_000, NOW, NOW]);
  });

  it('rejects a value that is not a time, with an example of one', () => {
    const wrong = ['', 'soon', '2029-02-30', -1, true, null, ['$now'], {}];
    const problem = expect.stringMatching(/^`it` must be a time such as `2029-04-07T12:18:00\.000Z`/);
    expect(readEach(Time, wrong)).toEqual(wrong.map(() => [problem]));
  });

  it('reads a place as an ID or as a time', () => {
    const place = { type: 'string', format: 'place', description: 'an ID or a time' };
    expect(readEach(place, [id, '2029-04-07', NOW / 1000])).toEqual([id, Date.UTC(2029, 3, 7), NOW]);
    const problem = ['`it` must be an ID or a time'];
    expect(readEach(place, ['', 'abc', id.toUpperCase(), null, [id]])).toEqual([
      problem,
      problem,
      problem,
      problem,
      problem,
    ]);
  });
});

describe('lists', () => {
  const words = { type: 'array', items: { type: 'string' } };
  const numbers = { type: 'array', items: { type: 'integer' } };

  it('reads a list in every encoding', () => {
    const forms = [
      ['a', 'b'],
      '["a","b"]',
      ' ["a", "b"]',
      'a,b',
      'a, b',
      { 0: 'a', 1: 'b' },
      fromJson('{"1":"b","0":"a"}'),
    ];
    expect(readEach(words, forms)).toEqual(forms.map(() => ['a', 'b']));
  });

  it('reads a single word as a list with one item', () => {
    expect(readIt(words, 'a')).toEqual(['a']);
    expect(readIt(words, '[a')).toEqual(['[a']);
  });

  it('splits at commas only in lists of words', () => {
    expect(readEach(numbers, [[1, '2'], '[1,2]', { 0: '1', 1: '2' }])).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    const problem = ['`it` must be a list'];
    expect(readEach(numbers, ['1,2', '1'])).toEqual([problem, problem]);
  });

  it('reads an empty value as an empty list, so that a form can clear one', () => {
    expect(readEach(words, ['', '[]', []])).toEqual([[], [], []]);
  });

  it('rejects a value that is not a list', () => {
    const wrong = [
      1,
      true,
      null,
      {},
      { a: 'x' },
      { 1: 'x' },
      { 0: 'x', 2: 'y' },
      { 0: 'x', length: 'y' },
      { '00': 'x' },
    ];
    expect(readEach(words, wrong)).toEqual(wrong.map(() => ['`it` must be a list']));
    expect(readEach(numbers, ['{"0":1}', '[1', '[1]]'])).toEqual([
      ['`it` must be a list'],
      ['`it` must be a list'],
      ['`it` must be a list'],
    ]);
  });

  it('applies the limits of a list', () => {
    const ids = Type.Array(Id, { minItems: 1, maxItems: 2, description: 'a list of IDs' });
    expect(readEach(ids, [[id], `${id},${otherId}`])).toEqual([[id], [id, otherId]]);
    expect(readIt(ids, [])).toEqual(['`it` must hold at least 1: a list of IDs']);
    expect(readIt(ids, [id, id, id])).toEqual(['`it` holds 3: 2 at most']);
    expect(readIt(ids, 5)).toEqual(['`it` must be a list of IDs']);
  });

  it('reports every wrong item with its path', () => {
    expect(readIt(numbers, [1, 'x', 3, null, [5]])).toEqual([
      '`it[1]` must be a whole number',
      '`it[3]` must be a whole number',
      '`it[4]` must be one value, not a list',
    ]);
  });
});

describe('an empty text', () => {
  const list = Type.Array(Id, { description: 'a list of IDs' });
  const filters = { format: 'filters' };
  const object = { type: 'object', properties: {}, description: 'an object' };
  const blank = ['`it` must not be blank: give a key'];
  const key = { format: 'external', description: 'a key' };
  it.each<[what: string, schema: object, inAForm: unknown, inJson: unknown]>([
    ['a text', { type: 'string' }, '', ''],
    ['a text or null', Nullable(Text('a name')), null, null],
    ['a key or null', Nullable(key as never), null, blank],
    ['an ID or null', Nullable(Id), null, ['`it` must be an ID: 24 lowercase hex digits']],
    ['a time or null', Nullable(Time), null, [expect.stringContaining('`it` must be ')]],
    ['a number or null', Nullable(Type.Integer()), null, ['`it` must be a whole number']],
    ['a boolean or null', Nullable(Type.Boolean()), null, ['`it` must be `true` or `false`']],
    ['a word or null', Nullable(OneOf(['a', 'b'])), null, ['`it` must be one of `a`, `b`']],
    ['a list', list, [], ['`it` must be a list of IDs']],
    ['a list or null', Nullable(list), null, ['`it` must be a list of IDs']],
    ['filters', filters, [], ['`it` must be a list of filters']],
    ['an object', object, ['`it` must be an object'], ['`it` must be an object']],
    ['an object or null', Nullable(object as never), null, ['`it` must be an object']],
  ])('means for %s what the encoding can express', (_what, schema, inAForm, inJson) => {
    const read = compileReader<{ it: unknown }>(Type.Object({ it: Type.Unsafe(schema) }));
    const input = { it: '' };
    const shown = (json?: object) => {
      const reading = read(input, NOW, json);
      return 'problems' in reading ? reading.problems.map(withoutSent) : reading.value.it;
    };
    expect([shown(), shown({}), shown(input)]).toEqual([inAForm, inAForm, inJson]);
  });

  it('is a text inside JSON in a form', () => {
    const schema = Type.Object({ it: Type.Object({ at: Nullable(Time) }) });
    const reading = compileReader(schema)({ it: '{"at":""}' }, NOW);
    expect(reading).toEqual({ problems: [expect.stringContaining('`it.at` must be ')] });
  });
});

describe('nullable values', () => {
  it('reads null, and the empty value that forms write for it', () => {
    for (const schema of [Nullable(Text('a name')), Nullable(Time), Nullable(Id), Nullable(Type.Integer())]) {
      expect(readEach(schema, [null, ''])).toEqual([null, null]);
    }
  });

  it('reads other values by their type', () => {
    expect(readEach(Nullable(Text('a name')), ['a', 'null'])).toEqual(['a', 'null']);
    expect(readEach(Nullable(Type.Integer()), ['7', 0])).toEqual([7, 0]);
    expect(readEach(Nullable(Type.Boolean()), ['false', false])).toEqual([false, false]);
    expect(readIt(Nullable(Text('a name')), ' ')).toEqual(['`it` must not be blank: give a name']);
    expect(readIt(Nullable(Id), 'x')).toEqual(['`it` must be an ID: 24 lowercase hex digits']);
  });
});

describe('objects', () => {
  const Item = Type.Object({ name: Text('a name'), size: Type.Optional(Type.Integer()) });
  const read = compileReader(
    Type.Object({
      title: Text('a title'),
      kind: OneOf(['big', 'small'], { default: 'small' }),
      note: Type.Optional(Nullable(Text('a note'))),
      owner: Type.Optional(Item),
      items: Type.Optional(Type.Array(Item)),
    }),
  );

  it('fills in defaults and leaves out missing parameters', () => {
    expect(read({ title: 'a' }, NOW)).toEqual({ value: { title: 'a', kind: 'small' } });
    expect(read({ title: 'a', kind: 'big', note: null }, NOW)).toEqual({
      value: { title: 'a', kind: 'big', note: null },
    });
    expect(read({ title: 'a', kind: undefined, note: undefined }, NOW)).toEqual({
      value: { title: 'a', kind: 'small' },
    });
  });

  it('does not require a parameter that has a default', () => {
    expect(compileReader(Type.Object(pageParameters))({}, NOW)).toEqual({ value: { limit: 50 } });
  });

  it('drops unknown keys at every depth', () => {
    const input = {
      title: 'a',
      other: 1,
      owner: { name: 'o', other: 2 },
      items: [{ name: 'i', size: '3', other: {} }],
    };
    const value = { title: 'a', kind: 'small', owner: { name: 'o' }, items: [{ name: 'i', size: 3 }] };
    expect(read(input, NOW)).toEqual({ value });
  });

  it('reads objects from JSON text or from keys of a URL', () => {
    const value = { title: 'a', kind: 'small', owner: { name: 'o' }, items: [{ name: 'i' }] };
    expect(read({ title: 'a', owner: '{"name":"o"}', items: '[{"name":"i"}]' }, NOW)).toEqual({ value });
    const bare = Object.assign(Object.create(null), { title: 'a', owner: { name: 'o' }, items: { 0: '{"name":"i"}' } });
    expect(read(bare, NOW)).toEqual({ value });
  });

  it('reports every problem with its path', () => {
    const input = { kind: 'huge', note: 5, owner: { size: 'x' }, items: [{ name: 'a' }, 7, { name: '', size: 1.5 }] };
    expect(read(input, NOW)).toEqual({
      problems: [
        '`title` is required: give a title',
        '`kind` must be one of `big`, `small`, not "huge"',
        '`note` must be a text, not a number: give a note',
        '`owner.name` is required: give a name',
        '`owner.size` must be a whole number, not "x"',
        '`items[1]` must be an object, not a number',
        '`items[2].name` must not be blank: give a name',
        '`items[2].size` must be a whole number, not 1.5',
      ],
    });
  });

  it('lists the choices for a required word', () => {
    const reading = compileReader(Type.Object({ kind: OneOf(['a', 'b']), name: Type.String() }))({}, NOW);
    expect(reading).toEqual({ problems: ['`kind` is required: give one of `a`, `b`', '`name` is required'] });
  });

  it('rejects parameters that are not an object', () => {
    const wrong = [null, undefined, 5, true, [], 'text', '[1]', '{'];
    expect(wrong.map((input) => read(input, NOW))).toEqual(
      wrong.map(() => ({ problems: [expect.stringMatching(/^The parameters must be an object, not /)] })),
    );
  });

  it('treats inherited keys as unknown', () => {
    const hostile =
      '{"title":"a","__proto__":{"kind":"big","polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}';
    const reading = read(fromJson(hostile), NOW);
    expect(reading).toEqual({ value: { title: 'a', kind: 'small' } });
    expect('value' in reading && Object.getPrototypeOf(reading.value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('does not read a parameter from a prototype', () => {
    const readNames = compileReader(
      Type.Object({ toString: Text('a name'), constructor: Type.Optional(Type.String()) }),
    );
    expect(readNames({}, NOW)).toEqual({ problems: ['`toString` is required: give a name'] });
    const reading = readNames(fromJson('{"toString":"a","__proto__":{"constructor":"b"}}'), NOW);
    expect(Object.entries('value' in reading ? (reading.value as object) : {})).toEqual([['toString', 'a']]);
  });
});

describe('compileReader', () => {
  it('throws for a schema that it does not support', () => {
    expect(() => compileReader({})).toThrow('cannot be read');
    expect(() => compileReader(Type.Object({ any: Type.Unknown() }))).toThrow('cannot be read');
    expect(() => compileReader(Type.Object({ both: Type.Union([Type.String(), Type.Integer()]) }))).toThrow(
      'something or null',
    );
  });

  const everything = Type.Object({
    text: Type.Optional(Text('a text')),
    word: OneOf(['off', 'on'], { default: 'on' }),
    whole: Type.Optional(Type.Integer({ minimum: -5 })),
    number: Type.Optional(Type.Number()),
    flag: Type.Optional(Type.Boolean()),
    id: Type.Optional(Id),
    none: Type.Optional(Nullable(Text('a text'))),
    words: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
    numbers: Type.Optional(Type.Array(Type.Integer())),
    nested: Type.Optional(
      Type.Object({ items: Type.Array(Type.Object({ name: Text('a name'), flag: Type.Boolean() })) }),
    ),
  });
  const withTimes = Type.Object({ ...everything.properties, time: Type.Optional(Nullable(Time)), ...pageParameters });
  const readEverything = compileReader<Record<string, unknown>>(everything);
  const readWithTimes = compileReader<Record<string, unknown>>(withTimes);

  const jsonText = fc.json({ maxDepth: 3 });
  const plausible = fc.oneof(
    fc.constantFrom(
      'off',
      'on',
      'true',
      'false',
      true,
      false,
      null,
      '',
      id,
      '12',
      12,
      -1,
      1.5,
      '$now',
      '2029-04-07',
      'a,b',
    ),
    fc.constantFrom<unknown>(['a'], [1, '2'], { items: [{ name: 'a', flag: 'true' }] }, '{"items":[]}', { 0: '1' }),
  );
  const value = fc.oneof(
    { weight: 4, arbitrary: plausible },
    fc.jsonValue(),
    jsonText,
    fc.string({ unit: 'binary' }),
    fc.double(),
  );
  const key = fc.constantFrom(...Object.keys(withTimes.properties), '__proto__', 'constructor', 'toString', 'other');
  const input = fc.oneof(
    fc.array(fc.tuple(key, value)).map((pairs) => {
      const object: Record<string, unknown> = Object.create(null);
      for (const [name, item] of pairs) object[name] = item;
      return object;
    }),
    fc.jsonValue(),
    jsonText,
  );

  it('returns only known keys, or problems, for any value', () => {
    const known = new Set(Object.keys(withTimes.properties));
    fc.assert(
      fc.property(input, (parameters) => {
        const reading = readWithTimes(parameters, NOW);
        if ('problems' in reading) {
          expect(reading.problems.length).toBeGreaterThan(0);
          for (const problem of reading.problems)
            expect(problem).toMatch(/^(The parameters|`[\w.[\]]+`) (is|must|holds) ?/);
        } else {
          expect(Object.keys(reading.value).filter((name) => !known.has(name))).toEqual([]);
          expect(Object.values(reading.value)).not.toContain(undefined);
        }
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('returns its own output unchanged', () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const reading = readEverything(parameters, NOW);
        if ('value' in reading) expect(readEverything(reading.value, NOW)).toEqual(reading);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('does not change its input', () => {
    fc.assert(
      fc.property(input, (parameters) => {
        const before = JSON.stringify(parameters);
        readWithTimes(parameters, NOW);
        expect(JSON.stringify(parameters)).toBe(before);
      }),
    );
  });

  it('reads JSON text of any depth without overflowing', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(readIt({ type: 'array', items: { type: 'integer' } }, deep)).toEqual([
      '`it[0]` must be one value, not a list',
    ]);
    expect(readIt(Type.Object({ a: Type.Integer() }), `{"a":${deep}}`)).toEqual([
      '`it.a` must be one value, not a list',
    ]);
  });
});
