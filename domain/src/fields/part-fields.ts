import { buttonFields } from './button-fields.ts';
import type { Fields } from './field.ts';
import { itemFields } from './item-fields.ts';
import { stepFields } from './step-fields.ts';

/** The lists of parts, and the fields of the parts in them. */
export const partFields = { steps: stepFields, buttons: buttonFields, items: itemFields } satisfies Record<
  string,
  Fields
>;
export type PartList = keyof typeof partFields;
/** How many parts a list can have. */
export const MAX_PARTS: Readonly<Record<PartList, number>> = { steps: 200, buttons: 10, items: 100 };
