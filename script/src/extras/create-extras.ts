import { type Attribute, type RichText, resolve, resolveAddress, valueAt } from '../../domain/src/merge.ts';
import type { PageUrl } from './kind.ts';
import { addressIn, isHere } from './urls.ts';

/*
 * What few Experiences need: places for options of a Delivery in their texts, steps of certain pages. With regular
 * expressions among the patterns of these, in a build that reads them.
 */

export interface Extras {
  text(text: RichText, options: unknown): RichText;
  address(address: Attribute, options: unknown): Attribute | undefined;
  isHere(urls: readonly PageUrl[], href: string): boolean;
  addressIn(urls: readonly PageUrl[], href: string): URL | undefined;
}

const lookupIn = (options: unknown) => (of: 'prop' | 'option', path: string) =>
  of === 'option' ? valueAt(options, path) : undefined;

const extras: Extras = {
  text: (text, options) => resolve(text, lookupIn(options)),
  address: (address, options) => resolveAddress(address, 'href', lookupIn(options)),
  ...{ isHere, addressIn },
};

declare const USHER_PART: string;
(window as unknown as { usher: { kind(name: string, part: unknown): void } }).usher.kind(USHER_PART, extras);
