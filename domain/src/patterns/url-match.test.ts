import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { AccountStepBudget, PatternBudget } from './pattern-budget.ts';
import {
  compileUrls,
  findPatternProblem,
  listUrlPrefixes,
  type MatchType,
  matchTypes,
  type PageAddress,
  parsePageAddress,
  type QuantifierUrl,
  type UrlPrefix,
} from './url-match.ts';

const item = (match_type: MatchType, url: string): QuantifierUrl => ({ match_type, url });
const showsOn = (items: QuantifierUrl[], href: string) => compileUrls(items)(parsePageAddress(href));

/** Checks the table, and that the inverse match type gives the opposite. */
function matches(match_type: 'simple' | 'exact', url: string, href: string): boolean {
  expect(findPatternProblem(url, match_type)).toBeUndefined();
  const answer = showsOn([item(match_type, url)], href);
  expect(showsOn([item(`inverse_${match_type}`, url)], href)).toBe(!answer);
  return answer;
}

type Table = [pattern: string, yes: string[], no: string[]][];

describe('simple', () => {
  it.each<Table[number]>([
    ['*', ['https://a.com/', 'http://b.com/x?y#z', 'about:blank'], []],
    [
      'https://a.com/x',
      ['https://a.com/x', 'https://A.com/x'],
      ['http://a.com/x', 'https://b.com/x', 'https://a.com/X'],
    ],
    ['HTTPS://A.COM/x', ['https://a.com/x'], ['https://a.com/y']],
    ['http*://a.com/x', ['https://a.com/x', 'http://a.com/x'], ['https://b.com/x']],
    ['*://a.com/x', ['https://a.com/x', 'app://a.com/x'], ['https://b.com/://a.com/x']],
    ['//a.com/x', ['https://a.com/x', 'http://a.com/x'], ['https://b.com//a.com/x']],
    ['a.com/x', ['https://a.com/x', 'http://a.com/x'], ['https://b.a.com/x', 'https://a.com/x/y', 'https://a.com/']],
    ['a.com', ['https://a.com/', 'https://a.com', 'https://a.com/?q'], ['https://a.com/x', 'https://a.com.de/']],
    ['a.com/', ['https://a.com/', 'https://a.com'], ['https://a.com/x']],
    ['a.com/*', ['https://a.com/', 'https://a.com', 'https://a.com/x/y'], ['https://b.com/']],
    ['a.com*', ['https://a.com/', 'https://a.com/x', 'https://a.com:8080/x'], ['https://b.com/a.com']],
    ['*.a.com/x', ['https://b.a.com/x', 'https://C.B.A.com/x'], ['https://a.com/x', 'https://b.a.com/y']],
    ['app-*.a.com', ['https://app-1.a.com/'], ['https://app.a.com/', 'https://app-1.a.com/x']],
    ['*/checkout', ['https://a.com/checkout', 'https://a.com/shop/checkout/'], ['https://a.com/checkout/2']],
    ['*Checkout*', ['https://a.com/Checkout/2', 'https://checkout.com/'], ['https://a.com/cart']],
    ['/x', ['https://a.com/x', 'http://b.de:81/x'], ['https://a.com/y/x', 'https://a.com/xy', 'https://a.com/']],
    ['/', ['https://a.com/', 'https://a.com'], ['https://a.com/x', 'about:blank']],
    ['/*', ['https://a.com/', 'https://a.com/x/y'], ['about:blank']],
    ['/x/', ['https://a.com/x', 'https://a.com/x/'], ['https://a.com/x/y']],
    ['/x/*', ['https://a.com/x', 'https://a.com/x/', 'https://a.com/x/y/z'], ['https://a.com/xy']],
    ['/x*', ['https://a.com/x', 'https://a.com/xy', 'https://a.com/x/y'], ['https://a.com/y/x']],
    ['/*/edit', ['https://a.com/1/edit', 'https://a.com/1/2/edit/'], ['https://a.com/edit', 'https://a.com/1/edit/x']],
    ['/ab*ba', ['https://a.com/abba', 'https://a.com/ab-ba'], ['https://a.com/aba']],
    ['/a*bc*d', ['https://a.com/abbcd', 'https://a.com/abcbcd'], ['https://a.com/abd', 'https://a.com/acbd']],
    ['/a**b', ['https://a.com/ab', 'https://a.com/axb'], ['https://a.com/a']],
  ])('%s: scheme, host and path', (pattern, yes, no) => expectTable('simple', pattern, yes, no));

  it.each<Table[number]>([
    ['/x', ['https://a.com/x?tab=a', 'https://a.com/x#top', 'https://a.com/x/?q#/y', 'https://a.com/x#!y'], []],
    ['/x?', ['https://a.com/x', 'https://a.com/x?q'], ['https://a.com/y?q']],
    [
      '/x?tab=a',
      ['https://a.com/x?tab=a', 'https://a.com/x/?z=1&tab=a#h'],
      ['https://a.com/x', 'https://a.com/x?tab=ab', 'https://a.com/x?tab=A', 'https://a.com/x?mytab=a'],
    ],
    [
      '/x?b=2&a=1',
      ['https://a.com/x?a=1&b=2', 'https://a.com/x?b=2&c=3&a=1'],
      ['https://a.com/x?a=1', 'https://a.com/x?a=2&b=1'],
    ],
    ['/x?tab=*', ['https://a.com/x?tab=a', 'https://a.com/x?tab=', 'https://a.com/x?tab'], ['https://a.com/x?other=a']],
    ['/x?id=*-7', ['https://a.com/x?id=u-7'], ['https://a.com/x?id=u-8', 'https://a.com/x?id=a&b=-7']],
    ['/x?tab', ['https://a.com/x?tab', 'https://a.com/x?tab=a'], ['https://a.com/x?table=a', 'https://a.com/x']],
    ['/x?utm_*', ['https://a.com/x?utm_source=b'], ['https://a.com/x?q=utm_']],
    ['/x?*', ['https://a.com/x?q'], ['https://a.com/x', 'https://a.com/x?']],
    ['?tab=a', ['https://a.com/?tab=a', 'https://b.com/x/y?tab=a'], ['https://a.com/', 'about:blank?tab=a']],
    ['a.com?tab=a', ['https://a.com/?tab=a'], ['https://a.com/x?tab=a']],
    ['/x?q=a%20b&r=ü', ['https://a.com/x?q=a%20b&r=%c3%bc'], ['https://a.com/x?q=a&r=%c3%bc']],
  ])('%s: parameters', (pattern, yes, no) => expectTable('simple', pattern, yes, no));

  it.each<Table[number]>([
    ['/x#top', ['https://a.com/x#top', 'https://a.com/x?q#top'], ['https://a.com/x', 'https://a.com/x#topmost']],
    ['/#/users/*', ['https://a.com/#/users/1', 'https://a.com/#/users'], ['https://a.com/', 'https://a.com/#/teams']],
    ['/#/users', ['https://a.com/#/users/', 'https://a.com/#/users?tab=a'], ['https://a.com/#/users/1']],
    ['/#/users?tab=a', ['https://a.com/#/users?b=1&tab=a'], ['https://a.com/#/users', 'https://a.com/?tab=a#/users']],
    ['#!inbox', ['https://a.com/x#!inbox', 'https://b.com/#!inbox'], ['https://a.com/inbox', 'https://a.com/#inbox']],
    ['/x#*', ['https://a.com/x#a'], ['https://a.com/x']],
    ['/x#', ['https://a.com/x', 'https://a.com/x#a'], ['https://a.com/']],
    ['/x?a=1#b', ['https://a.com/x?a=1#b'], ['https://a.com/x#b', 'https://a.com/x?a=1', 'https://a.com/x#b?a=1']],
  ])('%s: the hash', (pattern, yes, no) => expectTable('simple', pattern, yes, no));

  it.each<Table[number]>([
    ['müller.de/x', ['https://xn--mller-kva.de/x', 'https://MÜLLER.de/x'], ['https://muller.de/x']],
    ['xn--mller-kva.de/x', ['https://müller.de/x'], ['https://muller.de/x']],
    ['*.müller.de/x', ['https://a.xn--mller-kva.de/x'], ['https://xn--mller-kva.de/x']],
    ['/größe', ['https://a.com/gr%C3%B6%C3%9Fe', 'https://a.com/größe'], ['https://a.com/grosse']],
    ['/%7Eann/%61', ['https://a.com/~ann/a'], ['https://a.com/~ann/b']],
    ['/a%2fb', ['https://a.com/a%2Fb'], ['https://a.com/a/b']],
    ['/100%', ['https://a.com/100%', 'https://a.com/100%25'], ['https://a.com/100']],
    ['/a%2Ab', ['https://a.com/a*b', 'https://a.com/a%2ab'], ['https://a.com/axb']],
    ['a.com:443/x', ['https://a.com/x', 'https://a.com:443/x'], ['https://a.com:8443/x']],
    ['http://a.com:80/x', ['http://a.com/x'], ['http://a.com:443/x']],
    ['https://a.com:80/x', ['https://a.com:80/x'], ['https://a.com/x']],
    ['a.com/y', ['https://a.com./y', 'https://ann:secret@a.com/y'], ['https://b.com/y']],
    ['127.0.0.1', ['http://127.1/'], ['http://127.0.0.2/']],
  ])('%s: one address written in several ways', (pattern, yes, no) => expectTable('simple', pattern, yes, no));

  it.each<Table[number]>([
    ['a.com/y', ['https://a.com/y', 'https://a.com:8443/y', 'http://a.com:8080/y'], ['https://b.com:8443/y']],
    ['https://a.com/y', ['https://a.com/y', 'https://a.com:8443/y'], ['http://a.com:8443/y']],
    ['*.a.com/y', ['https://b.a.com/y', 'https://b.a.com:8443/y'], ['https://b.com:8443/y']],
    ['localhost', ['http://localhost/', 'http://localhost:3000/'], ['http://localhost:3000/x']],
    ['localhost:*/x', ['http://localhost/x', 'http://localhost:3000/x'], ['http://localhost.de/x']],
    ['localhost:3000/x', ['http://localhost:3000/x'], ['http://localhost/x', 'http://localhost:3001/x']],
    ['localhost:30*/x', ['http://localhost:3000/x'], ['http://localhost/x', 'http://localhost:4000/x']],
    ['*:3000/x', ['http://localhost:3000/x'], ['http://localhost/x', 'http://localhost:3001/x']],
    ['[::1]', ['http://[::1]/', 'http://[0:0::1]:3000/'], ['http://[::2]/']],
    ['[::1]:3000', ['http://[0:0::1]:3000/'], ['http://[::1]/']],
    ['127.0.0.1/x', ['http://127.0.0.1/x', 'http://127.0.0.1:3400/x'], ['http://127.0.0.2:3400/x']],
  ])('%s: matches every port unless it names one', (pattern, yes, no) => expectTable('simple', pattern, yes, no));

  it('finishes on long patterns and addresses', () => {
    const stars = `/${'a*'.repeat(900)}b`;
    expect(matches('simple', stars, `https://a.com/${'a'.repeat(2000)}`)).toBe(false);
    expect(matches('simple', stars, `https://a.com/${'a'.repeat(2000)}b`)).toBe(true);
    expect(matches('simple', `?${'a*=b&'.repeat(300)}`, `https://a.com/?${'a=c&'.repeat(2000)}`)).toBe(false);
  });
});

