import { compileUrls, parsePageAddress, type QuantifierUrl } from '@usher/domain';

export interface PageMatch {
  fits: boolean;
  /** The index of the rule that decides, if one does: the first that fits, or the one that excludes the page. */
  by: number | undefined;
}

/** Whether a page is among the pages of these rules, and which rule decides. Page loads use the same code. */
export function matchPage(rules: readonly QuantifierUrl[], href: string): PageMatch {
  const page = parsePageAddress(href);
  const holds = (rule: QuantifierUrl) => compileUrls([rule])(page);
  const fits = compileUrls(rules)(page);
  const isInverse = ({ match_type }: QuantifierUrl) => match_type.startsWith('inverse_');
  const ruledOut = rules.findIndex((rule) => isInverse(rule) && !holds(rule));
  const wanted = rules.findIndex((rule) => !isInverse(rule) && holds(rule));
  const by = fits ? wanted : ruledOut;
  return { fits, by: by < 0 ? undefined : by };
}

/**
 * Completes a typed address: a path gets the host, and an address without a scheme gets https. Undefined if it is not
 * an address.
 */
export function toHref(typed: string, host: string | undefined): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const whole =
    trimmed.startsWith('/') && !trimmed.startsWith('//') ? `https://${host ?? 'example.com'}${trimmed}` : trimmed;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(whole) ? whole : `https://${whole}`;
  return /^https?:/i.test(address) && URL.canParse(address) ? address : undefined;
}
