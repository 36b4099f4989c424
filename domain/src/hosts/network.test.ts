import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privateTargets } from '../../test/private-targets.ts';
import { randomRuns } from '../../test/random-runs.ts';
import {
  addressVersion,
  isWithinNetworks,
  mayConnect,
  type Network,
  problemOfTarget,
  reachOf,
  readNetwork,
} from './network.ts';

function networks(...texts: string[]): Network[] {
  return texts.map((text) => {
    const network = readNetwork(text);
    if (!network) throw new Error(`${text} is no network`);
    return network;
  });
}

const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });
const v4 = octets.map((parts) => parts.join('.'));
const nearlyAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(...'0127fF.:%x/ '), maxLength: 24 }),
  fc
    .array(fc.constantFrom('0', '::', ':', '1', 'ffff', '1.2.3.4', '256.1.1.1', '.', 'g'), { maxLength: 12 })
    .map((all) => all.join('')),
);

describe('reachOf', () => {
  it('tells what everyone reaches from what each network has for itself', () => {
    const everyone = [
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '34.206.31.185',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '168.63.129.15',
      '168.63.129.17',
      '169.253.255.255',
      '169.255.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '192.0.1.0',
      '192.167.255.255',
      '192.169.0.0',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '2000::',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2606:4700:4700::1111',
      '3ffe:ffff::1',
      '3fff:1000::1',
    ];
    const own = [
      '0.0.0.0',
      '0.255.255.255',
      '10.0.0.0',
      '10.255.255.255',
      '100.64.0.0',
      '100.100.100.200',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.255',
      '168.63.129.16',
      '169.254.0.0',
      '169.254.169.254',
      '172.16.0.0',
      '172.31.255.255',
      '192.0.0.192',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.0',
      '192.168.255.255',
      '198.18.0.0',
      '198.19.255.255',
      '198.51.100.7',
      '203.0.113.7',
      '224.0.0.1',
      '239.255.255.255',
      '240.0.0.0',
      '255.255.255.255',
      '::',
      '::1',
      '::8.8.8.8',
      '::ffff:8.8.8.8',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:0:127.0.0.1',
      '64:ff9b::8.8.8.8',
      '64:ff9b::7f00:1',
      '64:ff9b:1::a00:1',
      '100::1',
      '2001::1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      '2001:1ff:ffff::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '3fff::1',
      '3fff:fff:ffff::1',
      '4000::1',
      '5f00::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'FF05::2',
    ];
    expect(everyone.filter((address) => reachOf(address) !== 'public')).toEqual([]);
    expect(own.filter((address) => reachOf(address) !== 'private')).toEqual([]);
  });

  it('takes what is no address for private', () => {
    const wrong = [
      '',
      'example.com',
      '8.8.8',
      '8.8.8.8.8',
      '8.8.8.256',
      '08.8.8.8',
      '::08.8.8.8',
      '0x8.8.8.8',
      '134744072',
      '2606::1%eth0',
      '[2606::1]',
      '2606:::1',
      '2606::1::2',
      '2606:4700',
      '8.8.8.8::',
      '::8.8.8.',
      '1:2:3:4:5:6:7:8:9',
      'g::1',
      '2606::12345',
      ' 8.8.8.8',
    ];
    expect(wrong.filter((text) => reachOf(text) !== 'private' || addressVersion(text) !== undefined)).toEqual([]);
  });

  it('judges every way to write an address alike', () => {
    fc.assert(
      fc.property(fc.ipV6(), (input) => {
        const canonical = new URL(`http://[${input}]/`).hostname.slice(1, -1);
        expect(reachOf(input)).toBe(reachOf(canonical));
        expect(reachOf(input.toUpperCase())).toBe(reachOf(canonical));
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('never lets an IPv4 address within an IPv6 one be public', () => {
    const wraps = [
      (parts: number[]) => `::${parts.join('.')}`,
      (parts: number[]) => `::ffff:${parts.join('.')}`,
      (parts: number[]) => `::ffff:0:${parts.join('.')}`,
      (parts: number[]) => `64:ff9b::${parts.join('.')}`,
      (parts: number[]) => `64:ff9b:1::${parts.join('.')}`,
      (parts: number[]) => `2002:${hex(parts)}::1`,
      (parts: number[]) => `2001:0:${hex(parts)}::1`,
    ];
    fc.assert(
      fc.property(octets, fc.constantFrom(...wraps), (parts, wrap) => {
        expect(reachOf(wrap(parts))).toBe('private');
      }),
    );
  });

  it('knows an address exactly where Node knows one without an interface', () => {
    fc.assert(
      fc.property(nearlyAddress, (text) => {
        const known = text.includes('%') ? 0 : isIP(text);
        expect(addressVersion(text) ?? 0).toBe(known);
      }),
      { numRuns: randomRuns(1000) },
    );
  });
});

describe('networks', () => {
  it('contains the addresses that share its first bits', () => {
    fc.assert(
      fc.property(v4, fc.nat(32), v4, fc.nat(32), (start, bits, other, near) => {
        const list = new BlockList();
        list.addSubnet(start, bits, 'ipv4');
        // Close to the start as often as anywhere.
        const address = near > 16 ? other : start.replace(/\d+$/, String(near));
        expect(mayConnect('http:', address, networks(`${start}/${bits}`))).toBe(list.check(address, 'ipv4'));
      }),
    );
    fc.assert(
      fc.property(fc.ipV6(), fc.nat(128), fc.ipV6(), fc.boolean(), (start, bits, other, same) => {
        const list = new BlockList();
        list.addSubnet(start, bits, 'ipv6');
        const address = same ? start : other;
        expect(mayConnect('http:', address, networks(`${start}/${bits}`))).toBe(list.check(address, 'ipv6'));
      }),
    );
  });

  it('parses networks in settings, and nothing else', () => {
    expect(readNetwork('10.0.0.0/8')?.bits).toBe(8);
    expect(readNetwork('10.1.2.3')?.bits).toBe(32);
    expect(readNetwork('fd00::/8')?.bits).toBe(8);
    expect(readNetwork('::1')?.bits).toBe(128);
    expect(readNetwork('0.0.0.0/0')?.bits).toBe(0);
    const wrong = ['', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/8.0', 'ten/8'];
    expect(wrong.filter((text) => readNetwork(text))).toEqual([]);
  });

  it('contains only addresses of its own IP version', () => {
    expect(mayConnect('https:', '127.0.0.1', networks('::/0'))).toBe(false);
    expect(mayConnect('https:', '::ffff:127.0.0.1', networks('127.0.0.0/8'))).toBe(false);
    expect(mayConnect('https:', '::ffff:127.0.0.1', networks('::ffff:0:0/96'))).toBe(true);
  });
});

describe('isWithinNetworks', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.2.0/25', ['192.0.2.0/24'], true],
    ['192.0.2.0/24', ['198.51.100.1', '192.0.2.0/24'], true],
    ['192.0.2.0/23', ['192.0.2.0/24'], false],
    ['0.0.0.0/0', ['192.0.2.0/24'], false],
    ['192.0.3.1', ['192.0.2.0/24'], false],
    ['::ffff:192.0.2.7', ['192.0.2.0/24'], true],
    ['192.0.2.7', ['::ffff:192.0.2.0/120'], true],
    ['::ffff:192.0.2.0/119', ['::ffff:192.0.2.0/120'], false],
    ['2001:db8:1::/48', ['2001:db8::/32'], true],
    ['2001:db8::/31', ['2001:db8::/32'], false],
    ['192.0.2.7', ['::/0'], false],
    ['::/0', ['0.0.0.0/0'], false],
    ['nonsense', ['0.0.0.0/0', '::/0'], false],
    ['192.0.2.7', [], false],
  ])('of %s and %j is %s', (text, list, expected) => {
    expect(isWithinNetworks(text, networks(...list))).toBe(expected);
  });
});

describe('mayConnect', () => {
  it('lets plain text go to the networks that were allowed, and nowhere else', () => {
    const allowed = networks('10.0.0.0/8', '::1');
    expect(mayConnect('http:', '10.1.2.3', allowed)).toBe(true);
    expect(mayConnect('http:', '::1', allowed)).toBe(true);
    expect(mayConnect('http:', '8.8.8.8', allowed)).toBe(false);
    expect(mayConnect('https:', '8.8.8.8', allowed)).toBe(true);
    expect(mayConnect('https:', '10.1.2.3', allowed)).toBe(true);
    expect(mayConnect('https:', '10.1.2.3', [])).toBe(false);
    expect(mayConnect('https:', '192.168.0.1', allowed)).toBe(false);
    expect(mayConnect('https:', 'nonsense', allowed)).toBe(false);
  });
});

describe('problemOfTarget', () => {
  const local = networks('127.0.0.0/8');

  it('has nothing against https and a name', () => {
    expect(problemOfTarget('https://example.com/hooks?a=1', [])).toBeUndefined();
    expect(problemOfTarget('HTTPS://Example.com:8443', [])).toBeUndefined();
    expect(problemOfTarget('https://8.8.8.8/', [])).toBeUndefined();
    expect(problemOfTarget('https://[2606:4700:4700::1111]/', [])).toBeUndefined();
    expect(problemOfTarget('https://notlocalhost/', [])).toBeUndefined();
  });

  it('says what is wrong with an address', () => {
    const whole = 'must be a whole address, such as `https://example.com/hooks`';
    const secure = 'must be an address that begins with `https://`';
    const expected = {
      '': whole,
      'example.com/hooks': whole,
      '//example.com': whole,
      'https:example.com': whole,
      'https://': whole,
      'ftp://example.com': whole,
      'javascript:alert(1)': whole,
      'http://example.com': secure,
      'https://ann@example.com': 'must be without a user name and a password',
      'https://:pass@example.com': 'must be without a user name and a password',
      'https://localhost/': expect.stringContaining('which `localhost` is not'),
      'https://app.localhost./': expect.stringContaining('which `app.localhost.` is not'),
      'https://10.0.0.1/': expect.stringContaining('must be on the public internet, which `10.0.0.1` is not'),
      'https://[::1]:9/': expect.stringContaining('which `::1` is not'),
      'http://localhost:3000/':
        'must be on the public internet, which `localhost` is not; an operator of this server can allow it in the setting `USHER_WEBHOOK_ALLOW_NETWORKS`',
    };
    const found = Object.keys(expected).map((input) => [input, problemOfTarget(input, [])]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });

  it('lets the networks of the operator be named, also in plain text', () => {
    expect(problemOfTarget('http://127.0.0.2:8080/hooks', local)).toBeUndefined();
    expect(problemOfTarget('https://localhost/', local)).toBeUndefined();
    expect(problemOfTarget('http://receiver.internal/', local)).toBeUndefined();
    expect(problemOfTarget('http://8.8.8.8/', local)).toBe('must be an address that begins with `https://`');
    expect(problemOfTarget('http://10.0.0.1/', local)).toContain('which `10.0.0.1` is not');
  });

  it('rejects 300 ways to write an address of a private network', () => {
    expect(privateTargets.length).toBeGreaterThanOrEqual(300);
    expect(privateTargets.filter((host) => problemOfTarget(`https://${host}/`, []) === undefined)).toEqual([]);
  });

  it('answers any text with a problem in words, or with none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          nearlyAddress.map((host) => `https://${host}/`),
        ),
        (input) => {
          const problem = problemOfTarget(input, []);
          if (problem !== undefined) expect(problem).toMatch(/^must be /);
          else expect(new URL(input).protocol).toBe('https:');
        },
      ),
      { numRuns: randomRuns(600) },
    );
  });
});

function hex([a = 0, b = 0, c = 0, d = 0]: number[]): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}
