import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { type Lookup, later, type PlainText, plainText, resolve, valueAt } from './merge.ts';
import { listMergePaths, parseText } from './merge-tag.ts';

function parsed(source: string): PlainText {
  const text = parseText(source);
  if ('problem' in text) throw new Error(`${source}: ${text.problem}`);
  return text;
}

function problemOf(source: string): string {
  const text = parseText(source);
  return 'problem' in text ? text.problem : 'none';
}

function lookupIn(values: { prop?: unknown; option?: unknown; global?: unknown; answer?: unknown }): Lookup {
  return (of, path) => valueAt(values[of], path);
}

function shown(source: string, prop: unknown = {}, option: unknown = {}): string {
  return plainText(resolve(parsed(source), lookupIn({ prop, option })));
}

function escaped(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

const pieces = fc.constantFrom(
  ...['{{', '}}', '{', '}', '\\', '#if ', '{{#if a}}', '{{else}}', '{{else if b == 1}}', '{{/if}}', '{{a}}'],
  ...['{{ b.c }}'],
  ...['delivery ', '"', "'", '|', 'fallback:', ' == ', '>', 'null', '1', '-', '.', '\n', 'é', '😀', '\ud800'],
  ...['\0', ' ', '{{if a}}', '{{elseif b}}', '{{if ', ' && ', ' || ', '!', '(', ')', ' includes ', ' matches '],
  ...['time_ago ', ' in="weeks"', 'global ', ' fallback=', 'delivery "a"', '"^x"'],
);
const nearlyText = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((list) => list.join('')),
  fc.string({ unit: 'binary' }),
);

/** Any test of a condition that parses. */
const goodTest: fc.Arbitrary<string> = fc.letrec<{ test: string; part: string }>((tie) => ({
  test: fc.oneof(
    { depthSize: 'small' },
    tie('part'),
    fc.tuple(tie('test'), tie('test')).map((parts) => parts.join(' && ')),
    fc.tuple(tie('test'), tie('test')).map((parts) => parts.join('||')),
    tie('test').map((test) => `!(${test})`),
    tie('test').map((test) => `( ${test} )`),
  ),
  part: fc.constantFrom(
    ...['a', '!b', 'b == "x"', 'c != null', 'delivery "b" > 3', '{delivery "a"} contains "x"', 'a includes true'],
    ...['b matches "^x?$"', '{global "a"}', 'global "a.b" == 1', '{time_ago a in="days"} >= 2'],
  ),
})).test;

/** Any text with tags that parses. */
const goodText: fc.Arbitrary<string> = fc.letrec<{ text: string; part: string }>((tie) => ({
  text: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('words ', '{{a}}', '{{b}}', '{{c | fallback: "none"}}', '{{delivery "a"}}', '\\{{'),
    fc.constantFrom('{{global "a.b" fallback="-"}}', '{{time_ago a}}', '{{time_ago b in="days" fallback="0"}}'),
    fc.tuple(goodTest, tie('text'), tie('text')).map(([test, yes, no]) => `{{#if ${test}}}${yes}{{else}}${no}{{/if}}`),
  ),
})).text;
const someValues = fc.record({
  prop: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 1 })),
  option: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 })),
  global: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 })),
});

