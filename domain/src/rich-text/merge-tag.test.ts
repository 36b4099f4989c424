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

function lookupIn(values: { prop?: unknown; option?: unknown }): Lookup {
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
  ...['\0', ' '],
);
const nearlyText = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((list) => list.join('')),
  fc.string({ unit: 'binary' }),
);

/** Any text with tags that parses. */
const goodText: fc.Arbitrary<string> = fc.letrec<{ text: string; part: string }>((tie) => ({
  text: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('words ', '{{a}}', '{{b}}', '{{c | fallback: "none"}}', '{{delivery "a"}}', '\\{{'),
    fc
      .tuple(fc.constantFrom('a', 'b == "x"', 'c != null', 'delivery "b" > 3'), tie('text'), tie('text'))
      .map(([test, yes, no]) => `{{#if ${test}}}${yes}{{else}}${no}{{/if}}`),
  ),
})).text;
const someValues = fc.record({
  prop: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 1 })),
  option: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 })),
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
      return [test, typeof condition === 'object' && 'if' in condition ? condition.if.to : undefined];
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
      '{{upper name}}': '`{{upper name}}` is not understood: there is no helper `upper` (character 1)',
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
        '`{{else unless b}}` is not understood: there are only `{{#if …}}`, `{{else if …}}`, `{{else}}` and `{{/if}}` (character 10)',
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
    const paths = fc.subarray(['prop a', 'prop b', 'prop c', 'option a', 'option b']);
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
    expect(listMergePaths(text)).toEqual({ props: ['a', 'c.d', 'g'], options: ['e', 'F'] });
    expect(listMergePaths(['plain'])).toEqual({ props: [], options: [] });
  });

  it('lists every path that a text uses', () => {
    fc.assert(
      fc.property(goodText, (source) => {
        const text = parsed(source);
        const { props, options } = listMergePaths(text);
        const none = resolve(text, (of, path) => {
          expect(of === 'prop' ? props : options).toContain(path);
          return later;
        });
        expect(none).toEqual(text);
      }),
    );
  });
});

it.each([
  "Hi {{name fallback='there'}}",
  "Hi {{if a.b == 'x' && c > 3}}x{{/if}}",
  "Hi {{#if a == 'x' && c > 3}}x{{/if}}",
  "Hi {{#if a == 'x' || c > 3}}x{{/if}}",
  'Hi {{#if !a}}x{{/if}}',
  'Hi {{#if (a)}}x{{/if}}',
  "Hi {{#if a includes 'x'}}x{{/if}}",
  "Hi {{#if a contains 'x'}}x{{/if}}",
  "Hi {{#if a matches '^x'}}x{{/if}}",
  "Hi {{elseif a == 'x'}}",
  'Hi {{time_ago created_at}}',
  'Hi {{global "app.user"}}',
])('rejects %j with its position, because there is no such tag', (source) => {
  const read = parseText(source);
  expect('problem' in read && read.problem).toMatch(/ \(character 4\)$/);
});
