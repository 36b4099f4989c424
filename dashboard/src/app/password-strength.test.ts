import { describe, expect, it } from 'vitest';
import { passwordStrength } from './password-strength.ts';

describe('passwordStrength', () => {
  it.each([
    ['', 0],
    ['seven77', 0],
    ['eight888', 1],
    ['aaaaaaaaaaaaaaaaaaaa', 0],
    ['Password123', 0],
    ['ann lee 7', 0],
    ['ten chars!', 2],
    ['thirteen char', 3],
    ['correct horse battery', 4],
  ])('rates "%s" as %i', (password, expected) => {
    expect(passwordStrength(password, ['Ann Lee'])).toBe(expected);
  });
});
