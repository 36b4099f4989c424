import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { FieldLink, plainReason } from '../../../fields/reason.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { QueuePart, QueueRow } from './queue-row.tsx';
import type { Queue } from './use-queue.ts';

const texts = text.queue.rest;
const MAX_SHOWN = 8;

interface RestListProps {
  rest: Queue['rest'];
  onEdit: (deliveryId: string) => void;
}

/** The Experiences that do not show on the page, each with all reasons and the fields that decide. */
export function RestList({ rest, onEdit }: RestListProps) {
  const { can } = useSession();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rest : rest.slice(0, MAX_SHOWN);
  return (
    <QueuePart title={texts.title(formatNumber(rest.length))}>
      <ul className="flex flex-col divide-y divide-line">
        {shown.map(({ experience, delivery_id, reasons }) => (
          <QueueRow
            key={delivery_id ?? experience.id}
            experience={experience}
            {...(delivery_id !== null && { aside: <Badge>{text.queue.why.delivery}</Badge> })}
          >
            <ul className="flex flex-col gap-0.5">
              {reasons.map(({ rule, message, field }) => (
                <li key={`${rule} ${message}`}>
                  <bdi>{plainReason(message)}</bdi>{' '}
                  {(delivery_id === null || rule === 'live') && <FieldLink id={experience.id} field={field} />}
                </li>
              ))}
            </ul>
            {delivery_id !== null && can('edit') && (
              <Button size="small" className="mt-1" onPress={() => onEdit(delivery_id)}>
                {texts.edit}
              </Button>
            )}
          </QueueRow>
        ))}
      </ul>
      {shown.length < rest.length && (
        <Button size="small" look="quiet" className="self-start" onPress={() => setShowsAll(true)}>
          {texts.showAll(formatNumber(rest.length))}
        </Button>
      )}
    </QueuePart>
  );
}
