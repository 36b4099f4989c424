import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPageWrite, type PageTrust, removeBackendKeys, type StoredUser } from './page-write.ts';
import type { ProfileItem } from './profile.ts';
import { type Custom, type CustomPatch, mergeCustom } from './value.ts';

const unproven: PageTrust = { proof: 'none', trustPages: false, canSign: false };
const nothing: StoredUser = {
  email: null,
  emailTaken: false,
  company: 'none',
  companyCustom: {},
  custom: {},
  pageKeys: [],
};
const judge = (stored: Partial<StoredUser>, sent: Partial<ProfileItem>, trust: Partial<PageTrust> = {}) =>
  checkPageWrite({ ...nothing, ...stored }, { uid: '7', custom: {}, ...sent }, { ...unproven, ...trust });
const names = ({ ignored }: ReturnType<typeof judge>) => ignored.map(({ name, reason }) => `${name}: ${reason}`);

describe('properties that a page sends', () => {
  it('lets pages add properties, and change properties that only pages have written', () => {
    const first = judge({}, { custom: { plan: 'free' } });
    expect(first).toMatchObject({ allowed: { custom: { plan: 'free' } }, ignored: [], pageKeys: ['plan'] });
    const stored = { custom: { plan: 'free' }, pageKeys: first.pageKeys };
    expect(judge(stored, { custom: { plan: 'pro' } })).toMatchObject({ allowed: { custom: { plan: 'pro' } } });
    expect(judge(stored, { custom: { plan: null } })).toMatchObject({
      allowed: { custom: { plan: null } },
      pageKeys: [],
    });
  });

  it('ignores a change of a property that the backend wrote', () => {
    for (const role of ['admin', null, { a: 1 }]) {
      const write = judge({ custom: { role: 'user' } }, { custom: { role, tz: 1 } });
      expect([write.allowed.custom, names(write), write.pageKeys]).toEqual([
        { tz: 1 },
        ['properties.role: property_set'],
        ['tz'],
      ]);
    }
  });

  it('does not count an unchanged value as ignored', () => {
    expect(
      names(judge({ custom: { role: 'user', disabled: true } }, { custom: { role: 'user', disabled: true } })),
    ).toEqual([]);
  });

  it('ignores `disabled` from an unproven page', () => {
    expect(names(judge({}, { custom: { disabled: true } }))).toEqual(['properties.disabled: disabled']);
    expect(names(judge({ custom: { disabled: true } }, { custom: { disabled: null } }))).toHaveLength(1);
  });

  it.each(['uid', 'identity'] as const)('lets a page change all properties with a proof of the %s', (proof) => {
    const sent = { role: 'admin', disabled: true };
    const write = judge({ custom: { role: 'user' }, pageKeys: [] }, { custom: sent }, { proof });
    expect([write.allowed.custom, write.ignored, write.pageKeys]).toEqual([sent, [], []]);
  });

  it('gives a property back to the backend once it has written it', () => {
    expect(removeBackendKeys(['plan', 'role'], { plan: 'pro' })).toEqual(['role']);
    const keys = ['plan'];
    expect(removeBackendKeys(keys, { role: 'x' })).toBe(keys);
  });
});

describe('the email that a page sends', () => {
  it.each([
    ['is set where there is none', null, false, {}, []],
    ['is not changed by an unproven page', 'a@b.c', false, {}, ['email: email_set']],
    ['is not changed with `uid_hash`', 'a@b.c', false, { proof: 'uid' }, ['email: email_set']],
    ['is changed with `identity_hash`', 'a@b.c', false, { proof: 'identity' }, []],
    ['is changed where pages are trusted', 'a@b.c', false, { trustPages: true }, []],
    [
      'is not set without `identity_hash` once there is a secret',
      null,
      false,
      { canSign: true },
      ['email: email_unproven'],
    ],
    ['is not set with `uid_hash`', null, false, { canSign: true, proof: 'uid' }, ['email: email_unproven']],
    ['is set with `identity_hash`', null, false, { canSign: true, proof: 'identity' }, []],
    ['is never taken from another profile', null, true, {}, ['email: email_taken']],
    ['is not taken with `identity_hash` either', 'a@b.c', true, { proof: 'identity' }, ['email: email_taken']],
    ['is not taken where pages are trusted', null, true, { trustPages: true }, ['email: email_taken']],
  ] as const)('%s', (_, email, emailTaken, trust, ignored) => {
    const write = judge({ email, emailTaken }, { email: 'new@b.c' }, trust);
    expect(names(write)).toEqual(ignored);
    expect(write.allowed.email).toBe(ignored.length === 0 ? 'new@b.c' : undefined);
  });

  it('lets only a trusted page remove the email', () => {
    for (const proof of ['none', 'uid', 'identity'] as const)
      expect(names(judge({ email: 'a@b.c' }, { email: null }, { proof }))).toEqual(['email: email_removed']);
    expect(judge({ email: 'a@b.c' }, { email: null }, { trustPages: true }).allowed.email).toBeNull();
  });
});

