import { PatternBudget } from '../../../domain/src/patterns/pattern-budget.ts';
import { createTextMatcher } from '../../../domain/src/patterns/text-pattern.ts';
import type { CompileRegex } from '../../../domain/src/patterns/url-match.ts';
import {
  type Attribute,
  type Lookup,
  type RichText,
  resolve,
  resolveAddress,
  valueAt,
} from '../../../domain/src/rich-text/merge.ts';
import type { ExplicitRequestsDependencies } from '../core/explicit-requests.ts';
import type { PageUrl } from '../wire.ts';
import { globalAt } from './global-at.ts';
import { createPageMatcher, findAddress } from './match-page.ts';
import { createShowExperience, type ShowExperience } from './show-experience.ts';

/** What only some Experiences need: merge tags with options of a Delivery or values of the page, steps for certain URLs, and explicit requests. */
export interface Extras {
  resolveText(text: RichText, options: unknown): RichText;
  /** Resolves the merge tags of an address. Returns undefined when the address is not allowed. */
  resolveAddress(address: Attribute, options: unknown): Attribute | undefined;
  matchesPage(urls: readonly PageUrl[], href: string): boolean;
  findAddress(urls: readonly PageUrl[], href: string): URL | undefined;
  createShowExperience(deps: ExplicitRequestsDependencies): ShowExperience;
}

export function createExtras(compileRegex: CompileRegex): Extras {
  const findPattern = createTextMatcher(compileRegex);
  const lookupIn = (options: unknown): Lookup => {
    const budget = new PatternBudget();
    const lookup: Lookup = (source, path) =>
      source === 'option' ? valueAt(options, path) : source === 'global' ? globalAt(path) : undefined;
    lookup.matches = (text, pattern) => findPattern(text, pattern, budget);
    return lookup;
  };
  return {
    resolveText: (text, options) => resolve(text, lookupIn(options)),
    resolveAddress: (address, options) => resolveAddress(address, 'href', lookupIn(options)),
    matchesPage: createPageMatcher(compileRegex),
    findAddress,
    createShowExperience,
  };
}
