import type { DeliveryPosition } from '@usher/domain';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { RadioGroup } from '../../../ui/choice.tsx';
import { cx } from '../../../ui/cx.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Select } from '../../../ui/select.tsx';
import type { PlannedList } from './plan-list.ts';
import { nameOfDelivery, type Pending } from './use-pending.ts';

const texts = text.queue.form;

/** Where a new Delivery goes, and what happens if the list is full. */
export interface Place {
  position: DeliveryPosition;
  atLimit: 'error' | 'drop';
}

interface PlaceFieldsProps {
  pending: Pending;
  place: Place;
  onChange: (place: Place) => void;
  plan: PlannedList;
  /** The name of the new Delivery in the list. */
  newName: string;
}

export function PlaceFields({ pending, place, onChange, plan, newName }: PlaceFieldsProps) {
  const { deliveries, delivery_ids_limit: limit } = pending;
  if (deliveries.length === 0) return null;
  const isFull = deliveries.length >= limit;
  const dropped = deliveries.slice(limit - 1);
  const after = deliveries.slice(0, -1).map((one, index) => ({
    value: String(index + 1),
    label: texts.place.after(nameOfDelivery(one), index + 1),
  }));
  const options = [{ value: 'first', label: texts.place.first }, ...after, { value: 'last', label: texts.place.last }];
  return (
    <>
      <Select
        label={texts.fields.delivery_ids_position}
        options={options}
        value={String(place.position)}
        onChange={(value) => onChange({ ...place, position: toPosition(value) })}
      />
      {isFull && (
        <RadioGroup
          label={texts.atLimit.label(formatNumber(limit))}
          value={place.atLimit}
          onChange={(atLimit) => onChange({ ...place, atLimit })}
          options={[
            { value: 'error', label: texts.atLimit.error, help: texts.atLimit.errorHelp },
            {
              value: 'drop',
              label: texts.atLimit.drop,
              help:
                dropped.length === 1 && dropped[0]
                  ? texts.atLimit.dropHelp(nameOfDelivery(dropped[0]))
                  : texts.atLimit.dropMany(formatNumber(dropped.length)),
            },
          ]}
        />
      )}
      <ListPreview pending={pending} plan={plan} newName={newName} />
    </>
  );
}

function toPosition(value: string): DeliveryPosition {
  return value === 'first' || value === 'last' ? value : Number(value);
}

/** The list after the request, with the new and the removed Deliveries. */
function ListPreview({ pending, plan, newName }: Pick<PlaceFieldsProps, 'pending' | 'plan' | 'newName'>) {
  const nameOf = (id: string) => {
    const found = pending.deliveries.find((one) => one.id === id);
    return found ? nameOfDelivery(found) : newName;
  };
  return (
    <section aria-label={texts.preview.title} className="flex flex-col gap-1.5">
      <h3 className="text-13 font-medium">{texts.preview.title}</h3>
      <div role="status">
        {'problem' in plan ? (
          <Notice kind="warning">{texts.preview[plan.problem]}</Notice>
        ) : (
          <ol className="flex flex-col rounded-6 border border-line">
            {plan.entries.map(({ id, isNew, isDropped }, index) => (
              <li
                key={id}
                className={cx(
                  'flex items-center gap-2 px-2.5 py-1.5 text-13 not-first:border-t not-first:border-line',
                  isNew && 'bg-accent-tint font-medium',
                  isDropped && 'text-soft',
                )}
              >
                <span className="w-4 shrink-0 text-right text-soft tabular-nums">{isDropped ? '–' : index + 1}</span>
                <bdi className={cx('min-w-0 flex-1 truncate', isDropped && 'line-through')}>{nameOf(id)}</bdi>
                {isNew && <Badge tone="accent">{texts.preview.isNew}</Badge>}
                {isDropped && <Badge tone="bad">{texts.preview.dropped}</Badge>}
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}
