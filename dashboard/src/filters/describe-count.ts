import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

const texts = text.filters.people;

/** Describes a number of people. It is a lower bound if there was no time to count all. */
export function describeCount(count: number, isPartial: boolean): string {
  return isPartial ? texts.moreThan(formatNumber(count)) : texts.count(formatNumber(count), count === 1);
}
