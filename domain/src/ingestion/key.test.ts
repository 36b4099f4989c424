import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { normalizeKey } from './key.ts';

function normalizeAll(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, normalizeKey(name)]));
}

/** Typical names, and any other text: every script, combining marks, capitals without a lower case, lone surrogates. */
const word = fc.string({
  unit: fc.constantFrom(...'abzABZ019_- .éÉßİıΣσςǅǆДж用户😀𝐀𝐛𐐀𐐨Ⅷⅷ\u0301\u0307\u0323\ud800\udc00'),
});
const anyText = fc.oneof(
  word,
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);

describe('normalizeKey', () => {
  it('returns one key for all spellings of a name', () => {
    const ways = [
      'userRole',
      'User Role',
      'user-role',
      'user_role',
      'UserRole',
      'USER ROLE',
      'user.role',
      ' user  role ',
      'user/role',
    ];
    expect(new Set(ways.map(normalizeKey))).toEqual(new Set(['user_role']));
  });

  it('splits words at capitals and digits', () => {
    const expected = {
      HTMLParser: 'html_parser',
      userID: 'user_id',
      parseJSONBody: 'parse_json_body',
      utf8Name: 'utf8_name',
      plan2Go: 'plan2_go',
      X: 'x',
      ABC: 'abc',
      browser_x: 'browser_x',
      _internal: '_internal',
      'Clicked "Buy now!"': 'clicked_buy_now',
    };
    expect(normalizeAll(Object.keys(expected))).toEqual(expected);
  });

  it('keeps the letters and digits of every script', () => {
    const expected = {
      größeInCm: 'größe_in_cm',
      ÉtatCivil: 'état_civil',
      'Дата Рождения': 'дата_рождения',
      用户角色: '用户角色',
      'उपयोगकर्ता भूमिका': 'उपयोगकर्ता_भूमिका',
      الدور٣: 'الدور٣',
    };
    expect(normalizeAll(Object.keys(expected))).toEqual(expected);
  });

  it('returns an empty key for a name without letters and digits', () => {
    expect(['', ' ', '-', '😀', '\0', '\ud800', '!?'].map(normalizeKey)).toEqual(['', '', '', '', '', '', '']);
  });

  it('returns one key for the composed and the decomposed form of a name', () => {
    expect(normalizeKey('cafe\u0301Bar')).toBe(normalizeKey('caf\u00e9Bar'));
    fc.assert(
      fc.property(anyText, (name) => {
        expect(normalizeKey(name.normalize('NFD'))).toBe(normalizeKey(name.normalize('NFC')));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('returns a normalized key unchanged', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const key = normalizeKey(name);
        expect(normalizeKey(key)).toBe(key);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it('returns no capital that has a lower case', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const key = normalizeKey(name);
        expect(key.toLowerCase()).toBe(key);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('returns only letters, marks, digits and underscores, in composed and valid Unicode', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const key = normalizeKey(name);
        expect(key).toMatch(/^[\p{L}\p{M}\p{N}_]*$/u);
        expect(key.normalize('NFC')).toBe(key);
        expect(key.isWellFormed()).toBe(true);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('keeps the names of inherited properties', () => {
    expect(['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(normalizeKey)).toEqual([
      '__proto__',
      'constructor',
      'to_string',
      'has_own_property',
    ]);
  });
});