describe('exact', () => {
  it.each<Table[number]>([
    [
      'https://a.com/x?b=1#c',
      ['https://a.com/x?b=1#c', 'HTTPS://A.COM:443/x?b=1#c'],
      ['https://a.com/x', 'https://a.com/x?b=1', 'http://a.com/x?b=1#c', 'https://a.com/x?b=1#C'],
    ],
    [
      'https://a.com',
      ['https://a.com/', 'https://a.com', 'https://a.com/?#'],
      ['https://a.com/x', 'https://a.com/?q', 'https://a.com/#h'],
    ],
    [
      'https://a.com/x',
      ['https://a.com/x', 'https://a.com:443/x'],
      ['https://a.com/x/', 'https://a.com/X', 'https://b.com/x', 'https://a.com:8443/x'],
    ],
    [
      'https://a.com/x?a=1&b=2',
      ['https://a.com/x?a=1&b=2'],
      ['https://a.com/x?b=2&a=1', 'https://a.com/x?a=1&b=2&c=3'],
    ],
    ['a.com/x', ['https://a.com/x', 'http://A.com/x'], ['https://b.com/x', 'https://a.com/x?q']],
    ['/x', ['https://a.com/x', 'https://b.com/x'], ['https://a.com/x/', 'https://a.com/x?q', 'https://a.com/y/x']],
    ['/x?q=1#/r', ['https://a.com/x?q=1#/r'], ['https://a.com/x?q=1', 'https://a.com/x#/r']],
    ['/*', ['https://a.com/*', 'https://a.com/%2A'], ['https://a.com/', 'https://a.com/x']],
    ['https://müller.de/größe?ü', ['https://xn--mller-kva.de/gr%c3%b6%C3%9Fe?%C3%BC'], ['https://muller.de/größe?ü']],
    ['/%7e%2f', ['https://a.com/~%2F'], ['https://a.com/~/']],
  ])('%s', (pattern, yes, no) => expectTable('exact', pattern, yes, no));
});

