import { type CountedPeople, describeCount, describeCountShortly } from './describe-count.ts';

/** A number of people in few letters, with all digits on hover. */
export function ShortCount({ counted }: { counted: CountedPeople }) {
  return <span title={describeCount(counted)}>{describeCountShortly(counted)}</span>;
}
