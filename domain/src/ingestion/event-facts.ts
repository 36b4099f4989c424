/*
 * What is known of the name of an event besides its last time. It is collected like the samples of Properties.
 */

/** From where events come: the script of a page, the API one by one or in batches, a definition without code, or another service. */
export type EventSource = 'api_js' | 'api_v3' | 'batch' | 'custom' | 'import';

export interface EventFacts {
  sources: readonly EventSource[];
  /** The keys of the properties that its events have had, the most recent first. */
  props: readonly string[];
}

/** An event with more properties is rare, and the list must not grow with what pages invent. */
const MAX_PROPS = 50;

export const noFacts: EventFacts = { sources: [], props: [] };

/** Adds what was seen to what is known. */
export function mergeEventFacts(known: EventFacts, seen: EventFacts): EventFacts {
  return {
    sources: [...new Set([...known.sources, ...seen.sources])],
    props: [...new Set([...seen.props, ...known.props])].slice(0, MAX_PROPS),
  };
}
