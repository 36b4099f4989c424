import {
  type CompileRegex,
  compilePublishedUrls,
  parsePageAddress,
  type QuantifierUrl,
} from '../../../domain/src/patterns/url-match.ts';
import type { PageUrl } from '../wire.ts';

/** Creates a function that says whether a step is for a page. Patterns are compiled when they are first tested. */
export function createPageMatcher(compileRegex: CompileRegex): (urls: readonly PageUrl[], href: string) => boolean {
  const compiled = new WeakMap<readonly PageUrl[], ReturnType<typeof compilePublishedUrls>>();
  return (urls, href) => {
    const patterns = () => urls.map(({ url, match_type = 'simple' }): QuantifierUrl => ({ url, match_type }));
    const matches = compiled.get(urls) ?? compilePublishedUrls(patterns(), compileRegex);
    compiled.set(urls, matches);
    return matches(parsePageAddress(href));
  };
}

/** Finds the first pattern that is a plain address, and resolves it against the address of a page. */
export function findAddress(urls: readonly PageUrl[], href: string): URL | undefined {
  const plain = urls.find(({ url, match_type = '' }) => !url.includes('*') && !/^(regex|inverse)/.test(match_type));
  // Without a scheme, the text before the first slash is a host.
  return plain && new URL(/^([/?#]|https?:)/i.test(plain.url) ? plain.url : `//${plain.url}`, href);
}
