import { formatCompact, formatEstimate, formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';

const texts = text.filters.people;

/** A number of people as the server has counted them. */
export interface CountedPeople {
  count: number;
  /** False if there was no time to count all. */
  is_complete?: boolean | undefined;
  estimate?: number | undefined;
}

/** "1,200 people", or "About 1,200 people" if there was no time to count all. */
export function describeCount({ count, is_complete, estimate = count }: CountedPeople): string {
  if (is_complete === false) return texts.about(formatEstimate(estimate), Math.round(estimate) === 1);
  return texts.count(formatNumber(count), count === 1);
}

/** The same in few letters. */
export function describeCountShortly({ count, is_complete, estimate = count }: CountedPeople): string {
  if (is_complete === false)
    return texts.about(formatCompact(Number(estimate.toPrecision(2))), Math.round(estimate) === 1);
  return texts.count(formatCompact(count), count === 1);
}

/** "1,200", or "about 1,200", within a sentence. */
export function formatPeople({ count, is_complete, estimate = count }: CountedPeople): string {
  return is_complete === false ? texts.aboutNumber(formatEstimate(estimate)) : formatNumber(count);
}
