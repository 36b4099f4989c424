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
import type { ActiveExperience } from '../active-experience.ts';
import type { ExplicitRequestsDependencies } from '../core/explicit-requests.ts';
import type { PageUrl } from '../wire.ts';
import { globalAt } from './global-at.ts';
import { createPageMatcher, findAddress } from './match-page.ts';
import { createShowExperience, type ShowExperience } from './show-experience.ts';

type WithValues = Pick<ActiveExperience, 'options' | 'questions'>;

/** What only some Experiences need: merge tags with options of a Delivery, values of the page or answers, steps for certain URLs, and explicit requests. */
export interface Extras {
  resolveText(text: RichText, active: WithValues): RichText;
  /** Resolves the merge tags of an address. Returns undefined when the address is not allowed. */
  resolveAddress(address: Attribute, active: WithValues): Attribute | undefined;
  matchesPage(urls: readonly PageUrl[], href: string): boolean;
  findAddress(urls: readonly PageUrl[], href: string): URL | undefined;
  createShowExperience(deps: ExplicitRequestsDependencies): ShowExperience;
}

export function createExtras(compileRegex: CompileRegex): Extras {
  const findPattern = createTextMatcher(compileRegex);
  const lookupIn = ({ options, questions }: WithValues): Lookup => {
    const budget = new PatternBudget();
    const lookup: Lookup = (source, path) => {
      if (source === 'option') return valueAt(options, path);
      return source === 'global' ? globalAt(path) : source === 'answer' ? questions?.answerTo(path) : undefined;
    };
    lookup.matches = (text, pattern) => findPattern(text, pattern, budget);
    return lookup;
  };
  return {
    resolveText: (text, active) => resolve(text, lookupIn(active)),
    resolveAddress: (address, active) => resolveAddress(address, 'href', lookupIn(active)),
    matchesPage: createPageMatcher(compileRegex),
    findAddress,
    createShowExperience,
  };
}
