import { compileUrls, listUrlPrefixes, matchTypes, parsePageAddress, type QuantifierUrl } from '@usher/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../../domain/test/random-runs.ts';
import { UrlIndex } from './url-index.ts';

const of = (...items: QuantifierUrl[]) => ({ urlPrefixes: listUrlPrefixes(items), startsOn: compileUrls(items) });
const simple = (url: string): QuantifierUrl => ({ url, match_type: 'simple' });

describe('UrlIndex', () => {
  const host = fc.constantFrom('a.com', 'b.a.com', 'A.com:8080', 'ü.de');
  const path = fc.array(fc.constantFrom('/', '/x', '/xy', '/x/y', '/%78', '/ü', '?a=1', '#/x'), { maxLength: 3 });
  const href = fc.tuple(host, path).map(([name, parts]) => `https://${name}${parts.join('') || '/'}`);
  const start = fc.constantFrom('https://', '', '//', '*.', '*');
  const pattern = fc.oneof(
    fc.tuple(start, host, path, fc.constantFrom('', '*', '/*')).map((parts) => parts.flat().join('')),
    fc.tuple(path, fc.constantFrom('', '*', '/*')).map((parts) => parts.flat().join('')),
  );
  const item = fc.record({ url: pattern, match_type: fc.constantFrom(...matchTypes) });
  const experience = fc.array(item, { maxLength: 3 }).map((items) => of(...items));

  it('finds every item that begins on the page, in the same order', () => {
    fc.assert(
      fc.property(fc.array(experience, { maxLength: 12 }), href, (all, address) => {
        const page = parsePageAddress(address);
        const found = new UrlIndex(all).candidates(page);
        expect(found.filter(({ startsOn }) => startsOn(page))).toEqual(all.filter(({ startsOn }) => startsOn(page)));
        expect(found).toEqual(all.filter((one) => found.includes(one)));
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('leaves out items that begin only on other paths or hosts', () => {
    const elsewhere = Array.from({ length: 1000 }, (_, at) => of(simple(`/page-${at}/*`), simple(`b.com/${at}`)));
    const [below, onHost, anywhere, byRegex] = [
      of(simple('/page-7/*')),
      of(simple('a.com/*')),
      of(),
      of({ url: 'page-7', match_type: 'regex' }),
    ];
    const index = new UrlIndex([...elsewhere, below, onHost, anywhere, byRegex]);
    const found = index.candidates(parsePageAddress('https://a.com/page-7/x'));
    expect(found).toEqual([elsewhere[7], below, onHost, anywhere, byRegex]);
  });

  it('finds items that begin on every page for a page without a host', () => {
    const all = [of(), of(simple('*')), of(simple('/a'))];
    expect(new UrlIndex(all).candidates(parsePageAddress('about:blank'))).toEqual(all.slice(0, 2));
  });
});
