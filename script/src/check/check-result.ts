import type { PageElement } from '../wire.ts';

/* What `usher check` asks a page, and what the page answers. */

/** An element that a step needs. */
export interface ElementToCheck {
  elements: readonly PageElement[];
  /** Whether the step goes inside of its element, which may have no size until then. */
  isInline: boolean;
}

/**
 * `by_place`: only its place describes it, so it may be another element. `fallback`: a description no longer finds it. `several`: it is
 * not certain which element is meant.
 */
export const checkStates = ['found', 'by_place', 'fallback', 'several', 'covered', 'missing'] as const;
type CheckState = (typeof checkStates)[number];

export interface CheckResult {
  state: CheckState;
  /** Why the closest description finds nothing, if it is missing. */
  reason?: 'not_found' | 'text_differs' | 'hidden' | 'no_shadow_root' | 'bad_selector';
  /** The description that finds it, from 0. */
  by?: number;
  /** The descriptions that do not find it any more. */
  lost?: number[];
  /** The element in a few words. */
  element?: string;
  /** Where it is in the window. */
  box?: PageBox;
  /** Better descriptions. They are given only if it is certain that they are of the same element. */
  proposal?: PageElement[];
}

export interface PageBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The functions that the script adds to a page that is checked. */
export interface PageCheck {
  check(list: readonly ElementToCheck[]): CheckResult[];
  /** Outlines a place of the window for a picture, and returns a function that removes the outline. */
  outline(box: PageBox): void;
  removeOutline(): void;
}

/** The key of the functions in the window. */
export const checkKey = 'usher check';
