import Type, { type Static } from 'typebox';
import { Nullable, OneOf, OutputObject } from '../basics/schema.ts';
import { toOutputSchemas, toParameterSchemas } from '../content/field-schemas.ts';
import { isFindable, toTarget } from '../content/page-element.ts';
import { findElementProblem } from '../content/publish.ts';
import { eventFields } from '../fields/event-fields.ts';
import type { ElementTarget } from '../fields/field.ts';
import type { PatternBudget } from '../patterns/pattern-budget.ts';
import { compileUrls, findPatternProblem, type PageAddress } from '../patterns/url-match.ts';

/** What people do for an event that is counted without code: they click an element, or open a page. */
export const eventDefinitionKinds = ['click', 'page'] as const;

export const EventDefinition = OutputObject({ kind: OneOf(eventDefinitionKinds), ...toOutputSchemas(eventFields) });
export type EventDefinition = Static<typeof EventDefinition>;

export const EventDefinitionParameter = Type.Unsafe<Partial<EventDefinition> & Pick<EventDefinition, 'kind'>>(
  Type.Object(
    { kind: OneOf(eventDefinitionKinds), ...toParameterSchemas(eventFields) },
    { description: 'an object with `kind` = `click` or `page`' },
  ),
);

export const ShownEventDefinition = Nullable(EventDefinition);

/** The definition of a new event, before an element or a page is chosen. */
export function emptyEventDefinition(kind: EventDefinition['kind']): EventDefinition {
  return { kind, elements: [], quantifier_urls: [], url_group_ids: [] };
}

/** Describes what keeps a definition from being published. */
export function listDefinitionProblems({ kind, elements, quantifier_urls }: EventDefinition): string[] {
  const problems: string[] = [];
  if (kind === 'click' && !elements.map(toTarget).some(isFindable))
    problems.push('It counts clicks, but no element is chosen: pick one on your page, or give its CSS selector');
  if (kind === 'page' && quantifier_urls.length === 0)
    problems.push('It counts pages, but none is chosen: give a pattern such as `/settings/*`');
  for (const element of elements.map(toTarget)) {
    const problem = findElementProblem(element);
    if (problem !== undefined) problems.push(`Its element: ${problem}`);
  }
  for (const { url, match_type } of quantifier_urls) {
    const problem = findPatternProblem(url, match_type);
    if (problem !== undefined) problems.push(`The pattern "${url}" ${problem}`);
  }
  return problems;
}

/** An event that pages count. Without `elements`, opening the page counts. */
export interface PageEventDefinition {
  name: string;
  elements?: ElementTarget[];
  /** Whether it is for some pages only. */
  is_local?: true;
}

/** A published definition, with its URL patterns compiled. */
export interface CompiledEvent {
  name: string;
  urlGroupIds: readonly string[];
  matches(page: PageAddress, budget?: PatternBudget): boolean;
  /** What pages get, as JSON. */
  json: string;
}

export function compileEvent(
  name: string,
  { kind, elements, quantifier_urls, url_group_ids }: EventDefinition,
): CompiledEvent {
  const shown: PageEventDefinition = {
    name,
    ...(kind === 'click' && { elements: elements.map(toTarget).map(withoutNulls) }),
    ...(quantifier_urls.length > 0 && { is_local: true }),
  };
  return { name, urlGroupIds: url_group_ids, matches: compileUrls(quantifier_urls), json: JSON.stringify(shown) };
}

function withoutNulls(target: ElementTarget): ElementTarget {
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null)) as unknown as ElementTarget;
}

const MAX_NAMED = 60;

/** What people do for it, in words: `Click on “Pay” on /billing/*`. */
export function describeDefinition({ kind, elements, quantifier_urls }: EventDefinition): string {
  const pages = quantifier_urls.map(({ url, match_type }) =>
    match_type.startsWith('inverse_') ? `not ${url}` : match_type === 'regex' ? `/${url}/` : url,
  );
  const on = pages.length === 0 ? '' : ` on ${pages.join(', ')}`;
  if (kind === 'page') return pages.length === 0 ? 'Page without a pattern' : `Page ${pages.join(', ')}`;
  const [element] = elements.map(toTarget);
  const named = element?.text ? `“${element.text}”` : (element?.shadow_selector ?? element?.selector);
  if (!named) return `Click without an element${on}`;
  const short = named.length > MAX_NAMED ? `${named.slice(0, MAX_NAMED)}…` : named;
  return `Click on ${short}${on}`;
}
