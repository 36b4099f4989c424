import { describe, expect, it } from 'vitest';
import { hostHash, isOn } from './host-hash.ts';
import { mergeIdentity, readIdentity, withProperties } from './identity.ts';
import { isPassing, pauseAfter } from './pauses.ts';

describe('a user', () => {
  it('is named by a uid, alone or among what is known', () => {
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

  it.each([[undefined], [null], [''], [{}], [{ uid: '' }], [[]], [true], [{ uid: {} }]])('is nobody: %j', (given) => {
    expect(readIdentity(given, { uid: undefined })).toBeUndefined();
  });

  it('keeps what was told before, and stays who it is', () => {
    const before = readIdentity('7', { plan: 'pro', seats: 1 });
    expect(before && withProperties(before, { seats: 2, uid: '8', email: 'a@b.c' })).toEqual({
      uid: '7',
      email: 'a@b.c',
      properties: { plan: 'pro', seats: 2 },
    });
    expect(before?.properties.seats).toBe(1);
  });

  const merged = (first: object, second: object) => {
    const [one, two] = [readIdentity('7', first), readIdentity('7', second)];
    return one && two && mergeIdentity(one, two);
  };

  it('has everything that two calls tell together, and the later value of what both tell', () => {
    const first = { email: 'a@b.c', company: { uid: 'c' }, plan: 'free', uid_hash: 'u', identity_hash: 'i' };
    expect(merged(first, { role: 'admin', plan: 'pro' })).toEqual({
      ...{ uid: '7', email: 'a@b.c', company: { uid: 'c' }, uid_hash: 'u', identity_hash: 'i' },
      properties: { plan: 'pro', role: 'admin' },
    });
  });

  it.each([[undefined], [null], ['']])('keeps a hash when a later call has %j for it', (none) => {
    const later = { uid_hash: none, identity_hash: none };
    expect(merged({ uid_hash: 'u', identity_hash: 'i' }, later)).toMatchObject({ uid_hash: 'u', identity_hash: 'i' });
    expect(merged({ uid_hash: 'u' }, { uid_hash: 'v' })).toMatchObject({ uid_hash: 'v' });
  });

  it('is in the Company of the later call, whatever name it has there', () => {
    expect(merged({ company: { uid: 'a' }, company_id: 'i' }, { company_uid: 'b' })).toEqual({
      ...{ uid: '7', company_uid: 'b' },
      properties: {},
    });
    expect(merged({ company_uid: 'a' }, { company: undefined })).toMatchObject({ company_uid: 'a' });
    expect(merged({ company_uid: 'a' }, { company: null })).toEqual({ uid: '7', company: null, properties: {} });
  });
});

describe('a pause', () => {
  it('grows up to five minutes, and is spread over its second half', () => {
    expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, 1))).toEqual([1000, 2000, 4000, 300_000]);
    expect(pauseAfter(1, 0)).toBe(500);
  });

  it.each([
    [0, true],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [200, false],
    [403, false],
    [404, false],
    [422, false],
  ])('comes after %i: %s', (status, passing) => expect(isPassing(status)).toBe(passing));
});

describe('a host', () => {
  const hosts = ['app.example.com', 'example.org', '.example.org'].map(hostHash);

  it('is on by its name, or below a domain that takes in its subdomains', () => {
    expect(['app.example.com', 'example.org', 'a.b.example.org'].map((host) => isOn(hosts, host))).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['a.example.org', 'off.example.org'].map((host) => isOn([...hosts, hostHash('!off.example.org')], host)),
    ).toEqual([true, false]);
    expect(['example.com', 'a.app.example.com', 'notexample.org', ''].map((host) => isOn(hosts, host))).toEqual(
      Array(4).fill(false),
    );
  });

  it('has the hash that every implementation of it has', () => {
    expect([hostHash(''), hostHash('a'), hostHash('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });
});
