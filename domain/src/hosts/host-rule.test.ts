import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdSource, timeOfId } from '../basics/id.ts';
import { findHostState, initialEnabled, isRecorded, type KnownUrl, parsePageHost } from './host-rule.ts';

const newId = createIdSource(() => Date.parse('2029-04-07T12:18:00.000Z'));

function url(input: Partial<KnownUrl> = {}): KnownUrl {
  return { id: newId(), enabled: 'on', archived: false, installed_at: null, ...input };
}

/** A Url that a page has recorded. */
function recorded(input: Partial<KnownUrl> = {}): KnownUrl {
  const id = newId();
  return url({ id, enabled: 'off', installed_at: timeOfId(id), ...input });
}

const urls = (input: Record<string, KnownUrl>) => new Map(Object.entries(input));

describe('parsePageHost', () => {
  const hosts = (...addresses: string[]) => addresses.map((address) => parsePageHost(address)?.host);

  it('returns the host of an address or origin without the port', () => {
    expect(
      hosts(
        'https://app.example.com',
        'https://APP.Example.com:8443/a?b#c',
        'http://localhost:3000/',
        'http://[::1]:80/x',
        'https://user:pass@bücher.example/',
        'capacitor://localhost',
      ),
    ).toEqual(['app.example.com', 'app.example.com', 'localhost', '[::1]', 'xn--bcher-kva.example', 'localhost']);
  });

  it('returns undefined without a host', () => {
    expect(
      hosts('null', '', 'about:blank', 'file:///home/a.html', 'app.example.com', 'https://', 'https://a b/'),
    ).toEqual(Array(7).fill(undefined));
  });

  it('returns undefined for a host that no Url can have', () => {
    expect(hosts('https://co.uk/', 'https://-/')).toEqual([undefined, undefined]);
  });

  it('returns a valid host or undefined for any address', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string({ unit: 'binary' }).map((text) => `https://${text}`),
        ),
        (address) => {
          const host = parsePageHost(address);
          if (host) expect(parsePageHost(`https://${host.host}/`)).toEqual(host);
        },
      ),
    );
  });
});

describe('findHostState', () => {
  it('returns on when the Url is on, also when it includes its subdomains', () => {
    const known = urls({ 'a.example.com': url(), 'b.example.com': url({ enabled: 'subdomain' }) });
    expect(findHostState('a.example.com', known)).toBe('on');
    expect(findHostState('b.example.com', known)).toBe('on');
  });

  it('returns off, archived or unknown for other hosts', () => {
    const known = urls({
      'a.example.com': url({ enabled: 'off' }),
      'b.example.com': url({ archived: true }),
      'example.com': url({ enabled: 'subdomain' }),
    });
    const states = ['a.example.com', 'b.example.com', 'c.example.com'].map((host) => findHostState(host, known));
    expect(states).toEqual(['off', 'archived', 'unknown']);
  });

  it('returns on for the local machine until a domain is added', () => {
    const loopback = ['localhost', 'app.localhost', '127.0.0.1', '127.8.0.1', '[::1]'];
    const states = (known: Record<string, KnownUrl>) =>
      new Set(loopback.map((host) => findHostState(host, urls(known))));
    expect(states({})).toEqual(new Set(['on']));
    for (const added of [url(), url({ enabled: 'off' }), url({ archived: true }), recorded({ enabled: 'on' })])
      expect(states({ 'example.com': added })).toEqual(new Set(['unknown']));
  });

  it('does not count a recorded host as an added domain', () => {
    expect(findHostState('localhost', urls({ 'example.com': recorded() }))).toBe('on');
  });

  it('does not count the host of sample data as an added domain', () => {
    expect(findHostState('localhost', urls({ 'sample.example': url() }))).toBe('on');
    expect(findHostState('localhost', urls({ 'sample.example': url(), 'example.com': url() }))).toBe('unknown');
  });

  it.each(['example.com', '128.0.0.1', '10.0.0.1', 'localhost.example.com', 'notlocalhost', '[::2]'])(
    'does not treat %s as the local machine',
    (host) => {
      expect(findHostState(host, urls({}))).toBe('unknown');
    },
  );
});

describe('initialEnabled', () => {
  const enabled = (address: string, known: Record<string, KnownUrl>) => {
    const host = parsePageHost(address);
    return host && initialEnabled(host, urls(known));
  };

  it('returns on below a domain that includes its subdomains, at any depth', () => {
    const known = { 'example.com': url({ enabled: 'subdomain' }) };
    expect(enabled('https://a.example.com', known)).toBe('on');
    expect(enabled('https://a.b.c.example.com', known)).toBe('on');
    expect(enabled('https://a.b.example.com', { 'b.example.com': url({ enabled: 'subdomain' }) })).toBe('on');
  });

  it('returns off for any other host', () => {
    const taking = url({ enabled: 'subdomain' });
    expect(enabled('https://a.example.com', { 'example.com': url() })).toBe('off');
    expect(enabled('https://a.example.com', { 'example.com': { ...taking, archived: true } })).toBe('off');
    expect(enabled('https://aexample.com', { 'example.com': taking })).toBe('off');
    expect(enabled('https://example.com', { 'a.example.com': taking })).toBe('off');
    expect(enabled('https://a.github.io', { 'github.io': taking })).toBe('off');
    expect(enabled('http://127.0.0.1', { '0.0.1': taking, '1': taking })).toBe('off');
  });

  it('recognizes a recorded host by its time of installation', () => {
    expect(isRecorded(recorded())).toBe(true);
    expect(isRecorded(url())).toBe(false);
    expect(isRecorded(url({ installed_at: Date.parse('2029-04-07T12:18:01.000Z') }))).toBe(false);
  });
});
