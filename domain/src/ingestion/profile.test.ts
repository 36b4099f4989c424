import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPercent, emailKey, type ProfileInput, toProfileItem } from './profile.ts';
import { reservedProfileKeys } from './reserved-keys.ts';

const id = 'a'.repeat(24);

function read(input: object) {
  const problems: string[] = [];
  return { item: toProfileItem(input as ProfileInput, problems, 0), problems };
}

describe('toProfileItem', () => {
  it('separates the IDs of the user, the Company and the properties', () => {
    const input = {
      id,
      uid: '007',
      email: '12@x.test',
      company: { uid: '01', Plan: '3' },
      userRole: 'true',
      gone: null,
    };
    expect(read(input)).toEqual({
      item: {
        id,
        uid: '007',
        email: '12@x.test',
        company: { id: undefined, uid: '01', custom: { plan: 3 } },
        custom: { user_role: true, gone: null },
      },
      problems: [],
    });
  });

  it.each([
    { id },
    { uid: '1' },
    { email: 'a@x.test' },
    { id, uid: '1', email: 'a@x.test' },
    { uid: '1', email: null },
  ])('accepts a profile that is identified by %j', (input) => {
    expect(read(input).problems).toEqual([]);
  });

  it.each([{}, { email: null }, { plan: 'pro' }, { company_uid: '1' }])(
    'rejects a profile that is not identified by %j',
    (input) => {
      expect(read(input).problems).toEqual([
        '`uid` is required: give the ID that your product has for the user, or our `id`, or an `email`',
      ]);
    },
  );

  it('distinguishes a removed email from a missing one', () => {
    expect(read({ uid: '1', email: null }).item.email).toBe(null);
    expect(read({ uid: '1' }).item.email).toBe(undefined);
  });

  it('distinguishes a removed Company from a missing one', () => {
    expect(read({ uid: '1', company: null }).item.company).toBe(null);
    expect(read({ uid: '1' }).item.company).toBe(undefined);
  });

  it.each([...reservedProfileKeys])('does not accept %s as a property, in any spelling', (name) => {
    const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const spellings = [words.join(' '), words.join(''), name.toUpperCase(), name.replaceAll('_', '-').toUpperCase()];
    const input = Object.fromEntries(spellings.map((spelling) => [spelling, 'x']));
    expect(read({ uid: '1', ...input })).toMatchObject({ item: { uid: '1', custom: {} }, problems: [] });
  });

  it('reports all problems together', () => {
    const input = { company_uid: '1', company: { uid: '2' }, title: '\0', size: Number.POSITIVE_INFINITY };
    expect(read(input).problems).toEqual([
      expect.stringContaining('`uid` is required'),
      expect.stringContaining('say different things'),
      expect.stringContaining('`title` must'),
      expect.stringContaining('`size` is a number'),
    ]);
  });
});

describe('emailKey', () => {
  it('ignores case', () => {
    expect(emailKey('Ann.Smith+X@Example.COM')).toBe('ann.smith+x@example.com');
    fc.assert(fc.property(fc.emailAddress(), (email) => emailKey(email.toUpperCase()) === emailKey(email)));
  });

  it('returns its own output unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (email) => emailKey(emailKey(email)) === emailKey(email)));
  });
});

describe('drawPercent', () => {
  it('returns hundredths from 0 to 100, both included', () => {
    expect(drawPercent(() => 0)).toBe(0);
    expect(drawPercent(() => 1 - Number.EPSILON / 2)).toBe(100);
    expect(drawPercent(() => 0.5)).toBe(50);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const percent = drawPercent(() => random);
        return percent >= 0 && percent <= 100 && Number(percent.toFixed(2)) === percent;
      }),
    );
  });
});
