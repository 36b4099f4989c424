import { describe, expect, it } from 'vitest';
import { mergeIdentity, readIdentity, withProperties } from './identity.ts';

describe('identity', () => {
  it('is read from a uid with properties, or from an object with a uid', () => {
    expect(readIdentity('7', { plan: 'pro', email: 'a@b.c' })).toEqual({
      uid: '7',
      email: 'a@b.c',
      properties: { plan: 'pro' },
    });
    expect(readIdentity({ uid: 7, uid_hash: 'h', company: { uid: 'c' }, plan: 'pro' }, undefined)).toEqual({
      uid: '7',
      uid_hash: 'h',
      company: { uid: 'c' },
      properties: { plan: 'pro' },
    });
  });

  it.each([[undefined], [null], [''], [{}], [{ uid: '' }], [[]], [true], [{ uid: {} }]])(
    'is undefined for %j',
    (input) => {
      expect(readIdentity(input, { uid: undefined })).toBeUndefined();
    },
  );

  it('keeps earlier properties and its uid', () => {
    const identity = readIdentity('7', { plan: 'pro', seats: 1 });
    expect(identity && withProperties(identity, { seats: 2, uid: '8', email: 'a@b.c' })).toEqual({
      uid: '7',
      email: 'a@b.c',
      properties: { plan: 'pro', seats: 2 },
    });
    expect(identity?.properties.seats).toBe(1);
  });

  const merged = (first: object, second: object) => {
    const [known, next] = [readIdentity('7', first), readIdentity('7', second)];
    return known && next && mergeIdentity(known, next);
  };

  it('merges two calls, and takes the later value of a property', () => {
    const first = { email: 'a@b.c', company: { uid: 'c' }, plan: 'free', uid_hash: 'u', identity_hash: 'i' };
    expect(merged(first, { role: 'admin', plan: 'pro' })).toEqual({
      ...{ uid: '7', email: 'a@b.c', company: { uid: 'c' }, uid_hash: 'u', identity_hash: 'i' },
      properties: { plan: 'pro', role: 'admin' },
    });
  });

  it.each([[undefined], [null], ['']])('keeps a hash when a later call passes %j', (none) => {
    const later = { uid_hash: none, identity_hash: none };
    expect(merged({ uid_hash: 'u', identity_hash: 'i' }, later)).toMatchObject({ uid_hash: 'u', identity_hash: 'i' });
    expect(merged({ uid_hash: 'u' }, { uid_hash: 'v' })).toMatchObject({ uid_hash: 'v' });
  });

  it('takes the Company of the later call, whichever field names it', () => {
    expect(merged({ company: { uid: 'a' }, company_id: 'i' }, { company_uid: 'b' })).toEqual({
      ...{ uid: '7', company_uid: 'b' },
      properties: {},
    });
    expect(merged({ company_uid: 'a' }, { company: undefined })).toMatchObject({ company_uid: 'a' });
    expect(merged({ company_uid: 'a' }, { company: null })).toEqual({ uid: '7', company: null, properties: {} });
  });
});
