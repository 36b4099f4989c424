import { useQuery, useQueryClient } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import type { ShownExperience } from '../../editor/document.ts';
import * as text from '../../messages/text.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.publish.deleteDialog;

/** Deletes the Experience whose page is open, after its name was typed, and goes to the list. */
export function DeleteOpenDialog({ experience, onClose }: { experience: ShownExperience; onClose: () => void }) {
  const { id, kind, name } = experience;
  const [isPending, setPending] = useState(false);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const of = { kind: pathOfKind(kind), id };
  const remove = async () => {
    setPending(true);
    try {
      await api('DELETE /v3/edit/{kind}/{id}', of);
      showToast({ title: text.publish.done.deleted(name) });
      navigate('/app/experiences');
      await client.invalidateQueries({ queryKey: ['experiences'] });
    } catch (error) {
      setPending(false);
      showError(error);
    }
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={texts.title(name)}
      description={
        <>
          <p>{texts.text}</p>
          <Uses of={of} />
        </>
      }
      phrase={name}
      action={texts.action}
      onConfirm={remove}
      isPending={isPending}
    />
  );
}

function Uses({ of }: { of: { kind: ReturnType<typeof pathOfKind>; id: string } }) {
  const { data } = useQuery({ ...query('GET /v3/edit/{kind}/{id}/uses', of), staleTime: 0 });
  if (!data) return <Skeleton width="60%" />;
  const { experiences, limit_groups, segments, webhooks } = data.uses;
  const names = [
    ...[...experiences, ...limit_groups, ...segments].map(({ name }) => name),
    ...webhooks.map(({ url }) => url),
  ];
  if (names.length === 0) return <p className="pt-2">{texts.unused}</p>;
  return (
    <p className="pt-2 wrap-anywhere">
      {texts.usedBy}: <bdi>{names.join(', ')}</bdi>
    </p>
  );
}