describe('the Company that a page sends', () => {
  const company = { uid: 'c', custom: { plan: 'pro' } };
  it.each([
    ['is joined bare where there is none', 'none', {}, { uid: 'c', custom: {} }, ['company.plan: company_properties']],
    ['keeps its properties', 'same', {}, { uid: 'c', custom: {} }, ['company.plan: company_properties']],
    ['is not changed by an unproven page', 'other', {}, undefined, ['company: company_set']],
    ['is not changed with `uid_hash`', 'other', { proof: 'uid' }, undefined, ['company: company_set']],
    [
      'is not joined without `identity_hash` once there is a secret',
      'none',
      { canSign: true },
      undefined,
      ['company: company_unproven'],
    ],
    [
      'is not joined with `uid_hash`',
      'none',
      { canSign: true, proof: 'uid' },
      undefined,
      ['company: company_unproven'],
    ],
    ['is joined with `identity_hash`', 'none', { canSign: true, proof: 'identity' }, company, []],
    ['is changed with `identity_hash`', 'other', { proof: 'identity' }, company, []],
    ['is changed where pages are trusted', 'other', { trustPages: true }, company, []],
  ] as const)('%s', (_, state, trust, allowed, ignored) => {
    const write = judge({ company: state }, { company }, trust);
    expect([write.allowed.company, names(write)]).toEqual([allowed, ignored]);
  });

  it('does not accept `identity_hash` for a Company with only our ID', () => {
    const byId = { company: { id: 'f'.repeat(24), custom: {} } };
    expect(names(judge({ company: 'other' }, byId, { proof: 'identity' }))).toEqual(['company: company_set']);
  });

  it('lets only a trusted page remove the Company', () => {
    for (const proof of ['none', 'uid', 'identity'] as const)
      expect(names(judge({ company: 'other' }, { company: null }, { proof }))).toEqual(['company: company_removed']);
    expect(judge({ company: 'other' }, { company: null }, { trustPages: true }).allowed.company).toBeNull();
    expect(names(judge({}, { company: null }))).toEqual([]);
  });
});

describe('any stored and sent data', () => {
  const key = fc.constantFrom('plan', 'role', 'disabled', 'seats', '__proto__');
  const value = fc.constantFrom<string | number>('a', 'b', 1);
  const custom = fc.dictionary(key, value) as fc.Arbitrary<Custom>;
  const patch = fc.dictionary(key, fc.option(value)) as fc.Arbitrary<CustomPatch>;
  const step = fc.record({ by: fc.constantFrom('backend' as const, 'page' as const, 'proven' as const), patch });

  it('never lets an unproven page change what the backend or a proven page wrote last', () => {
    fc.assert(
      fc.property(custom, fc.array(step, { maxLength: 8 }), (start, steps) => {
        let [stored, pageKeys]: [Custom, readonly string[]] = [start, []];
        // Only the backend, or a page with proof, may change these.
        const own: Custom = { ...start };
        for (const { by, patch } of steps) {
          if (by === 'page') {
            const write = checkPageWrite({ ...nothing, custom: stored, pageKeys }, { custom: patch }, unproven);
            stored = mergeCustom(stored, write.allowed.custom)?.custom ?? stored;
            pageKeys = write.pageKeys;
          } else {
            const before = stored;
            const trust: PageTrust = { proof: 'uid', trustPages: false, canSign: true };
            pageKeys =
              by === 'backend'
                ? removeBackendKeys(pageKeys, patch)
                : checkPageWrite({ ...nothing, custom: stored, pageKeys }, { custom: patch }, trust).pageKeys;
            stored = mergeCustom(stored, patch)?.custom ?? stored;
            for (const name of Object.keys(patch)) {
              if (!Object.hasOwn(stored, name)) delete own[name];
              else if (by === 'backend' || stored[name] !== before[name]) own[name] = stored[name] as string;
            }
          }
          for (const name of Object.keys(own)) expect(stored[name]).toBe(own[name]);
          expect(pageKeys.every((name) => Object.hasOwn(stored, name))).toBe(true);
        }
      }),
    );
  });

  it('stores everything that a page sends, or ignores it with a reason', () => {
    const trust = fc.record({
      proof: fc.constantFrom('none' as const, 'uid' as const),
      trustPages: fc.boolean(),
      canSign: fc.boolean(),
    });
    fc.assert(
      fc.property(custom, patch, trust, (stored, sent, trust) => {
        const { allowed, ignored } = checkPageWrite({ ...nothing, custom: stored }, { custom: sent }, trust);
        const kept = [...Object.keys(allowed.custom), ...ignored.map(({ name }) => name.slice('properties.'.length))];
        expect(kept.sort()).toEqual(Object.keys(sent).sort());
      }),
    );
  });
});
