import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestLanguage, canonicalLanguage, directionOf, languagesFor } from './language.ts';

describe('canonicalLanguage', () => {
  it.each([
    ['de', 'de'],
    ['PT-br', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['de-1996', 'de-1996'],
    ['es-419', 'es-419'],
    ['gsw', 'gsw'],
    ['iw', 'he'],
  ])('converts %s to the canonical code %s', (input, code) => {
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
  ])('rejects the invalid code %j', (input) => {
    expect(canonicalLanguage(input)).toBeUndefined();
  });

  it('returns the same code for every canonical code', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2})?$/), (input) => {
        const code = canonicalLanguage(input) ?? '';
        expect(canonicalLanguage(code)).toBe(code);
        expect(canonicalLanguage(input.toUpperCase())).toBe(code);
      }),
    );
  });
});

describe('bestLanguage', () => {
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
  ])('finds for a browser in %s the language %s', (browser, best) => {
    expect(bestLanguage(browser, available)).toBe(best);
  });

  it('falls back from pt-BR to pt to default', () => {
    expect(languagesFor('pt-BR', available)).toEqual(['pt-BR', 'pt']);
    expect(bestLanguage('pt-BR', new Set(['pt', 'de']))).toBe('pt');
    expect(bestLanguage('pt-BR', new Set(['de']))).toBe('default');
    expect(bestLanguage('pt', new Set(['pt-BR']))).toBe('default');
  });
});

describe('directionOf', () => {
  it.each(['ar', 'he', 'fa-IR', 'ur', 'ckb', 'yi', 'dv', 'az-Arab'])('is from right to left for %s', (code) => {
    expect(directionOf(code)).toBe('rtl');
  });

  it.each(['en', 'de-CH', 'az', 'zh-Hant', 'ja', 'ks-Deva', 'xx'])('is from left to right for %s', (code) => {
    expect(directionOf(code)).toBe('ltr');
  });
});
