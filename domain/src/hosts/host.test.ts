import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { type Host, readHost } from './host.ts';

function hostOf(input: string): string {
  const read = readHost(input);
  return 'problem' in read ? `problem: ${read.problem}` : read.host;
}

function hostsOf(input: readonly string[]): Record<string, string> {
  return Object.fromEntries(input.map((text) => [text, hostOf(text)]));
}

function read(input: string): Host {
  const host = readHost(input);
  if ('problem' in host) throw new Error(`${input} ${host.problem}`);
  return host;
}

const label = fc.string({ unit: fc.constantFrom(...'abcxyz0189-_'), minLength: 1, maxLength: 12 });
const nearlyHost = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.')),
  fc.string({ unit: fc.constantFrom(...'aZ09.-_:[]%@/\\?#é用。．ß­\u200d\0\ud800 xn') }),
  fc
    .tuple(
      fc.constantFrom('a', 'shop', 'xn--', 'ß', '用户', 'ÜBER'),
      fc.constantFrom('com', 'co.uk', 'github.io', 'укр', 'local', '1'),
    )
    .map((parts) => parts.join('.')),
);
const anyText = fc.oneof(
  nearlyHost,
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);

describe('readHost', () => {
  it('returns the canonical form of a host', () => {
    const expected = {
      'app.example.com': 'app.example.com',
      'App.EXAMPLE.com': 'app.example.com',
      'app.example.com.': 'app.example.com',
      localhost: 'localhost',
      'my_app.example.com': 'my_app.example.com',
      'müller.de': 'xn--mller-kva.de',
      'ＭÜLLER。de': 'xn--mller-kva.de',
      'xn--mller-kva.de': 'xn--mller-kva.de',
      '127.0.0.1': '127.0.0.1',
      '127.1': '127.0.0.1',
      '[::1]': '[::1]',
      '[2001:DB8:0:0::1]': '[2001:db8::1]',
    };
    expect(hostsOf(Object.keys(expected))).toEqual(expected);
  });

  it('returns the registrable domain by the public suffix list', () => {
    const expected = {
      'app.example.com': 'example.com',
      'example.com': 'example.com',
      'a.b.example.co.uk': 'example.co.uk',
      'acme.github.io': 'acme.github.io',
      'docs.acme.github.io': 'acme.github.io',
      'github.io': 'github.io',
      'shop.müller.de': 'xn--mller-kva.de',
      localhost: 'localhost',
      'app.localhost': 'app.localhost',
      '10.0.0.7': '10.0.0.7',
      '[::1]': '[::1]',
    };
    const domains = Object.keys(expected).map((input) => [input, read(input).domain]);
    expect(Object.fromEntries(domains)).toEqual(expected);
  });

  it('rejects an address', () => {
    expect(hostOf('https://app.example.com')).toContain('without `https://`');
    expect(hostOf('app.example.com/dashboard')).toContain('no path');
    expect(hostOf('*.example.com')).toContain('no path, wildcard');
    expect(hostOf('ann@example.com')).toContain('sign-in');
    expect(hostOf('app.example.com:8080')).toContain('without a port');
    expect(hostOf('[::1]:8080')).toContain('without a port');
    expect(hostOf('app example.com')).toContain('spaces');
  });

  it('rejects a public suffix', () => {
    expect(hostOf('com')).toContain('more than the public suffix `com`');
    expect(hostOf('CO.uk')).toContain('more than the public suffix `co.uk`');
  });

  it('rejects anything else that is not a host name', () => {
    const wrong = [
      '',
      '.',
      '..',
      'a..b',
      '.example.com',
      'example.com..',
      '-a.example.com',
      'a-.example.com',
      'a.999.1.1',
      '256.1.1.1',
      '[::1x',
      '[nonsense]',
      'a,b.com',
      "a'b.com",
      'xn--a.com',
      'shop.xn--.com',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(130)}com`,
      '\u00ad',
      '\ud800.com',
    ];
    expect(wrong.filter((input) => !hostOf(input).includes('a valid host name'))).toEqual([]);
  });

  it('returns its own output unchanged', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const host = readHost(input);
        if (!('problem' in host)) expect(readHost(host.host)).toEqual(host);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('accepts every registrable domain as a host', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const host = readHost(input);
        if (!('problem' in host)) expect(readHost(host.domain)).toEqual({ host: host.domain, domain: host.domain });
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('returns for any text a host in lower-case ASCII that ends with its domain, or a problem', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const host = readHost(input);
        if ('problem' in host) {
          expect(host.problem).toMatch(/^must be .+, such as `app\.example\.com`$/);
        } else {
          expect(host.host).toMatch(/^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:]+\])$/);
          expect(host.host === host.domain || host.host.endsWith(`.${host.domain}`)).toBe(true);
        }
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('ignores case and a trailing dot', () => {
    fc.assert(
      fc.property(fc.domain(), (input) => {
        expect([input.toUpperCase(), `${input}.`].map(readHost)).toEqual([readHost(input), readHost(input)]);
      }),
    );
  });
});
