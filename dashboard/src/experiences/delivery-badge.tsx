import { CircleCheck, CircleOff, CircleStop, Clock, Hourglass, type LucideIcon, UserRoundX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { type DeliveryState, type NamedDelivery, stateOf } from './delivery-state.ts';

const texts = text.deliveries;

const looks: Record<DeliveryState, { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: 'accent', icon: Hourglass },
  scheduled: { tone: 'accent', icon: Clock },
  expired: { tone: 'neutral', icon: CircleStop },
  not_live: { tone: 'warn', icon: CircleOff },
  shown: { tone: 'good', icon: CircleCheck },
  removed: { tone: 'neutral', icon: UserRoundX },
};

export function DeliveryBadge({ delivery, now = Date.now() }: { delivery: NamedDelivery; now?: number }) {
  const state = stateOf(delivery, now);
  return <Badge {...looks[state]}>{texts.states[state]}</Badge>;
}

/** The time or the reason that belongs to the state. */
export function DeliveryDetail({ delivery, now = Date.now() }: { delivery: NamedDelivery; now?: number }): ReactNode {
  const { at, at_href, from, until, removed_at } = delivery;
  const { details } = texts;
  const time = (iso: string | null) => formatDateTime(new Date(iso ?? now));
  switch (stateOf(delivery, now)) {
    case 'pending':
      return until === null ? details.pending : details.pendingUntil(time(until));
    case 'scheduled':
      return details.scheduled(time(from));
    case 'expired':
      return details.expired(time(until));
    case 'not_live':
      return details.not_live;
    case 'shown':
      return (
        <>
          <RelativeTime time={at ?? now} />
          {at_href !== null && (
            <>
              {' '}
              {details.shownOn} <bdi title={at_href}>{pageOf(at_href)}</bdi>
            </>
          )}
        </>
      );
    case 'removed':
      return (
        <>
          <RelativeTime time={removed_at ?? now} />: {details.removed}
        </>
      );
  }
}

/** The address without its scheme, which is the same everywhere. */
function pageOf(href: string): string {
  return href.replace(/^https?:\/\//, '');
}