describe('regex', () => {
  it.each<Table[number]>([
    ['checkout', ['https://a.com/checkout/2', 'https://checkout.com/'], ['https://a.com/Checkout']],
    ['^https://[a-z]+\\.a\\.com/(?:x|y)$', ['https://b.a.com/x'], ['https://b.a.com/x?q', 'http://b.a.com/x']],
    ['\\?tab=\\d+#', ['https://a.com/?tab=12#'], ['https://a.com/?tab=#']],
    ['^about:', ['about:blank'], ['https://a.com/about:']],
  ])('searches %s in the whole address', (pattern, yes, no) => {
    for (const href of yes) expect([href, showsOn([item('regex', pattern)], href)]).toEqual([href, true]);
    for (const href of no) expect([href, showsOn([item('regex', pattern)], href)]).toEqual([href, false]);
  });

  it('finishes for any pattern', () => {
    expect(showsOn([item('regex', '(a+)+$')], `https://a.com/${'a'.repeat(2000)}!`)).toBe(false);
  });
});

describe('the items of a Step', () => {
  const shop = item('simple', '/shop/*');
  const help = item('regex', '/help');
  const notCart = item('inverse_simple', '/shop/cart');
  const notHome = item('inverse_exact', 'https://a.com/');

  it.each<[string, QuantifierUrl[], string[], string[]]>([
    ['none: every page', [], ['/', '/x', '/shop/cart'], []],
    ['several: one of them matches', [shop, help], ['/shop/1', '/help'], ['/', '/x']],
    ['an inverse one: everywhere else', [notCart], ['/', '/shop/1'], ['/shop/cart', '/shop/cart?x']],
    ['several inverse ones: none of their pages', [notCart, notHome], ['/x', '/?q'], ['/', '/shop/cart']],
    ['both: one matches and every inverse one holds', [notCart, shop, help], ['/shop/1', '/help'], ['/', '/shop/cart']],
    ['one with a problem: it matches nowhere', [item('regex', '('), item('simple', '')], [], ['/', '/x']],
    ['an inverse one with a problem: it excludes nothing', [item('inverse_simple', 'a b')], ['/', '/x'], []],
  ])('%s', (_, items, yes, no) => {
    const shows = compileUrls(items);
    const shown = [...yes, ...no].filter((path) => shows(parsePageAddress(`https://a.com${path}`)));
    expect(shown).toEqual(yes);
  });
});

