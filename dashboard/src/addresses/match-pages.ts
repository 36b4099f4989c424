import { compileUrls, parsePageAddress, type QuantifierUrl } from '@usher/domain';

export interface PageMatch {
  fits: boolean;
  /** The rule that decides, if one does: the first that fits, or the one that rules the page out. */
  by: number | undefined;
}

/** Whether a page is one of these, and which rule says so. The same code decides on page loads. */
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

/** Completes what somebody types: a path belongs to the host, an address without a scheme is https. Undefined if it is no address. */
export function toHref(typed: string, host: string | undefined): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const whole =
    trimmed.startsWith('/') && !trimmed.startsWith('//') ? `https://${host ?? 'example.com'}${trimmed}` : trimmed;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(whole) ? whole : `https://${whole}`;
  return /^https?:/i.test(address) && URL.canParse(address) ? address : undefined;
}
