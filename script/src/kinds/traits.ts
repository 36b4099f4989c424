import type { Kind } from '../wire.ts';

/**
 * The traits of a kind that other modules must know. A test compares them with `@usher/domain/kinds`, which has more.
 */
interface Traits {
  /** Whether only one Experience of this kind shows at a time. */
  isExclusive?: 1;
  /** Whether users answer questions. */
  asks?: 1;
  /** Whether the kind has items instead of steps. */
  hasItems?: 1;
  /** Where all steps of the kind are: at an element of the page, or within the page. */
  place?: 'element' | 'inline';
}

export const traits: Record<Kind, Traits> = {
  tour: { isExclusive: 1 },
  survey: { isExclusive: 1, asks: 1 },
  launcher: { hasItems: 1 },
  tooltip: { place: 'element' },
  embed: { place: 'inline' },
};

/** Returns whether an Experience needs the slot. A newer server may send a kind that this script does not know. */
export function isExclusive({ kind }: { kind: Kind }): boolean {
  return !!traits[kind]?.isExclusive;
}