describe('findPatternProblem', () => {
  it.each<[MatchType, string, string]>([
    ['simple', '', 'must not be empty'],
    ['regex', '', 'must not be empty'],
    ['simple', '/my page', 'must be one address, without spaces and `\\`; `%20` is a space'],
    ['inverse_simple', ' /x', 'without spaces'],
    ['exact', 'a.com\\x', 'without spaces'],
    ['simple', 'https://a.com, https://b.com', 'must be one address'],
    ['simple', 'https://https://a.com', 'must be one address, with one `https://`'],
    ['exact', 'https://a.com/http://b.com', 'must be one address, with one `https://`'],
    ['simple', 'ftp://a.com/x', 'must begin with `https://`, `http://`, a host or `/`'],
    ['exact', 'http*://a.com/x', 'must begin with `https://`'],
    ['simple', '://a.com', 'must begin with `https://`'],
    ['simple', 'javascript:alert(1)', 'must name a valid host, or begin with `/`'],
    ['simple', 'mailto:ann', 'must name a valid host'],
    ['simple', 'a.com:80:90', 'must name a valid host'],
    ['simple', 'https://', 'must name a valid host'],
    ['exact', 'https:///x', 'must name a valid host'],
    ['inverse_exact', 'https://a<b.com/', 'must name a valid host'],
    ['simple', '*.a<b.com/', 'must name a valid host'],
    ['simple', 'https://ann:secret@a.com/', 'must be without a sign-in before the host'],
    ['exact', '*.a.com/x', 'must name a whole host; `*` is for the match type `simple`'],
    ['exact', '?tab=a', 'must begin with `https://`, a host or `/`'],
    [
      'regex',
      '(a)\\1',
      'must be a regular expression, but has a backreference `\\1` at character 4: it takes too long; repeat what stands there',
    ],
    ['regex', '/(?!admin)', 'must be a regular expression, but has lookaround `(?!` at character 2'],
    [
      'regex',
      '*checkout*',
      'must be a regular expression, but has nothing to repeat by `*` at character 1: put `\\` before it',
    ],
    ['regex', '(a{1000}){1000}', 'must be a regular expression, but has too many parts'],
  ])('describes the problem of %s %j', (match_type, url, problem) => {
    expect(findPatternProblem(url, match_type)).toContain(problem);
  });

  it.each(matchTypes)('accepts up to 2,000 characters for %s', (match_type) => {
    const pattern = match_type === 'regex' ? `/[${'a'.repeat(1997)}]` : `/${'a'.repeat(1999)}`;
    expect(findPatternProblem(pattern, match_type)).toBeUndefined();
    expect(findPatternProblem(`/${'a'.repeat(2000)}`, match_type)).toBe('must have at most 2000 characters');
  });

  it('accepts an address in parameters', () => {
    expect(findPatternProblem('/x?next=https://a.com/', 'simple')).toBeUndefined();
  });
});

