import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { linearRegex, MAX_TEXT } from './linear-regex.ts';

function regex(pattern: string, options = {}) {
  const compiled = linearRegex(pattern, options);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled;
}

const test = (pattern: string, text: string, options = {}) => regex(pattern, options).test(text);

function problemOf(pattern: string): string {
  const compiled = linearRegex(pattern);
  return 'problem' in compiled ? compiled.problem : 'none';
}

const numRuns = randomRuns(400);

const literal = fc.constantFrom('a', 'b', 'B', '1', '_', '-', '/', ' ', '\n', 'é', '😀', '\\.', '\\/', '\\n', '\\x61');
const escaped = fc.constantFrom('\\d', '\\w', '\\s', '\\D', '\\W', '\\S', '\\u0062', '\\u{1F600}', '\\uD83D\\uDE00');
const member = fc.oneof(
  literal.filter((part) => part !== '-'),
  escaped,
  fc.constantFrom('a-b', '0-9', 'A-Z', 'a-é', '\\b', '\\-'),
);
const charClass = fc
  .tuple(fc.constantFrom('', '^'), fc.array(member, { maxLength: 3 }), fc.constantFrom('', '-'))
  .map(([not, members, dash]) => `[${not}${members.join('')}${dash}]`);
const quantifier = fc
  .tuple(fc.constantFrom('', '', '*', '+', '?', '{0}', '{2}', '{1,}', '{0,2}', '{1,3}'), fc.constantFrom('', '?'))
  .map(([sign, lazy]) => (sign === '' ? '' : sign + lazy));
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie('part'), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((all) => all.map((parts) => parts.join('')).join('|')),
  part: fc.oneof(
    { depthSize: 'small' },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
    { weight: 6, arbitrary: fc.tuple(tie('atom'), quantifier).map((both) => both.join('')) },
  ),
  atom: fc.oneof(
    { depthSize: 'small' },
    { weight: 4, arbitrary: fc.oneof(literal, escaped, charClass, fc.constant('.')) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
    },
  ),
}));
const letter = fc.constantFrom(
  'a',
  'a',
  'b',
  'A',
  'B',
  '1',
  '_',
  '-',
  '/',
  '.',
  ' ',
  '\n',
  'é',
  'É',
  '😀',
  '\ud83d',
  '\b',
);
const short = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));
/** V8 also finds `\B` between surrogates, where the standard allows no match to begin. */
const cases = fc.tuple(pattern, short).filter(([source, text]) => !(source.includes('\\B') && text.includes('😀')));

