import { textsOf } from './texts.ts';
import { anchorsOf, type Token, tokensOf } from './tokens.ts';

export type CandidateKind = 'token' | 'text' | 'positional';

/** A description of the element that may match other elements too. */
export interface Draft {
  selector?: string;
  text?: string;
  score: number;
  kind: CandidateKind;
  /** The basis of the description: two drafts with the same basis fail together. */
  basis: string;
}

const MAX_ANCHORS = 8;
const TEXT_SCORE = 41;
/** An element that is the only one of its tag inside of an ancestor is found by its place, unless it is a field of a form. */
const MIN_TOKEN_SCORE = 28;

/** Lists descriptions of the element inside of its document or shadow root, the most durable first. */
export function listDrafts(element: Element): Draft[] {
  const anchors = listAnchors(element);
  const own = anchorsOf(element);
  const weak = tokensOf(element).filter(({ css }) => own.every((token) => token.css !== css));
  const drafts = [
    ...own.map((token) => draftOf(token)),
    ...combine(element, own),
    ...[...own, ...weak].flatMap((token) => anchors.map((anchor) => draftOf(token, anchor))),
    // A token that names a position may also stand alone.
    ...weak.filter(({ isPosition }) => isPosition).map((token) => draftOf(token)),
    ...textsOf(element).flatMap((text, index) => draftsOfText(element, text, own, anchors, index)),
  ];
  return drafts.sort((a, b) => b.score - a.score);
}

/** Describes the element by its place, beginning at the closest ancestor that is described without one. */
export function positionalDraftOf(element: Element): Draft {
  const [anchor] = listAnchors(element);
  const root = element.getRootNode() as ParentNode;
  const start = anchor && root.querySelector(anchor.css);
  const steps: string[] = [];
  for (let at: Element | null = element; at && at !== start; at = at.parentElement) steps.unshift(stepOf(at));
  if (anchor) steps.unshift(anchor.css);
  return { selector: steps.join('>'), score: Math.max(5, 20 - steps.length), kind: 'positional', basis: 'position' };
}

function stepOf(element: Element): string {
  const tag = CSS.escape(element.localName);
  const siblings = [...(element.parentElement?.querySelectorAll(':scope>*') ?? [])].filter(
    ({ localName }) => localName === element.localName,
  );
  return siblings.length > 1 ? `${tag}:nth-of-type(${siblings.indexOf(element) + 1})` : tag;
}

/**
 * Lists the tokens that describe the ancestors, the closest first. Except for keys, each token matches only one
 * element, so that no other can take its place.
 */
function listAnchors(element: Element): Token[] {
  const root = element.getRootNode() as ParentNode;
  const anchors: Token[] = [];
  for (let at = element.parentElement; at && anchors.length < MAX_ANCHORS; at = at.parentElement)
    anchors.push(...anchorsOf(at).filter(({ css, isKey }) => isKey || root.querySelectorAll(css).length === 1));
  return anchors.slice(0, MAX_ANCHORS);
}

function draftOf(token: Token, anchor?: Token): Draft {
  const { css, isText, isPosition } = token;
  const isWeak = token.score < MIN_TOKEN_SCORE;
  const kind = isPosition || isWeak ? 'positional' : isText || anchor?.isText ? 'text' : 'token';
  // The strength of an anchor only decides between anchors.
  const score = anchor ? Math.min(token.score, anchor.score) - 4 + anchor.score / 50 : token.score;
  return { selector: anchor ? `${anchor.css} ${css}` : css, score, kind, basis: css };
}

/**
 * Combines classes with each other and with the tag. A combination often occurs once where each of its parts occurs
 * more often.
 */
function combine(element: Element, own: Token[]): Draft[] {
  const classes = own.filter(({ css }) => css.startsWith('.'));
  const tag = CSS.escape(element.localName);
  const pairs = classes.flatMap((a, index) => classes.slice(index + 1).map((b) => a.css + b.css));
  return [...classes.map(({ css }) => tag + css), ...pairs].map((css) => draftOf({ css, score: 43 }));
}

function draftsOfText(element: Element, text: string, own: Token[], anchors: Token[], index: number): Draft[] {
  const tag = CSS.escape(element.localName);
  const describe = (score: number, selector?: string): Draft => ({
    ...(selector && { selector }),
    ...{ text, score: score - index * 2, kind: 'text', basis: 'text' },
  });
  return [
    describe(TEXT_SCORE, tag),
    describe(TEXT_SCORE - 4),
    ...anchors.map(({ css, score }) => describe(TEXT_SCORE - 2 + score / 100, `${css} ${tag}`)),
    ...own.map(({ css, isText }) => describe(TEXT_SCORE - (isText ? 6 : 1), css)),
  ];
}
