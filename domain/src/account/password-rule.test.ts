import { describe, expect, it } from 'vitest';
import { findPasswordProblem } from './password-rule.ts';

const about = ['ann.lee@acme.test', 'Ann Lee'];

describe('findPasswordProblem', () => {
  it.each([
    ['', 'short'],
    ['seven c', 'short'],
    ['👩‍👩', 'short'],
    ['password', 'common'],
    ['Password1', 'common'],
    ['PASSWORD2024!', 'common'],
    ['p@ssw0rd', 'common'],
    ['12345678', 'common'],
    ['987654321', 'common'],
    ['abcdefgh', 'common'],
    ['qwertyuiop', 'common'],
    ['qwerty123', 'common'],
    ['asdfghjkl1', 'common'],
    ['aaaaaaaaaaaa', 'common'],
    ['12121212', 'common'],
    ['abcabcabc', 'common'],
    ['letmein1', 'common'],
    ['changeme', 'common'],
    ['admin123', 'common'],
    ['ann.lee@acme.test', 'personal'],
    ['Ann.Lee1', 'personal'],
    ['ann lee 2024', 'personal'],
    ['acme.test', 'personal'],
    ['correct horse battery', undefined],
    ['eight ch', undefined],
    ['a new password', undefined],
    ['kim likes tours', undefined],
    ['7f3k9q2m', undefined],
    ['ann lee likes tours', undefined],
    ['20319471', undefined],
    ['über den wolken', undefined],
  ] as const)('of %j is %s', (password, problem) => {
    expect(findPasswordProblem(password, about)).toBe(problem);
  });
});
