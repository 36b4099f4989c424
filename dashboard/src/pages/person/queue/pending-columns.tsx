import { ArrowDown, ArrowUp, ArrowUpRight, CircleX, Pencil } from 'lucide-react';
import { DeliveryBadge } from '../../../experiences/delivery-badge.tsx';
import { formatDateTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { ActionsMenu } from '../../../ui/actions-menu.tsx';
import { RowLink } from '../../../ui/row-link.tsx';
import type { TableColumn } from '../../../ui/table.tsx';
import { nameOfDelivery, type PendingDelivery } from './use-pending.ts';

const texts = text.queue.pending;

interface PendingActions {
  onEdit: (id: string) => void;
  onCancel: (delivery: PendingDelivery) => void;
  onStep: (id: string, by: -1 | 1) => void;
}

/**
 * The columns, without actions for people who may only look. Where there is little room, the state is below the name.
 */
export function pendingColumns(
  rows: readonly PendingDelivery[],
  isNarrow: boolean,
  actions: PendingActions | undefined,
): TableColumn<PendingDelivery>[] {
  const placeOf = ({ id }: PendingDelivery) => rows.findIndex((row) => row.id === id);
  return [
    {
      id: 'experience',
      label: texts.columns.experience,
      width: '1fr',
      minWidth: 120,
      render: (delivery) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <span className="shrink-0 text-soft tabular-nums">{placeOf(delivery) + 1}</span>
          <span className="flex min-w-0 flex-col leading-5">
            <span className="truncate">
              {/* A link takes the focus when a drag begins, which ends the drag. So the name is not a link then, and
                  the menu has the link. */}
              <RowLink href={delivery.experience && !actions ? `/app/experiences/${delivery.model_id}` : undefined}>
                <bdi>{nameOfDelivery(delivery)}</bdi>
              </RowLink>
            </span>
            <span className="flex min-w-0 items-center gap-2 text-12 leading-4 font-normal text-soft">
              {isNarrow && (
                <span className="shrink-0">
                  <DeliveryBadge delivery={delivery} />
                </span>
              )}
              <span className="truncate" title={describeTerms(delivery)}>
                {describeTerms(delivery)}
              </span>
            </span>
          </span>
        </span>
      ),
    },
    ...(isNarrow ? [] : [stateColumn]),
    ...(actions ? [actionsColumn(rows, actions)] : []),
  ];
}

const stateColumn: TableColumn<PendingDelivery> = {
  id: 'state',
  label: texts.columns.state,
  width: 132,
  render: (delivery) => <DeliveryBadge delivery={delivery} />,
};

function actionsColumn(
  rows: readonly PendingDelivery[],
  { onEdit, onCancel, onStep }: PendingActions,
): TableColumn<PendingDelivery> {
  return {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 52,
    align: 'end',
    render: (delivery) => {
      const { id } = delivery;
      const moves = [
        {
          id: 'up',
          icon: ArrowUp,
          label: texts.moveUp,
          isDisabled: rows[0]?.id === id,
          onAction: () => onStep(id, -1),
        },
        {
          id: 'down',
          icon: ArrowDown,
          label: texts.moveDown,
          isDisabled: rows.at(-1)?.id === id,
          onAction: () => onStep(id, 1),
        },
      ];
      return (
        <ActionsMenu
          label={texts.actionsOf(nameOfDelivery(delivery))}
          groups={[
            ...(rows.length > 1 ? [{ entries: moves }] : []),
            {
              entries: [
                { id: 'edit', icon: Pencil, label: texts.edit, onAction: () => onEdit(id) },
                { id: 'open', icon: ArrowUpRight, label: texts.open, href: `/app/experiences/${delivery.model_id}` },
                {
                  id: 'cancel',
                  icon: CircleX,
                  label: texts.cancel,
                  isDanger: true,
                  onAction: () => onCancel(delivery),
                },
              ],
            },
          ]}
        />
      );
    },
  };
}

/** When and how it shows, in a few words. */
function describeTerms(delivery: PendingDelivery): string {
  const { terms } = text.queue;
  const time = (iso: string) => formatDateTime(new Date(iso));
  const words = [
    delivery.from !== null && terms.from(time(delivery.from)),
    delivery.until !== null && terms.until(time(delivery.until)),
    delivery.once && terms.once,
    delivery.use_segmentation && terms.use_segmentation,
    !delivery.skip_url_match && terms.ownPages,
    !delivery.skip_triggers && terms.ownTriggers,
  ].filter((word) => word !== false);
  return words.length === 0 ? terms.always : words.join(', ');
}
