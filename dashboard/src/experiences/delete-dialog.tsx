import { useQuery } from '@tanstack/react-query';
import { type ListedExperience, pathOfKind } from '@usher/domain';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../api/api.ts';
import { query, useSend } from '../api/queries.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toast.tsx';
import { nameExperiences } from './name-experiences.ts';

const texts = text.experiences.deleteDialog;
type Uses = ResponseOf<'GET /v3/edit/{kind}/{id}/uses'>['uses'];

interface DeleteDialogProps {
  experience: Pick<ListedExperience, 'id' | 'kind' | 'name' | 'state'>;
  onClose: () => void;
  /** Is called after the deletion, to leave the page of the Experience. */
  onDeleted?: () => void;
}

/** Says what else uses an Experience before it is deleted, which cannot be undone. */
export function DeleteDialog({ experience, onClose, onDeleted }: DeleteDialogProps) {
  const { id, name, state } = experience;
  const path = { kind: pathOfKind(experience.kind), id };
  const { data, error } = useQuery({ ...query('GET /v3/edit/{kind}/{id}/uses', path), staleTime: 0 });
  const deletion = useSend('DELETE /v3/edit/{kind}/{id}', ['experiences', 'limit_groups', 'alert_groups', 'webhooks']);
  const kind = text.experiences.kinds[experience.kind];
  const isBlocked = data !== undefined && data.uses.segments.length > 0;
  const confirm = () =>
    deletion.mutate(path, {
      onSuccess: () => {
        showToast({ title: text.experiences.done.deleted(nameExperiences([experience])) });
        onClose();
        onDeleted?.();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.title(kind)}
      phrase={name}
      action={texts.action(kind)}
      isPending={deletion.isPending}
      isDisabled={isBlocked}
      onConfirm={confirm}
      description={
        <div className="flex flex-col gap-3">
          <p>{texts.text}</p>
          {state === 'live' && <Notice kind="warning">{texts.isLive}</Notice>}
          <ErrorNotice error={deletion.error ?? error} />
          <h3 className="text-13 font-medium text-ink">{texts.uses}</h3>
          {data ? <UseList uses={data.uses} /> : !error && <LoadingUses />}
          {isBlocked && <Notice kind="error">{texts.blocked}</Notice>}
        </div>
      }
    />
  );
}

function LoadingUses() {
  return (
    <div role="status" aria-label={texts.loading}>
      <Skeleton width="60%" />
    </div>
  );
}

function UseList({ uses }: { uses: Uses }) {
  const { experiences, pending_deliveries: pending, limit_groups, alert_groups, webhooks, segments } = uses;
  const named = (id: string, name: string, what: string): [string, ReactNode] => [
    id,
    <>
      <bdi className="font-medium text-ink">{name}</bdi> {what}
    </>,
  ];
  const items: [string, ReactNode][] = [
    ...segments.map(({ id, name }) => named(id, name, texts.segment)),
    ...experiences.map(({ id, name, published }) => named(id, name, texts.startedBy(published))),
    ...limit_groups.map(({ id, name }) => named(id, name, texts.limitGroup)),
    ...alert_groups.map(({ id, name }) => named(id, name, texts.alertGroup)),
    ...webhooks.map(({ id, url }) => named(id, url, texts.webhook)),
    ...(pending > 0
      ? [['deliveries', texts.deliveries(formatNumber(pending), pending === 1)] as [string, ReactNode]]
      : []),
  ];
  if (items.length === 0) return <p className="text-13">{texts.noUses}</p>;
  return (
    <ul className="flex max-h-48 flex-col gap-1 overflow-auto text-13">
      {items.map(([id, shown]) => (
        <li key={id} className="break-words">
          {shown}
        </li>
      ))}
    </ul>
  );
}