describe('listUrlPrefixes', () => {
  it.each<[string, QuantifierUrl[], UrlPrefix[]]>([
    ['no items', [], [{}]],
    ['only inverse items', [item('inverse_simple', 'a.com/x')], [{}]],
    ['a host and a path', [item('simple', 'https://A.com/x?q')], [{ hostname: 'a.com', path: '/x/' }]],
    ['a host, without its port', [item('simple', 'a.com:8080/*')], [{ hostname: 'a.com' }]],
    ['a path up to its first asterisk', [item('simple', '/x/y*z')], [{ path: '/x/y' }]],
    ['an exact address', [item('exact', 'müller.de/x/')], [{ hostname: 'xn--mller-kva.de', path: '/x/' }]],
    ['an asterisk in the host', [item('simple', '*.a.com/x')], [{}]],
    ['only parameters', [item('simple', '?tab=a')], [{}]],
    ['a regex', [item('regex', '^https://a\\.com/')], [{}]],
    [
      'several',
      [item('simple', 'a.com'), item('exact', '/x'), item('inverse_exact', '/y')],
      [{ hostname: 'a.com' }, { path: '/x/' }],
    ],
    ['one that matches nowhere', [item('simple', 'a b'), item('simple', '/x')], [{ path: '/x/' }]],
  ])('%s', (_, items, anchors) => {
    expect(listUrlPrefixes(items)).toEqual(anchors);
  });
});

