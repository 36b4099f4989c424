import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLanguage, canonicalLanguage, languagesFor } from './language.ts';

describe('a code', () => {
  it.each([
    ['de', 'de'],
    ['PT-br', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['de-1996', 'de-1996'],
    ['es-419', 'es-419'],
    ['gsw', 'gsw'],
    ['iw', 'he'],
  ])('%s is %s in its one form', (input, code) => {
    expect(canonicalLanguage(input)).toBe(code);
  });

  it.each([
    '',
    'd',
    'de_DE',
    'de-',
    '-de',
    'de-DE-',
    'german',
    'default',
    'x-private',
    'de DE',
    'dé',
    `de-x-${'a'.repeat(40)}`,
  ])('%j is none', (input) => {
    expect(canonicalLanguage(input)).toBeUndefined();
  });

  it('has one form only, whatever is given', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2})?$/), (input) => {
        const code = canonicalLanguage(input) ?? '';
        expect(canonicalLanguage(code)).toBe(code);
        expect(canonicalLanguage(input.toUpperCase())).toBe(code);
      }),
    );
  });
});

describe('the best language', () => {
  const available = new Set(['pt', 'pt-BR', 'zh-Hant', 'de']);
  it.each([
    ['pt-BR', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['pt-PT', 'pt'],
    ['pt', 'pt'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-CN', 'default'],
    ['de-AT-1996', 'de'],
    ['fr', 'default'],
    ['', 'default'],
    ['not a language', 'default'],
    [null, 'default'],
    [undefined, 'default'],
  ])('for a browser in %s is %s', (browser, best) => {
    expect(bestLanguage(browser, available)).toBe(best);
  });

  it('goes from pt-BR to pt to default', () => {
    expect(languagesFor('pt-BR', available)).toEqual(['pt-BR', 'pt']);
    expect(bestLanguage('pt-BR', new Set(['pt', 'de']))).toBe('pt');
    expect(bestLanguage('pt-BR', new Set(['de']))).toBe('default');
    expect(bestLanguage('pt', new Set(['pt-BR']))).toBe('default');
  });
});
