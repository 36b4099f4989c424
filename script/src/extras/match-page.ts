import { compileUrls, type QuantifierUrl, readPage } from '../../domain/src/url-match.ts';
import type { PageUrl } from './kind.ts';

/* On which pages steps show. */

const compiled = new WeakMap<readonly PageUrl[], ReturnType<typeof compileUrls>>();

export function isHere(urls: readonly PageUrl[], href: string): boolean {
  const test =
    compiled.get(urls) ??
    compileUrls(urls.map(({ url, match_type = 'simple' }): QuantifierUrl => ({ url, match_type })));
  compiled.set(urls, test);
  return test(readPage(href));
}

/** The first that is an address as it stands, as seen from a page. */
export function addressIn(urls: readonly PageUrl[], href: string): URL | undefined {
  const plain = urls.find(({ url, match_type = '' }) => !url.includes('*') && !/^(regex|inverse)/.test(match_type));
  // Without a scheme, what stands before the first slash is a host.
  return plain && new URL(/^([/?#]|https?:)/i.test(plain.url) ? plain.url : `//${plain.url}`, href);
}
