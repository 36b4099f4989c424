import { formatNumber } from '../../../messages/format.ts';
import { describePeriod, periodOf } from '../../../messages/period.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { QueuePart } from './queue-row.tsx';
import type { Queue } from './use-queue.ts';

const texts = text.queue;

/** How much of each limit the person has used, and when there is room again. */
export function LimitList({ limits }: { limits: Queue['limits'] }) {
  return (
    <QueuePart
      title={texts.limits.title}
      aside={
        <Link href="/app/settings/limits" className="text-13">
          {texts.limits.manage}
        </Link>
      }
    >
      <ul className="flex flex-col gap-2">
        {limits.map(({ id, name, used, most, period_hours, is_reached, free_at }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-13">
            <bdi className="min-w-0 font-medium wrap-anywhere">{name}</bdi>
            <span className="text-soft">
              {texts.limits.used(formatNumber(used), formatNumber(most), describePeriod(periodOf(period_hours)))}
            </span>
            {is_reached && <Badge tone="warn">{texts.limits.reached}</Badge>}
            {free_at !== null && (
              <span className="text-soft">
                {texts.limits.freeAt} <RelativeTime time={free_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </QueuePart>
  );
}

/** The Experiences that the person has snoozed, and until when. */
export function SnoozeList({ snoozes }: { snoozes: Queue['snoozes'] }) {
  return (
    <QueuePart title={texts.snoozes.title}>
      <ul className="flex flex-col gap-2">
        {snoozes.map(({ experience, until }) => (
          <li key={experience.id} className="flex flex-wrap items-center gap-x-2 text-13">
            <Link href={`/app/experiences/${experience.id}`} className="min-w-0 wrap-anywhere">
              <bdi>{experience.name}</bdi>
            </Link>
            <span className="text-soft">
              {texts.snoozes.until} <RelativeTime time={until} />
            </span>
          </li>
        ))}
      </ul>
    </QueuePart>
  );
}