describe('parseText', () => {
  it('parses merge tags and conditions into a tree', () => {
    const expected: Record<string, PlainText> = {
      '': [],
      Hello: ['Hello'],
      'Hi {{first_name}}!': ['Hi ', { prop: 'first_name' }, '!'],
      '{{company.name}}': [{ prop: 'company.name' }],
      '{{\n firstName\t}}': [{ prop: 'first_name' }],
      '{{Company.Plan-Name}}': [{ prop: 'company.plan_name' }],
      '{{größe}}': [{ prop: 'größe' }],
      '{{a}}{{b}}': [{ prop: 'a' }, { prop: 'b' }],
      '{{a | fallback: "there"}}': [{ prop: 'a', or: 'there' }],
      "{{a|fallback:'it\\'s \"you\"'}}": [{ prop: 'a', or: 'it\'s "you"' }],
      '{{a | fallback: "}} {{ \\\\"}}': [{ prop: 'a', or: '}} {{ \\' }],
      '{{a | fallback: ""}}': [{ prop: 'a', or: '' }],
      '{{delivery "accountManager.0.Full Name"}}': [{ option: 'accountManager.0.Full Name' }],
      "{{ delivery 'x' | fallback: 'y' }}": [{ option: 'x', or: 'y' }],
      '{{delivery}}': [{ prop: 'delivery' }],
      '\\{{first_name}} } {': ['{{first_name}} } {'],
      '\\\\{{a}}': ['\\{{a}}'],
      '{{#if plan}}A{{/if}}': [{ if: { prop: 'plan' }, show: ['A'] }],
      '{{ # if a >= -1.5 }}A{{ else }}B{{ / if }}': [
        { if: { prop: 'a', op: '>=', to: -1.5 }, show: ['A'], else: ['B'] },
      ],
      '{{#if delivery "n" < 3}}A{{/if}}': [{ if: { option: 'n', op: '<', to: 3 }, show: ['A'] }],
      '{{#if a == null}}{{/if}}': [{ if: { prop: 'a', op: '==', to: null }, show: [] }],
      '{{#if a != true}}{{/if}}': [{ if: { prop: 'a', op: '!=', to: true }, show: [] }],
      '{{#if a}}1{{else if b == false}}2{{else}}3{{/if}}4': [
        {
          if: { prop: 'a' },
          show: ['1'],
          else: [{ if: { prop: 'b', op: '==', to: false }, show: ['2'], else: ['3'] }],
        },
        '4',
      ],
      '{{#if a}}{{#if b}}x{{/if}}y{{/if}}': [{ if: { prop: 'a' }, show: [{ if: { prop: 'b' }, show: ['x'] }, 'y'] }],
    };
    const read = Object.keys(expected).map((source) => [source, parseText(source)]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('reads a compared value as filters do, and keeps it unchanged for a Delivery', () => {
    const expected: Record<string, unknown> = {
      'zip == "123"': 123,
      'uid == "123"': '123',
      'delivery "zip" == "123"': '123',
      'is_admin == "true"': true,
      'trial_ends_at > "2029-04-07"': '2029-04-07T00:00:00.000Z',
      'plan == "gold"': 'gold',
    };
    const read = Object.keys(expected).map((test) => {
      const [condition] = parsed(`{{#if ${test}}}{{/if}}`);
      const tested = typeof condition === 'object' && 'if' in condition ? condition.if : undefined;
      return [test, tested && 'to' in tested ? tested.to : undefined];
    });
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('describes a problem and its position', () => {
    const expected = {
      'Welcome back {{#if plan}} x': '`{{#if plan}}` is never closed with `{{/if}}` (character 14)',
      'Hi {{first_name': '`{{first_name` is never closed with `}}` (character 4)',
      'One\ntwo 😀 {{': '`{{` is never closed with `}}` (line 2, character 7)',
      '{{ }}': '`{{ }}` names no property: write it as `{{first_name}}` (character 1)',
      '{{-}}': '`{{-}}` names no property: `-` has a key without letters (character 1)',
      '{{upper name}}':
        '`{{upper name}}` is not understood: there is no helper `upper`: only `answer`, `delivery`, `global` and `time_ago` (character 1)',
      '{{name!}}': '`{{name!}}` is not understood from `!` on (character 1)',
      '{{a..b}}': '`{{a..b}}` is not understood from `..b` on (character 1)',
      '{{delivery ""}}': '`{{delivery ""}}` names no option: write it as `{{delivery "manager.name"}}` (character 1)',
      '{{delivery "a}}': '`{{delivery "a}}` has a quote that is never closed: `"` (character 1)',
      '{{a | upper}}': '`{{a | upper}}` is not understood: after `|` only `fallback: "…"` can follow (character 1)',
      '{{a | }}': '`{{a | }}` is not understood after `|` (character 1)',
      '{{a | fallback: you}}':
        '`{{a | fallback: you}}` needs its fallback in quotes, as `fallback: "there"` (character 1)',
      '{{#each a}}':
        '`{{#each a}}` is not understood: there are only `{{#if …}}`, `{{else if …}}`, `{{else}}` and `{{/if}}` (character 1)',
      '{{#if a}}{{else unless b}}{{/if}}':
        '`{{else unless b}}` is not understood: write it as `{{elseif !plan}}` (character 10)',
      '{{#if }}': '`{{#if }}` names no property: write it as `{{#if plan == "gold"}}` (character 1)',
      '{{#if a = 1}}':
        '`{{#if a = 1}}` compares with `=`: it must be one of `==`, `!=`, `>`, `>=`, `<`, `<=` (character 1)',
      '{{#if a == }}': '`{{#if a == }}` compares with nothing: write it as `{{#if plan == "gold"}}` (character 1)',
      '{{#if a == gold}}': '`{{#if a == gold}}` needs quotes, as `"gold"` (character 1)',
      '{{#if a > null}}': '`{{#if a > null}}` asks what is more or less than `null` (character 1)',
      'a {{/if}}': '`{{/if}}` belongs to no `{{#if …}}` (character 3)',
      'a {{else}}': '`{{else}}` belongs to no `{{#if …}}` (character 3)',
      '{{#if a}}{{else}}{{else}}{{/if}}': '`{{else}}` comes after the `{{else}}` of `{{#if a}}` (character 18)',
      '{{#if a}}{{else}}{{else if b}}{{/if}}':
        '`{{else if b}}` comes after the `{{else}}` of `{{#if a}}` (character 18)',
      '{{#if a}}{{#if b}}{{/if}}': '`{{#if a}}` is never closed with `{{/if}}` (character 1)',
      [`{{${'a'.repeat(50)}!}}`]: `\`{{${'a'.repeat(38)}…\` is not understood from \`!\` on (character 1)`,
    };
    const read = Object.keys(expected).map((source) => [source, problemOf(source)]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('accepts at most twenty nested conditions', () => {
    const nested = (depth: number) => '{{#if a}}'.repeat(depth) + '{{/if}}'.repeat(depth);
    expect(problemOf(nested(20))).toBe('none');
    expect(problemOf(nested(21))).toBe('`{{#if a}}` is nested deeper than 20 conditions (character 181)');
    expect(problemOf(`{{#if a}}${'{{else if b}}'.repeat(20)}{{/if}}`)).toContain('deeper than 20');
    expect(problemOf(nested(20).repeat(3))).toBe('none');
  });

  it('returns a tree or a problem for any text', () => {
    fc.assert(
      fc.property(nearlyText, (source) => {
        const text = parseText(source);
        if ('problem' in text) expect(text.problem).toMatch(/^`\{\{.* \((?:line \d+, )?character \d+\)$/u);
        else expect(JSON.parse(JSON.stringify(text))).toEqual(text);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it('returns any escaped text unchanged', () => {
    fc.assert(
      fc.property(nearlyText, (text) => {
        expect(shown(escaped(text))).toBe(text);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it.each([
    ['open braces', '{{'.repeat(100_000)],
    ['open and closed braces', '{{}}'.repeat(50_000)],
    ['escaped braces', '\\{{'.repeat(70_000)],
    ['tags', '{{a}}'.repeat(40_000)],
    ['conditions side by side', '{{#if a}}x{{else}}y{{/if}}'.repeat(8_000)],
    ['conditions in each other', '{{#if a}}'.repeat(22_000)],
    ['ends', '{{/if}}'.repeat(30_000)],
    ['a long name', `{{${'a.'.repeat(100_000)}a}}`],
    ['a long quote', `{{a | fallback: "${'\\"'.repeat(100_000)}"}}`],
    ['a quote without an end', `{{a | fallback: "${'\\"'.repeat(100_000)}`],
    ['spaces', `{{${' '.repeat(200_000)}`],
    ['signs', `{{#if a ${'='.repeat(200_000)}`],
    ['lines', `${'\n'.repeat(200_000)}{{`],
  ])('parses 200,000 characters of %s in time', (_, source) => {
    const text = parseText(source);
    if ('problem' in text) expect(text.problem.length).toBeLessThan(300);
    else expect(typeof plainText(resolve(text, () => 'v'))).toBe('string');
  });
});

describe('resolve', () => {
  it('writes values as people read them', () => {
    const values = {
      text: 'Ann',
      number: 1.5,
      zero: 0,
      yes: true,
      no: false,
      list: ['a', 2, true],
      time: '2029-04-07T12:18:00.000Z',
      tag: '{{text}} <b>**x**</b>',
      deep: { er: { est: 'down' } },
    };
    const expected = {
      '{{text}}': 'Ann',
      '{{number}}': '1.5',
      '{{zero}}': '0',
      '{{yes}}, {{no}}': 'true, false',
      '{{list}}': 'a, 2, true',
      '{{list.1}}': '2',
      '{{time}}': '2029-04-07T12:18:00.000Z',
      '{{tag}}': '{{text}} <b>**x**</b>',
      '{{deep.er.est}}': 'down',
      '[{{deep}}{{deep.er}}{{deep.er.est.x}}{{text.length}}{{list.length}}{{nothing}}]': '[]',
    };
    const read = Object.keys(expected).map((source) => [source, shown(source, values)]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('uses the fallback for a missing, null or empty value', () => {
    const source = '{{a | fallback: "there"}}';
    const values = [undefined, null, '', [], {}, [{}], 'Ann', 0, false];
    const texts = values.map((a) => shown(source, { a }));
    expect(texts).toEqual(['there', 'there', 'there', 'there', 'there', 'there', 'Ann', '0', 'false']);
  });

  it('finds options of the Delivery by their exact path', () => {
    const options = { accountManager: [{ 'Full Name': 'Bo' }], account_manager: 'wrong' };
    expect(shown('{{delivery "accountManager.0.Full Name"}}', {}, options)).toBe('Bo');
    expect(shown('{{delivery "accountManager.1.x" | fallback: "-"}}', {}, options)).toBe('-');
    expect(shown('{{accountManager}}', {}, options)).toBe('');
  });

  it('never reads inherited properties', () => {
    const names = ['__proto__', 'constructor', 'toString', 'constructor.name', '__proto__.constructor.name', 'length'];
    const own = { a: [], text: 'x' };
    const reached = names.flatMap((name) =>
      ['', 'a.', 'text.'].map((before) => [
        shown(`{{delivery "${before}${name}"}}`, {}, own),
        shown(`{{#if delivery "${before}${name}"}}there{{/if}}`, {}, own),
        valueAt(own, before + name),
      ]),
    );
    expect(new Set(reached.flat())).toEqual(new Set(['', undefined]));
    expect(shown('{{delivery "__proto__.a"}}', {}, JSON.parse('{"__proto__": {"a": "own"}}'))).toBe('own');
  });

  it('shows a branch when there is a value that is not false or empty', () => {
    const values = [undefined, null, '', false, [], 0, 'x', true, ['a'], {}];
    const shows = values.map((a) => shown('{{#if a}}yes{{else}}no{{/if}}', { a }) === 'yes');
    expect(shows).toEqual([false, false, false, false, false, true, true, true, true, true]);
  });

  it('compares only values of the same kind', () => {
    const values = {
      five: 5,
      gold: 'gold',
      yes: true,
      list: ['gold'],
      day: '2029-04-07T12:18:00.000Z',
      quoted: '"',
    };
    const pass = [
      ...['five == 5', 'five != 6', 'five > 4', 'five >= 5', 'five < 6', 'five <= 5', 'five == "5"', 'five < 10'],
      ...['gold == "gold"', 'gold != "Gold"', 'gold > "go"', 'gold < "h"', 'gold != 5', 'gold >= "gold"'],
      ...['yes == true', 'yes != false', 'yes != "yes"', 'list != "gold"', 'gold != null', 'none == null'],
      ...['none != "x"', 'none != 5', 'day > "2029-04-07"', 'day < "2029-04-08"', "quoted == '\"'", 'none != true'],
    ];
    const fail = [
      ...['five == 6', 'five != 5', 'five > 5', 'five < 5', 'five >= 6', 'five <= 4', 'five == "gold"', 'five > "a"'],
      ...['gold > 4', 'gold < 4', 'gold >= 4', 'gold <= 4', 'gold == true', 'yes > 0', 'yes >= 1', 'list == "gold"'],
      ...['none > 1', 'none < 1', 'none == ""', 'none == false', 'none >= ""', 'day > "a"', 'day < "a"', 'list > "a"'],
      ...['day > 5', 'gold == null', 'none != null'],
    ];
    const passed = [...pass, ...fail].filter((test) => shown(`{{#if ${test}}}yes{{/if}}`, values) === 'yes');
    expect(passed).toEqual(pass);
  });

  it('keeps tags whose values only the page knows', () => {
    const text = parsed('{{a}} {{b}}{{#if b}}{{a}}{{else}}{{b}}{{/if}}{{#if a}} yes{{/if}}');
    const rest = resolve(text, (_, path) => (path === 'b' ? later : 'A'));
    const tag = { prop: 'b' };
    expect(rest).toEqual(['A ', tag, { if: tag, show: ['A'], else: [tag] }, ' yes']);
    expect(plainText(resolve(rest, () => ''))).toBe('A  yes');
  });

  it('returns the same in one step and in two', () => {
    const paths = fc.subarray(['prop a', 'prop b', 'prop c', 'option a', 'option b', 'global a', 'global a.b']);
    fc.assert(
      fc.property(goodText, someValues, paths, (source, values, unknown) => {
        const lookup = lookupIn(values);
        const first: Lookup = (of, path) => (unknown.includes(`${of} ${path}`) ? later : lookup(of, path));
        const once = resolve(parsed(source), lookup);
        expect(resolve(resolve(parsed(source), first), lookup)).toEqual(once);
        expect(once.every((part) => typeof part === 'string')).toBe(true);
      }),
      { numRuns: randomRuns(400) },
    );
  });
});

describe('listMergePaths', () => {
  it('lists each property and option once', () => {
    const text = parsed('{{a}}{{a}}{{#if c.d == "prop"}}{{delivery "e"}}{{else if delivery "F"}}{{g}}{{/if}}');
    expect(listMergePaths(text)).toEqual({ props: ['a', 'c.d', 'g'], options: ['e', 'F'], globals: [], answers: [] });
    expect(listMergePaths(['plain'])).toEqual({ props: [], options: [], globals: [], answers: [] });
    const nested = parsed(
      '{{#if !(a || {time_ago b in="days"} > 1) && global "h.i"}}{{time_ago j}}{{global "K"}}{{/if}}',
    );
    expect(listMergePaths(nested)).toEqual({ props: ['a', 'b', 'j'], options: [], globals: ['h.i', 'K'], answers: [] });
  });

  it('lists every path that a text uses', () => {
    fc.assert(
      fc.property(goodText, (source) => {
        const text = parsed(source);
        const { props, options, globals, answers } = listMergePaths(text);
        const none = resolve(text, (of, path) => {
          expect({ prop: props, option: options, global: globals, answer: answers }[of]).toContain(path);
          return later;
        });
        expect(none).toEqual(text);
      }),
    );
  });
});

describe('the forms of other services', () => {
  const gold = { prop: 'plan', op: '==', to: 'gold' } as const;

  it('are parsed like our own', () => {
    const same: [string, string][] = [
      ["{{name fallback='there'}}", '{{name | fallback: "there"}}'],
      ['{{ name  fallback = "a \\"b\\"" }}', '{{name | fallback: "a \\"b\\""}}'],
      ['{{delivery "a.b" fallback="c"}}', '{{delivery "a.b" | fallback: "c"}}'],
      ['{{fallback}}', '{{ Fallback }}'],
      ["{{if plan == 'gold'}}1{{/if}}", '{{#if plan == "gold"}}1{{/if}}'],
      ['{{if a}}1{{elseif b}}2{{elsif c}}3{{else}}4{{/if}}', '{{#if a}}1{{else if b}}2{{else if c}}3{{else}}4{{/if}}'],
      ['{{if {delivery "a.b"} == 1}}1{{/if}}', '{{#if delivery "a.b" == 1}}1{{/if}}'],
      ['{{if a contains "x"}}1{{/if}}', '{{#if a includes "x"}}1{{/if}}'],
      ['{{if !!a}}1{{/if}}', '{{#if a}}1{{/if}}'],
      ['{{if ((a))}}1{{/if}}', '{{#if a}}1{{/if}}'],
    ];
    for (const [source, ours] of same) expect([source, parseText(source)]).toEqual([source, parseText(ours)]);
  });

  it('have conditions with `&&`, `||`, `!` and parentheses, where `&&` binds more', () => {
    const tests: Record<string, unknown> = {
      'a && b || c': { any: [{ all: [{ prop: 'a' }, { prop: 'b' }] }, { prop: 'c' }] },
      'a && (b || c)': { all: [{ prop: 'a' }, { any: [{ prop: 'b' }, { prop: 'c' }] }] },
      'a&&b&&c': { all: [{ prop: 'a' }, { prop: 'b' }, { prop: 'c' }] },
      '!a': { not: { prop: 'a' } },
      "!(plan=='gold')": { not: gold },
      'plan=="gold"&&!b': { all: [gold, { not: { prop: 'b' } }] },
      'roles includes "admin"': { prop: 'roles', op: 'includes', to: 'admin' },
      'roles contains 5': { prop: 'roles', op: 'includes', to: 5 },
      'email matches "@acme\\.com$"': { prop: 'email', op: 'matches', to: '@acme\\.com$' },
      'a matches "\\\\\\""': { prop: 'a', op: 'matches', to: '\\\\"' },
      'global "app.user" == "x"': { global: 'app.user', op: '==', to: 'x' },
      '{time_ago started_on in="weeks"} > 12': { prop: 'started_on', ago: 'weeks', op: '>', to: 12 },
      'time_ago started_on in="week" <= 12': { prop: 'started_on', ago: 'weeks', op: '<=', to: 12 },
      'includes includes "x"': { prop: 'includes', op: 'includes', to: 'x' },
    };
    const read = Object.keys(tests).map((test) => {
      const [condition] = parsed(`{{if ${test}}}x{{/if}}`);
      return [test, typeof condition === 'object' && 'if' in condition ? condition.if : undefined];
    });
    expect(Object.fromEntries(read)).toEqual(tests);
  });

  it('have `time_ago` and `global`', () => {
    const expected: Record<string, PlainText> = {
      '{{time_ago createdAt}}': [{ prop: 'created_at', ago: 'words' }],
      '{{time_ago company.created_at in="Weeks" fallback="some"}}': [
        { prop: 'company.created_at', ago: 'weeks', or: 'some' },
      ],
      "{{time_ago a in='day'}}": [{ prop: 'a', ago: 'days' }],
      '{{global "app.items.0.Full-Name"}}': [{ global: 'app.items.0.Full-Name' }],
      '{{time_ago}} {{global}}': [{ prop: 'time_ago' }, ' ', { prop: 'global' }],
      '{{time_ago fallback="x"}}': [{ prop: 'time_ago', or: 'x' }],
    };
    const read = Object.keys(expected).map((source) => [source, parseText(source)]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('are rejected with the nearest form that works', () => {
    const expected = {
      'Hi {{name default="x"}}':
        '`{{name default="x"}}` has the option `default`, which does not exist: write it as `{{first_name fallback="there"}}` (character 4)',
      '{{name fallback=there}}':
        '`{{name fallback=there}}` needs its fallback in quotes, as `fallback="there"` (character 1)',
      '{{name || "there"}}':
        '`{{name || "there"}}` is not understood: write a fallback as `{{first_name fallback="there"}}` (character 1)',
      '{{unless a}}':
        '`{{unless a}}` is not understood: there is no helper `unless`, write it as `{{if !plan}}` (character 1)',
      '{{#unless a}}': '`{{#unless a}}` is not understood: write it as `{{if !plan}}` (character 1)',
      '{{timeAgo a}}':
        '`{{timeAgo a}}` is not understood: there is no helper `timeAgo`, write it as `{{time_ago created_at}}` (character 1)',
      '{{time_ago "a"}}':
        '`{{time_ago "a"}}` names its property in quotes: write it as `{{time_ago created_at}}` (character 1)',
      '{{time_ago a in=weeks}}': '`{{time_ago a in=weeks}}` needs its unit in quotes, as `in="weeks"` (character 1)',
      '{{time_ago a in="ages"}}':
        '`{{time_ago a in="ages"}}` counts `ages`: it must be one of `years`, `months`, `weeks`, `days`, `hours`, `minutes`, `seconds` (character 1)',
      '{{delivery manager.name}}':
        '`{{delivery manager.name}}` needs its path in quotes: write it as `{{delivery "manager.name"}}` (character 1)',
      '{{global app.user}}':
        '`{{global app.user}}` needs its path in quotes: write it as `{{global "app.user.plan"}}` (character 1)',
      '{{global ""}}': '`{{global ""}}` names no value: write it as `{{global "app.user.plan"}}` (character 1)',
      '{{global "a.b()"}}':
        '`{{global "a.b()"}}` calls `a.b()`: it can only read a value, as `{{global "app.user.plan"}}` (character 1)',
      '{{global "a[0]"}}':
        '`{{global "a[0]"}}` has brackets in `a[0]`: write dots, as `{{global "items.0.name"}}` (character 1)',
      '{{global "a..b"}}':
        '`{{global "a..b"}}` has the path `a..b`: write names with dots between them, as `{{global "app.user.plan"}}` (character 1)',
      '{{if}}': '`{{if}}` names no property: write it as `{{#if plan == "gold"}}` (character 1)',
      '{{if a & b}}': '`{{if a & b}}` joins two tests with `&`: write `&&` or `||` (character 1)',
      '{{if a and b}}': '`{{if a and b}}` is not understood at `and`: write `&&` (character 1)',
      '{{if (a) or b}}': '`{{if (a) or b}}` joins two tests with `or`: write `&&` or `||` (character 1)',
      '{{if a is "b"}}': '`{{if a is "b"}}` is not understood at `is`: write `==` (character 1)',
      '{{if a starts_with "b"}}':
        '`{{if a starts_with "b"}}` compares with `starts_with`: it must be one of `==`, `!=`, `>`, `>=`, `<`, `<=`, `includes`, `contains`, `matches` (character 1)',
      '{{if !a == 1}}':
        '`{{if !a == 1}}` negates a comparison: put it in parentheses, as `!(plan == "gold")` (character 1)',
      '{{if "a" == b}}':
        '`{{if "a" == b}}` begins with a value: write the property first, as `{{#if plan == "gold"}}` (character 1)',
      '{{if (a}}': '`{{if (a}}` has a parenthesis that is never closed: `(` (character 1)',
      '{{if a)}}': '`{{if a)}}` is not understood from `)` on (character 1)',
      '{{if {a} == 1}}':
        '`{{if {a} == 1}}` has `a` in braces, which are for helpers: write it without them (character 1)',
      '{{if {delivery "a" == 1}}': '`{{if {delivery "a" == 1}}` has a brace that is never closed: `{` (character 1)',
      '{{if {time_ago a} > 1}}':
        '`{{if {time_ago a} > 1}}` needs a unit and a number to compare the time with: write it as `{time_ago created_at in="weeks"} > 12` (character 1)',
      '{{if {time_ago a in="days"} > "b"}}':
        '`{{if {time_ago a in="days"} > "b"}}` needs a unit and a number to compare the time with: write it as `{time_ago created_at in="weeks"} > 12` (character 1)',
      '{{if a matches ^b}}': '`{{if a matches ^b}}` needs its pattern in quotes, as `matches "^gold"` (character 1)',
      '{{if a matches "(b"}}': expect.stringMatching(
        /^`\{\{if a matches "\(b"\}\}` matches the pattern `\(b`, which has .+ \(character 1\)$/,
      ),
      '{{if a matches "(a{99}){99}"}}': expect.stringContaining('which has too many parts'),
      [`{{if a matches "${'a'.repeat(300)}"}}`]: expect.stringContaining(
        'which has more than 250 characters: shorten it',
      ),
      '{{if a includes null}}': '`{{if a includes null}}` asks what includes `null` (character 1)',
      '{{elseif a}}': '`{{elseif a}}` belongs to no `{{#if …}}` (character 1)',
      '{{{a}}}': '`{{{a}}` names no property: write it as `{{first_name}}` (character 1)',
    };
    const read = Object.keys(expected).map((source) => [source, problemOf(source)]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });

  it('have at most twenty parentheses in each other', () => {
    const nested = (depth: number) => `{{if ${'('.repeat(depth)}a${')'.repeat(depth)}}}x{{/if}}`;
    expect(problemOf(nested(20))).toBe('none');
    expect(problemOf(nested(21))).toContain('has more than 20 parentheses in each other');
    expect(problemOf(nested(100_000))).toContain('has more than 20 parentheses in each other');
    expect(problemOf(`{{if ${'(a)&&'.repeat(30_000)}a}}x{{/if}}`)).toBe('none');
    expect(problemOf(`{{if ${'!'.repeat(200_001)}a}}x{{/if}}`)).toBe('none');
  });
});

describe('conditions with several tests', () => {
  const values = { a: true, b: 'x', n: 5, list: ['gold', 7], zip: 91234 };

  it('hold as in other languages', () => {
    const pass = [
      ...['a && b', 'a || none', 'none || b == "x"', '!none', '!(a && none)', 'a && !(n > 9)', 'none && a || b'],
      ...['list includes "gold"', 'list contains 7', 'list includes "7"', 'b includes "x"', 'b contains ""'],
      ...[
        'zip contains "912"',
        'b matches "^x$"',
        'zip matches "^9\\d+$"',
        'list matches "^go"',
        '!(none includes "x")',
      ],
    ];
    const fail = [
      ...[
        'a && none',
        'none || b == "y"',
        '!a',
        '!(a || none)',
        'none && (a || b)',
        'list includes "gol"',
        'list includes 8',
      ],
      ...['b includes "X"', 'none includes ""', 'none matches ""', 'b matches "^y"', 'n > 3 && n > 9'],
    ];
    const lookup = lookupIn({ prop: values });
    lookup.matches = (text, pattern) => new RegExp(pattern).test(text);
    const passed = [...pass, ...fail].filter(
      (test) => plainText(resolve(parsed(`{{if ${test}}}yes{{/if}}`), lookup)) === 'yes',
    );
    expect(passed).toEqual(pass);
  });

  it('keep only what is not known yet, and no value of the user', () => {
    const rest = (test: string) => {
      const lookup: Lookup = (of, path) => (of === 'prop' ? valueAt(values, path) : later);
      const [node] = resolve(parsed(`{{if ${test}}}yes{{else}}no{{/if}}`), lookup);
      return typeof node === 'object' && 'if' in node ? node.if : node;
    };
    const option = { option: 'd' };
    expect(rest('a && delivery "d"')).toEqual(option);
    expect(rest('none && delivery "d"')).toBe('no');
    expect(rest('a || delivery "d"')).toBe('yes');
    expect(rest('none || !delivery "d"')).toEqual({ not: option });
    expect(rest('b == "x" && (delivery "d" || none || global "g" == 1)')).toEqual({
      any: [option, { global: 'g', op: '==', to: 1 }],
    });
    expect(rest('!(a && delivery "d" && global "g" matches "x")')).toEqual({
      not: { all: [option, { global: 'g', op: 'matches', to: 'x' }] },
    });
  });
});
