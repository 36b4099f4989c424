import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestUserRule, readTestEmails } from './is-test-user.ts';

const matches = (pattern: string, email: string) => createTestUserRule([pattern])({ test: null, email });

describe('patterns', () => {
  it.each([
    ['ann@acme.test', 'ann@acme.test', true],
    ['ann@acme.test', 'Ann@Acme.Test', true],
    ['ANN@ACME.TEST', 'ann@acme.test', true],
    ['ann@acme.test', 'joann@acme.test', false],
    ['ann@acme.test', 'ann@acme.test.example', false],
    ['*@acme.test', 'ann@acme.test', true],
    ['*@acme.test', '@acme.test', true],
    ['*@acme.test', 'ann@acme.tests', false],
    ['*@acme.test', 'ann@not-acme.test', false],
    ['*@*.acme.test', 'ann@qa.acme.test', true],
    ['*@*.acme.test', 'ann@acme.test', false],
    ['ann+*@acme.test', 'ann+7@acme.test', true],
    ['ann+*@acme.test', 'ann@acme.test', false],
    ['*+test@*', 'ann+test@example.com', true],
    ['a*a', 'a', false],
    ['a.b@c', 'axb@c', false],
    ['a?b@c', 'axb@c', false],
    ['**@acme.test', 'ann@acme.test', true],
    ['*@ÄCME.test', 'ann@äcme.test', true],
  ])('%s and %s: %s', (pattern, email, expected) => {
    expect(matches(pattern, email)).toBe(expected);
  });

  it('match as a regular expression that replaces each * by .* does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '@', '.'), maxLength: 12 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '@', '.', '*'), maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (pattern, email) => {
        const regex = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(matches(pattern, email)).toBe(regex.test(email));
      }),
      { numRuns: 2000 },
    );
  });

  it('take no time on hostile input', () => {
    const rule = createTestUserRule(Array.from({ length: 20 }, () => '*a'.repeat(99).concat('b')));
    const start = performance.now();
    for (let n = 0; n < 100; n += 1) rule({ test: null, email: 'a'.repeat(255) });
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('the flag of a profile', () => {
  const rule = createTestUserRule(['*@acme.test']);
  it('wins over the patterns', () => {
    expect(rule({ test: false, email: 'ann@acme.test' })).toBe(false);
    expect(rule({ test: true, email: 'ann@example.com' })).toBe(true);
    expect(rule({ test: true, email: null })).toBe(true);
  });
  it('leaves the decision to the patterns when it is null', () => {
    expect(rule({ test: null, email: 'ann@acme.test' })).toBe(true);
    expect(rule({ test: null, email: null })).toBe(false);
    expect(createTestUserRule([])({ test: null, email: 'ann@acme.test' })).toBe(false);
  });
});

describe('checking patterns', () => {
  it('trims them and leaves out repeated ones', () => {
    expect(readTestEmails([' *@acme.test', '*@ACME.test', 'ann@acme.test '])).toEqual({
      patterns: ['*@acme.test', 'ann@acme.test'],
    });
  });
  it.each(['', ' ', '*', '**', '*@*', '*@*.*'])('rejects %j, which would match every user', (pattern) => {
    expect(readTestEmails(['ok@acme.test', pattern])).toEqual({
      problem: `\`test_emails\`: \`${pattern.trim()}\` needs a letter or a digit, or it would match every user`,
    });
  });
  it.each(['ann@acme.test bob@acme.test', 'ann@acme.test,\nbob', 'a\0b'])(
    'rejects %j, which has a space',
    (pattern) => {
      expect(readTestEmails([pattern])).toEqual({ problem: expect.stringContaining('has a space in it') });
    },
  );
});
