import { findAll, isVisible, SHADOW_SEPARATOR } from '../../page/find.ts';
import type { PageElement } from '../../wire.ts';
import { type CandidateKind, type Draft, listDrafts, positionalDraftOf } from './candidates.ts';
import { suggestAttribute } from './suggest-attribute.ts';
import { MAX_SELECTOR_LENGTH } from './tokens.ts';

/** A description of an element that matches nothing else on the page now. */
export interface Candidate extends PageElement {
  /** From 0 to 100: how likely it finds the same element after the next deploy. */
  score: number;
  /** `text` depends on the language of the page, `positional` on where the element is. */
  kind: CandidateKind;
  /** How many elements match. If there are several, the others are hidden. */
  matches: number;
}

/** How many candidates of each kind are suggested, in the order in which they are tried. */
const limits = { token: 2, text: 2, positional: 1 };
const order: CandidateKind[] = ['token', 'text', 'positional'];
const HIDDEN_MATCHES_PENALTY = 8;

/**
 * Suggests how to find the element again, the most durable description first and positions last, and an attribute that
 * a developer can add. An element in a closed shadow root has no candidates, because no description can reach it.
 */
export function suggest(element: Element): { candidates: Candidate[]; attribute: string } {
  const root = element.getRootNode();
  const hosts = 'host' in root ? hostsOf(root.host as Element) : [undefined];
  const drafts = listDrafts(element);
  const candidates = order.flatMap((kind) => {
    const ofKind = drafts.filter((draft) => draft.kind === kind);
    if (kind === 'positional') ofKind.push(positionalDraftOf(element));
    return chooseUnique(element, ofKind, hosts, limits[kind]);
  });
  const isPositional = ({ kind }: Candidate) => Number(kind === 'positional');
  candidates.sort((a, b) => isPositional(a) - isPositional(b) || b.score - a.score);
  return { candidates, attribute: suggestAttribute(element) };
}

/** Returns whether a description holds more than the place of the element. Another element may be in this place after a change. */
export function isDurable({ kind }: Candidate): boolean {
  return kind !== 'positional';
}

/** What the editor stores of a candidate. */
export function toDescription({ selector, text, shadow_selector }: PageElement): PageElement {
  return {
    ...(selector !== undefined && { selector }),
    ...(text !== undefined && { text }),
    ...(shadow_selector !== undefined && { shadow_selector }),
  };
}

/**
 * Returns the descriptions of a host. Those with a text are left out, because the text of a description is that of the
 * element inside of the shadow root.
 */
function hostsOf(host: Element): Candidate[] {
  return suggest(host).candidates.filter(({ text }) => !text);
}

/**
 * Chooses the best drafts that match only the element. Drafts with a basis of their own come first, because they do not fail
 * together.
 */
function chooseUnique(
  element: Element,
  drafts: readonly Draft[],
  hosts: readonly (Candidate | undefined)[],
  limit: number,
): Candidate[] {
  const chosen: Candidate[] = [];
  const spare: Candidate[] = [];
  const bases = new Set<string>();
  for (const draft of drafts) {
    if (chosen.length === limit) break;
    const isNew = !bases.has(draft.basis);
    if (!isNew && spare.length === limit) continue;
    const candidate = checkUnique(element, draft, hosts);
    if (!candidate) continue;
    bases.add(draft.basis);
    (isNew ? chosen : spare).push(candidate);
  }
  return [...chosen, ...spare].slice(0, limit);
}

function checkUnique(element: Element, draft: Draft, hosts: readonly (Candidate | undefined)[]): Candidate | undefined {
  for (const host of hosts) {
    const description = describe(draft, host);
    if ((draft.selector?.length ?? 0) > MAX_SELECTOR_LENGTH) continue;
    const { elements } = findAll(description);
    const isOnly = elements.length === 1 && elements[0] === element;
    const visible = isOnly ? [element] : elements.filter(isVisible);
    if (visible.length !== 1 || visible[0] !== element) continue;
    const score = Math.min(draft.score, host?.score ?? 100) - (isOnly ? 0 : HIDDEN_MATCHES_PENALTY);
    const kind = order[Math.max(order.indexOf(draft.kind), host ? order.indexOf(host.kind) : 0)] ?? draft.kind;
    return { ...description, score: Math.max(0, Math.round(score)), kind, matches: elements.length };
  }
  return undefined;
}

function describe({ selector, text }: Draft, host: Candidate | undefined): PageElement {
  const own = host ? insideOf(host, selector ?? '*') : selector ? { selector } : {};
  return text ? { ...own, text } : own;
}

/** Describes an element in the shadow root of another one, which may itself be in a shadow root. */
function insideOf({ selector = '', shadow_selector }: PageElement, inner: string): PageElement {
  return { selector, shadow_selector: shadow_selector ? `${shadow_selector}${SHADOW_SEPARATOR}${inner}` : inner };
}