describe('any pattern and page', () => {
  const scheme = fc.constantFrom('https://', 'http://', 'HTTPS://');
  const host = fc.constantFrom('a.com', 'A.com', 'b.a.com', 'a.com:8080', 'ü.de', 'xn--tda.de');
  const path = fc
    .array(fc.constantFrom('/', '/x', '/X', '/xy', '/ü', '/%C3%BC', '/a.com', '/%78', '//'), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.join(''));
  const query = fc.constantFrom('', '', '?', '?a=1', '?b=2&a=1', '?a', '?a=ü');
  const hash = fc.constantFrom('', '', '#', '#x', '#/x', '#/x/?a=1');
  const href = fc.tuple(scheme, host, path, query, hash).map((parts) => parts.join(''));
  /** An address in which asterisks replace some parts. */
  const patternOf = (address: string) =>
    fc
      .tuple(
        fc.constantFrom(/^$/, /^\w+:\/\//, /^\w+:\/\/[^/]+/),
        fc.constantFrom(/^$/, /#.*/, /[?#].*/),
        fc.array(fc.tuple(fc.nat(30), fc.nat(4)), { maxLength: 2 }),
      )
      .map(([start, end, cuts]) =>
        cuts.reduce(
          (text, [at, length]) => `${text.slice(0, at)}*${text.slice(at + length)}`,
          address.replace(start, '').replace(end, ''),
        ),
      );
  const itemOf = (address: string) =>
    fc.record({ url: patternOf(address), match_type: fc.constantFrom(...matchTypes) });
  const cases = fc
    .tuple(href, href)
    .chain(([address, other]) =>
      fc.tuple(fc.constant(address), fc.array(fc.oneof(itemOf(address), itemOf(other)), { maxLength: 3 })),
    );

  it('fits a prefix when the page matches', () => {
    let matched = 0;
    fc.assert(
      fc.property(cases, ([address, input]) => {
        const page = parsePageAddress(address);
        if (!compileUrls(input)(page)) return;
        const anchors = listUrlPrefixes(input);
        if (anchors.some((anchor) => anchor.hostname ?? anchor.path)) matched++;
        expect(anchors.some((anchor) => agrees(anchor, page))).toBe(true);
      }),
      { numRuns: randomRuns(1000) },
    );
    expect(matched).toBeGreaterThan(randomRuns(50));
  });

  it('matches an address with itself, and with an asterisk for a part of it', () => {
    fc.assert(
      fc.property(href, fc.nat(), fc.nat(), (address, from, length) => {
        expect(matches('exact', address, address)).toBe(true);
        expect(matches('simple', address, address)).toBe(true);
        const plain = parsePageAddress(address);
        const place = `${plain.host}${plain.path}`;
        if (place.includes('%')) return;
        const at = from % place.length;
        const cut = `${place.slice(0, at)}*${place.slice(at + (length % 5))}`;
        if (findPatternProblem(cut, 'simple') === undefined)
          expect([cut, matches('simple', cut, address)]).toEqual([cut, true]);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('matches any characters only with an asterisk', () => {
    const word = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((letters) => letters.join(''));
    const wild = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 6 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(wild, word, (input, text) => {
        const expected = new RegExp(`^${input.replaceAll('*', '.*')}$`).test(text);
        expect(matches('simple', `/-${input}-`, `https://a.com/-${text}-`)).toBe(expected);
      }),
      { numRuns: randomRuns(600) },
    );
  });

  it('compiles any text or reports a problem, and tests any page', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      fc.string({ unit: fc.constantFrom(...':/?#*@[]%.a&=\ud800') }),
    );
    fc.assert(
      fc.property(any, any, fc.constantFrom(...matchTypes), (url, address, match_type) => {
        const page = parsePageAddress(address);
        const answer = compileUrls([item(match_type, url)])(page);
        if (findPatternProblem(url, match_type) !== undefined) expect(answer).toBe(match_type.startsWith('inverse'));
        expect(parsePageAddress(`https://a.com${page.path}`).path).toBe(page.path || '/');
      }),
      { numRuns: randomRuns(600) },
    );
  });

  function agrees({ hostname, path }: UrlPrefix, page: PageAddress): boolean {
    return (hostname === undefined || hostname === page.hostname) && page.path.startsWith(path ?? '');
  }
});

function expectTable(match_type: 'simple' | 'exact', pattern: string, yes: string[], no: string[]): void {
  const found = [...yes, ...no].filter((href) => matches(match_type, pattern, href));
  expect(found).toEqual(yes);
}

describe('a budget', () => {
  const costly = '(?:.*a){200}Q';
  const long = parsePageAddress(`https://a.com/${'a'.repeat(2000)}`);
  const short = parsePageAddress(`https://a.com/${'a'.repeat(200)}Q`);

  it('skips a pattern that takes too many steps, and lists it', () => {
    const budget = new PatternBudget();
    const test = compileUrls([item('regex', costly)]);
    expect(test(short, budget)).toBe(true);
    expect(budget.skipped).toEqual([]);
    expect(test(long, budget)).toBe(false);
    expect(budget.skipped).toEqual([costly]);
  });

  it('gives enough steps to every pattern that can be published, for an address of 200 characters', () => {
    const largest = '(?:.*a){249}Q';
    expect(findPatternProblem(largest, 'regex')).toBeUndefined();
    expect(findPatternProblem('(?:.*a){251}Q', 'regex')).toContain('too many parts: 1005');
    const budget = new PatternBudget();
    compileUrls([item('regex', largest)])(parsePageAddress(`https://a.com/${'a'.repeat(186)}`), budget);
    expect(budget.skipped).toEqual([]);
  });

  it('shares the steps among the patterns of a visit, and tests each once', () => {
    const patterns = Array.from({ length: 50 }, (_, at) => `(?:.*a){${200 - at}}Q`);
    const steps = new AccountStepBudget();
    const budget = new PatternBudget(steps, 1000);
    const before = steps.left(1000);
    for (const pattern of [...patterns, ...patterns]) compileUrls([item('regex', pattern)])(long, budget);
    expect(before - steps.left(1000)).toBeLessThanOrEqual(500_000);
    expect(new Set(budget.skipped)).toEqual(new Set(patterns));
  });

  it('refills the steps of an account over time, and reserves enough for an ordinary page load', () => {
    const steps = new AccountStepBudget();
    const skippedAt = (now: number, pattern: string, page: PageAddress) => {
      const budget = new PatternBudget(steps, now);
      compileUrls([item('regex', pattern)])(page, budget);
      return budget.skipped.length > 0;
    };
    const middling = parsePageAddress(`https://a.com/${'a'.repeat(190)}`);
    expect(skippedAt(1000, costly, middling)).toBe(false);
    while (steps.left(1000) > 0) skippedAt(1000, costly, long);
    expect(skippedAt(1000, costly, middling)).toBe(true);
    expect(skippedAt(1000, '^https://a\\.com/(?:x|a+)$', long)).toBe(false);
    expect(skippedAt(2000, costly, middling)).toBe(false);
  });

  it('counts the parameters of an address, and hides what an inverse pattern might exclude', () => {
    const many = parsePageAddress(`https://a.com/?${'a&'.repeat(1000)}`);
    const pattern = `?${'a*b&'.repeat(400)}`;
    const budget = new PatternBudget();
    const tests = Array.from({ length: 2000 }, (_, at) => item('inverse_simple', `${pattern}a&x${at % 9}`));
    const shown = tests.map((one) => compileUrls([one])(many, budget));
    expect(shown[0]).toBe(true);
    expect(shown.at(-1)).toBe(false);
    expect(budget.skipped.length).toBeGreaterThan(0);
  });
});
