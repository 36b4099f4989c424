import { describe, expect, it } from 'vitest';
import { hostHash, isOn } from './host-hash.ts';

describe('host hash', () => {
  const hosts = ['app.example.com', 'example.org', '.example.org'].map(hostHash);

  it('turns the script on for a host, and for the subdomains of a domain', () => {
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

  it('is FNV-1a', () => {
    expect([hostHash(''), hostHash('a'), hostHash('foobar')]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });
});
