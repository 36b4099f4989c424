import { type Attribute, type RichText, resolve, resolveAddress, valueAt } from '../../domain/src/merge.ts';
import type { Config } from './config.ts';
import { toFunction } from './page/code.ts';

/* What few Experiences need: places for options of a Delivery in their texts, and code. All else the server fills in. */

export interface Extras {
  text(text: RichText, options: unknown): RichText;
  address(address: Attribute, options: unknown): Attribute | undefined;
  toFunction(code: string, config: Config): ((element: Element | null) => unknown) | undefined;
}

const lookupIn = (options: unknown) => (of: 'prop' | 'option', path: string) =>
  of === 'option' ? valueAt(options, path) : undefined;

const extras: Extras = {
  text: (text, options) => resolve(text, lookupIn(options)),
  address: (address, options) => resolveAddress(address, 'href', lookupIn(options)),
  toFunction,
};

(window as unknown as { usher: { kind(name: string, part: unknown): void } }).usher.kind('extras', extras);