describe('a linear regex', () => {
  it('matches like RegExp with the flag u', () => {
    let matched = 0;
    fc.assert(
      fc.property(cases, ([source, input]) => {
        const expected = new RegExp(source, 'u').test(input);
        if (expected) matched++;
        expect(test(source, input)).toBe(expected);
      }),
      { numRuns },
    );
    expect(matched).toBeGreaterThan(numRuns / 10);
    expect(matched).toBeLessThan((numRuns * 9) / 10);
  });

  it('matches like RegExp with the flags i and u', () => {
    fc.assert(
      fc.property(cases, ([source, input]) => {
        expect(test(source, input, { ignoreCase: true })).toBe(new RegExp(source, 'iu').test(input));
      }),
      { numRuns },
    );
  });

  it('accepts a pattern like RegExp, or describes the problem', () => {
    const sign = fc.constantFrom(...'ab1-^$.*+?()[]{}|\\,:<=!2xud', '(?:', '{1,2}', '[^', '\\u{', '😀');
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 8 }), short, (signs, input) => {
        const source = signs.join('');
        const compiled = linearRegex(source);
        const native = nativeOf(source);
        if (!('problem' in compiled)) {
          // Only this parser accepts a backslash before any punctuation.
          if (native === undefined) expect(source).toMatch(/\\[^\w\s]/);
          else expect(compiled.test(input)).toBe(native.test(input));
        } else if (native !== undefined) {
          expect(compiled.problem).toMatch(/^(?:lookaround|a backreference|an unknown escape|a group inside)/);
        }
      }),
      { numRuns: numRuns * 2 },
    );
  });

  it.each([
    ['checkout', 'https://a.com/checkout/2', 'https://a.com/check'],
    ['^https://a\\.com/', 'https://a.com/x', 'https://axcom/x'],
    ['/users/\\d+$', '/users/42', '/users/42/edit'],
    ['/(?:new|edit)\\b', '/7/edit?x', '/7/edited'],
    ['/(?<id>[0-9a-f]{4,6})/', '/beef7/', '/bee/'],
    ['a{2}', 'caab', 'cab'],
    ['^a{2,}$', 'aaaa', 'a'],
    ['^a{1,2}$', 'aa', 'aaa'],
    ['^a+?$', 'aa', ''],
    ['^.$', '😀', '\n'],
    ['^[^]$', '\n', ''],
    ['[\\]\\-\\\\]', ']', 'a'],
    ['\\-\\_\\:\\=\\&\\%', '-_:=&%', '-'],
    ['^\\0\\t$', '\0\t', '0t'],
    ['\\Bb', 'ab', 'b'],
    ['', 'x', undefined],
    ['[]', undefined, 'x'],
    ['x{0}', '', undefined],
    ['(|a)+b', 'b', 'a'],
    ['(?:){99}b', 'b', 'a'],
  ])('matches %s with %j, not with %j', (source, yes, no) => {
    if (yes !== undefined) expect(test(source, yes)).toBe(true);
    if (no !== undefined) expect(test(source, no)).toBe(false);
  });

  it('takes at most states + 1 steps for each character', () => {
    fc.assert(
      fc.property(pattern, fc.array(letter, { maxLength: 40 }), (source, letters) => {
        const compiled = regex(source);
        const steps = { left: 1_000_000 };
        compiled.test(letters.join(''), steps);
        expect(1_000_000 - steps.left).toBeLessThanOrEqual((compiled.states + 1) * (letters.length + 1));
      }),
      { numRuns },
    );
  });

  it('gives the same result while the budget lasts, and stops when it runs out', () => {
    fc.assert(
      fc.property(cases, fc.nat(60), ([source, input], most) => {
        const steps = { left: most };
        const found = regex(source).test(input, steps);
        if (steps.left >= 0) expect(found).toBe(new RegExp(source, 'u').test(input));
        else expect(steps.left).toBe(-1);
      }),
      { numRuns },
    );
  });

  it('gives the same result when it is used again after a budget ran out', () => {
    const compiled = regex('(?:.*a){50}Q');
    const steps = { left: 100 };
    expect(compiled.test('a'.repeat(80), steps)).toBe(false);
    expect(steps.left).toBeLessThan(0);
    expect(compiled.test(`${'a'.repeat(50)}Q`)).toBe(true);
    expect(compiled.test('a'.repeat(80))).toBe(false);
  });

  it('stops when a pattern that begins with ^ has failed', () => {
    const steps = { left: 100 };
    expect(regex('^https://a').test(`https://b${'b'.repeat(2000)}`, steps)).toBe(false);
    expect(steps.left).toBeGreaterThan(0);
  });

  it.each([
    ['CHECKOUT', 'checkout'],
    ['[a-c]É', 'Bé'],
    ['^[^x]$', 'y'],
  ])('matches %s with %j ignoring case', (source, input) => {
    expect(test(source, input, { ignoreCase: true })).toBe(true);
    expect(test('[^x]', 'X', { ignoreCase: true })).toBe(false);
  });

  it.each([
    ['(a+)+$', 'a', '!'],
    ['(a|a)*b', 'a', 'c'],
    ['(x+x+)+y', 'x', 'z'],
    ['(.*)*\\d', 'a', '!'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
    [`${'a?'.repeat(100)}${'a'.repeat(100)}b`, 'a', 'c'],
    [`^(?:[${'acegikmoqsuwy'.repeat(100)}]?){500}$`, 'a', 'b'],
  ])('finishes %s on 2,000 characters', (source, char, last) => {
    expect(test(source, char.repeat(2000) + last)).toBe(false);
  });

  it('reads only the first 2,048 characters of a text', () => {
    expect(MAX_TEXT).toBe(2048);
    expect(test('b', `${'a'.repeat(2047)}b`)).toBe(true);
    expect(test('b', `${'a'.repeat(2048)}b`)).toBe(false);
    expect(test('^a+$', `${'a'.repeat(2048)}b`)).toBe(true);
  });

  it.each([
    ['(a)\\1', 'a backreference `\\1` at character 4: it takes too long; repeat what stands there'],
    ['(?<n>a)\\k<n>', 'a backreference `\\k` at character 8'],
    ['a(?=b)', 'lookaround `(?=` at character 2: it takes too long; describe the text without it'],
    ['a(?!b)', 'lookaround `(?!` at character 2'],
    ['(?<=a)b', 'lookaround `(?<=` at character 1'],
    ['(?<!a)b', 'lookaround `(?<!` at character 1'],
    ['(?i:a)', 'an unknown kind of group `(?` at character 1: write'],
    ['(?<1>a)', 'an unknown kind of group'],
    ['\\p{L}', 'a property `\\p` at character 1: list the characters'],
    ['[\\P{L}]', 'a property `\\P` at character 2'],
    ['a\\q', 'an unknown escape `\\q` at character 2'],
    ['\\x4', 'an unknown escape `\\x`'],
    ['\\00', 'an unknown escape `\\0`'],
    ['[\\B]', 'an unknown escape `\\B` at character 2'],
    ['a\\', 'an unknown escape `\\` at character 2: write `\\\\` for the sign itself'],
    ['\\u{110000}', 'a character beyond `\\u{10FFFF}` at character 1'],
    ['*a', 'nothing to repeat by `*` at character 1: put `\\` before it'],
    ['a**', 'nothing to repeat by `*` at character 3'],
    ['^*', 'nothing to repeat by `*` at character 2'],
    ['\\b+', 'nothing to repeat by `+` at character 3'],
    ['/users/{id}', 'a single `{` at character 8: put `\\` before it'],
    ['a}', 'a single `}` at character 2'],
    ['a]', 'a single `]` at character 2'],
    ['a{2,1}', '`{2,1}` from more to less at character 2: swap the numbers'],
    ['[z-a]', '`z-a`, which is no range at character 2'],
    ['[\\d-z]', '`\\d-z`, which is no range at character 2'],
    ['[a-\\w]', '`a-\\w`, which is no range at character 2'],
    ['ab(c', 'an unclosed group `(` at character 3'],
    ['a)b', 'an unopened `)` at character 2'],
    ['a[bc', 'an unclosed class `[` at character 2'],
  ])('rejects %s with a message', (source, problem) => {
    expect(problemOf(source)).toContain(problem);
  });

  it('rejects a pattern that is too long, too large or too deep', () => {
    expect(problemOf('a'.repeat(2001))).toContain('more than 2000 characters: shorten it');
    expect(problemOf('(a{1000}){1000}')).toBe(
      'too many parts: 1000000 with its repetitions written out, and 2000 are the most; repeat less, or use several shorter patterns',
    );
    expect(problemOf('(?:){100000000}')).toContain('too many parts');
    expect(problemOf('a{99999999999999999999}')).toContain('too many parts');
    expect(problemOf('(((((a{9}){9}){9}){9}){9}){9}')).toContain('too many parts');
    expect(problemOf('('.repeat(2000))).toContain('a group inside 100 others at character 101: nest less');
  });

  it('accepts patterns up to its limits', () => {
    expect(test('a'.repeat(2000), 'a'.repeat(2000))).toBe(true);
    expect(test(`${'('.repeat(100)}a${')'.repeat(100)}`, 'a')).toBe(true);
    expect(test('^a{1900}$', 'a'.repeat(1900))).toBe(true);
    expect(problemOf('a{2000}')).toBe('none');
    expect(problemOf('a{2001}')).toContain('too many parts: 2001');
    expect(problemOf('|'.repeat(900))).toBe('none');
  });
});

function nativeOf(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u');
  } catch {
    return undefined;
  }
}
