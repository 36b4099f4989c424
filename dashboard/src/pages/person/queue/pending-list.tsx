import type { UseQueryResult } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { lazyComponent } from '../../../app/lazy-component.ts';
import { Section } from '../../../app/page.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { PersonDetails } from '../../../people/person-details.ts';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialog.tsx';
import { Link } from '../../../ui/link.tsx';
import { Table } from '../../../ui/table.tsx';
import { isNarrow, useWidth } from '../../../ui/use-width.ts';
import { pendingColumns } from './pending-columns.tsx';
import {
  canRestore,
  nameOfDelivery,
  type Pending,
  type PendingDelivery,
  useCancelDelivery,
  useMoveDelivery,
} from './use-pending.ts';

const texts = text.queue.pending;

// The code for dragging is large, so it is loaded together with the rows.
const loadTable = () => import('../../../ui/ordered-table.tsx').then((module) => module.OrderedTable<PendingDelivery>);
const OrderedTable = lazyComponent(loadTable);

interface PendingListProps {
  person: PersonDetails;
  pending: UseQueryResult<Pending>;
  onCreate: () => void;
  onEdit: (id: string) => void;
}

/** The Deliveries that wait for the person, in the order in which they show. */
export function PendingList({ person, pending: { data, error }, onCreate, onEdit }: PendingListProps) {
  const { can } = useSession();
  const mayEdit = can('edit');
  const rows = data?.deliveries;
  const isSeen = person.last_seen_at !== null;
  return (
    <Section
      title={texts.title}
      intro={
        <>
          {texts.intro}
          {data && ` ${texts.used(formatNumber(data.deliveries.length), formatNumber(data.delivery_ids_limit))}`}
          {can('own') && data && (
            <>
              {' '}
              <Link href="/app/settings/account">{texts.changeLimit}</Link>
            </>
          )}
        </>
      }
    >
      {!data && <ErrorNotice error={error} />}
      {(data || !error) && (
        <Rows
          person={person}
          pending={data}
          onEdit={onEdit}
          empty={
            <p className="text-14 text-soft">
              {texts.empty.title}. {isSeen && texts.empty.text}
            </p>
          }
        />
      )}
      {mayEdit && !isSeen && <p className="text-13 text-soft">{texts.neverSeen}</p>}
      {mayEdit && rows && (
        <Button icon={Plus} className="self-start" isDisabled={!isSeen} onPress={onCreate}>
          {texts.show}
        </Button>
      )}
    </Section>
  );
}

interface RowsProps {
  person: PersonDetails;
  pending: Pending | undefined;
  onEdit: (id: string) => void;
  empty: ReactNode;
}

function Rows({ person, pending, onEdit, empty }: RowsProps) {
  const { can } = useSession();
  const rows = pending?.deliveries;
  const [ref, width] = useWidth();
  const move = useMoveDelivery(person.id, rows ?? []);
  const cancel = useCancelDelivery(pending);
  const [confirmed, setConfirmed] = useState<PendingDelivery>();
  const askOrCancel = (delivery: PendingDelivery) =>
    pending && canRestore(delivery, pending) ? void cancel(delivery) : setConfirmed(delivery);
  const step = (id: string, by: -1 | 1) => {
    const nextTo = rows?.[rows.findIndex((row) => row.id === id) + by]?.id;
    if (nextTo !== undefined) void move({ ids: [id], side: by < 0 ? 'before' : 'after', nextTo });
  };
  const table = {
    label: texts.label,
    columns: pendingColumns(
      rows ?? [],
      isNarrow(width),
      can('edit') ? { onEdit, onCancel: askOrCancel, onStep: step } : undefined,
    ),
    expectedRows: 1,
    hasTwoLines: true,
    nameOf: nameOfDelivery,
    empty,
  };
  return (
    <div ref={ref}>
      {rows && rows.length > 1 && can('edit') ? (
        <Suspense fallback={<Table {...table} rows={undefined} expectedRows={rows.length} />}>
          <OrderedTable {...table} rows={rows} onMove={(one) => void move(one)} />
        </Suspense>
      ) : (
        <Table {...table} rows={rows} />
      )}
      {confirmed && (
        <FormDialog
          role="alertdialog"
          title={texts.confirm.title(nameOfDelivery(confirmed))}
          description={confirmed.experience?.is_live ? texts.confirm.full : texts.confirm.notLive}
          onClose={() => setConfirmed(undefined)}
          onSubmit={() => {
            setConfirmed(undefined);
            void cancel(confirmed);
          }}
          action={texts.cancel}
          isPending={false}
          focusesAction
        />
      )}
    </div>
  );
}
