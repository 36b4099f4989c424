import { compileUrls, type QuantifierUrl, readPage } from '../../domain/src/url-match.ts';
import type { PageUrl } from './kind.ts';

/* On which pages steps show. It comes when a step names any; with regular expressions, in a build that reads them. */

const compiled = new WeakMap<readonly PageUrl[], ReturnType<typeof compileUrls>>();

function matches(urls: readonly PageUrl[], href: string): boolean {
  const test =
    compiled.get(urls) ??
    compileUrls(urls.map(({ url, match_type = 'simple' }): QuantifierUrl => ({ url, match_type })));
  compiled.set(urls, test);
  return test(readPage(href));
}

declare const USHER_PART: string;
(window as unknown as { usher: { kind(name: string, part: unknown): void } }).usher.kind(USHER_PART, matches);
