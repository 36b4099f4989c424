import * as text from '../messages/text.ts';
import { cx } from '../ui/cx.ts';
import { Link } from '../ui/link.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { describeCount } from './describe-count.ts';
import type { FilterSet } from './filter-set.ts';
import { usePeopleCount } from './use-people-count.ts';
import { usePeopleSample } from './use-people-sample.ts';

const texts = text.filters.people;

/** Shows how many people meet the conditions now. While a new number is being counted, the old one is dimmed. */
export function PeopleCount({ value }: { value: FilterSet }) {
  const { counted, isOld, isFailed } = usePeopleCount(value);
  if (isFailed) return <p className="text-13 text-bad">{texts.failed}</p>;
  return (
    <p role="status" aria-busy={isOld} className={cx('text-20 font-semibold tabular-nums', isOld && 'text-faint')}>
      {counted ? describeCount(counted) : texts.counting}
    </p>
  );
}

/** Shows the number of people who meet the conditions, and some of these people. */
export function PeoplePreview({ value }: { value: FilterSet }) {
  const { people, isPartial, isOld } = usePeopleSample(value);
  return (
    <div className="flex flex-col gap-3">
      <div>
        <PeopleCount value={value} />
        <p className="text-13 text-soft">{texts.withoutTestUsers}</p>
      </div>
      {people?.length === 0 && !isPartial && <p className="text-13 text-soft">{texts.none}</p>}
      {people?.length !== 0 && (
        <div className={cx('flex flex-col gap-1.5', isOld && 'opacity-60')}>
          <h3 className="text-13 font-medium">{texts.sample}</h3>
          {people === undefined && <Skeleton height={160} />}
          <ul className="flex flex-col gap-1.5">
            {people?.map(({ id, name, detail, lastSeenAt }) => (
              <li key={id} className="flex min-w-0 flex-col text-13">
                <Link href={`/app/people/${id}`} className="truncate">
                  <bdi>{name}</bdi>
                </Link>
                <span className="truncate text-12 text-soft">
                  {detail !== undefined && <bdi>{detail} · </bdi>}
                  {lastSeenAt === null ? texts.neverSeen : <RelativeTime time={lastSeenAt} />}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
