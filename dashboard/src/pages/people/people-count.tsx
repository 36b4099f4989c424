import { describeCount } from '../../filters/describe-count.ts';
import type { FilterSet } from '../../filters/filter-set.ts';
import { usePeopleCount } from '../../filters/use-people-count.ts';
import * as text from '../../messages/text.ts';
import { cx } from '../../ui/cx.ts';

const texts = text.people;

/**
 * How many people the filters find. The number of the previous filters stays, dimmed, until the new one is loaded.
 * Without filters, it is the number of loaded rows.
 */
export function PeopleCount({ value, loaded }: { value: FilterSet; loaded: string }) {
  const { counted, isOld, isFailed } = usePeopleCount(value);
  if (!counted || isFailed) return loaded;
  return (
    <span className={cx('transition-opacity', isOld && 'opacity-60')}>
      {describeCount(counted)}, {texts.withoutTestUsers}
    </span>
  );
}
