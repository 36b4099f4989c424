import { expect, it } from 'vitest';
import { codeOf, languageDirection, languageName, languageOptions, ownLanguageName } from './language-names.ts';

it.each([
  ['de', 'German', 'Deutsch', 'ltr'],
  ['ar', 'Arabic', 'العربية', 'rtl'],
  ['pt-BR', 'Brazilian Portuguese', 'Português (Brasil)', 'ltr'],
  ['az-Arab', 'Azerbaijani (Arabic)', undefined, 'rtl'],
  ['xx', 'xx', 'xx', 'ltr'],
  ['<b>', '<b>', '<b>', 'ltr'],
])('names %s', (code, name, own, direction) => {
  expect(languageName(code, 'en')).toBe(name);
  if (own !== undefined) expect(ownLanguageName(code)).toBe(own);
  expect(languageDirection(code)).toBe(direction);
});

it('offers only languages that are not there yet', () => {
  const codes = languageOptions(['de', 'fr'], 'en').map(({ value }) => value);
  expect(codes).toContain('es');
  expect(codes).not.toContain('de');
});

it('offers a language before its variants', () => {
  const german = languageOptions([], 'en').filter(({ label }) => label.includes('German'));
  expect(german.map(({ value }) => value)).toEqual(['de', 'de-AT', 'de-CH']);
});

it.each([
  ['german', 'de'],
  [' German ', 'de'],
  ['gsw', 'gsw'],
  ['', ''],
])('takes "%s" for the code "%s"', (typed, code) => {
  expect(codeOf(typed, [{ value: 'de', label: 'German' }])).toBe(code);
});
