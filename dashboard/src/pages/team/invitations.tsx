import { useQuery } from '@tanstack/react-query';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { showError } from '../../app/show-error.ts';
import { formatDate } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { type Invitation, invitationsQuery } from './queries.ts';

const { invitations: texts } = text.team;
const roles = text.roles;

/** The links that nobody has used yet. */
export function Invitations({ onInvite }: { onInvite: () => void }) {
  const { data, error } = useQuery(invitationsQuery);
  const remove = useSend('DELETE /v3/edit/invitations/{id}');
  const withdraw = ({ id }: Invitation) =>
    remove.mutate(
      { id },
      {
        onSuccess: () =>
          showToast({
            title: texts.withdrawn,
            description: texts.withdrawnHelp,
            action: { label: texts.again, onPress: onInvite },
          }),
        onError: showError,
      },
    );
  const columns: TableColumn<Invitation>[] = [
    { id: 'role', label: texts.columns.role, minWidth: 100, render: ({ role }) => roles[role].name },
    {
      id: 'note',
      label: texts.columns.note,
      width: '2fr',
      render: ({ note }) => (note === null ? texts.noNote : <bdi title={note}>{note}</bdi>),
    },
    {
      id: 'by',
      label: texts.columns.by,
      width: '1.5fr',
      isSecondary: true,
      render: ({ user }) => (user ? <bdi>{user.name}</bdi> : texts.byCommandLine),
    },
    {
      id: 'expires',
      label: texts.columns.expires,
      isSecondary: true,
      render: ({ expires_at }) => <RelativeTime time={expires_at} />,
    },
    {
      id: 'actions',
      label: texts.columns.actions,
      isLabelHidden: true,
      width: 112,
      align: 'end',
      render: (invitation) => (
        <Button
          size="small"
          aria-label={texts.withdrawFor(
            roles[invitation.role].name,
            invitation.note,
            formatDate(new Date(invitation.created_at)),
          )}
          onPress={() => withdraw(invitation)}
        >
          {texts.withdraw}
        </Button>
      ),
    },
  ];
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-16 font-semibold">{texts.title}</h2>
      <ErrorNotice error={error} />
      {(data || !error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={data?.invitations}
          expectedRows={1}
          maxRows={6}
          nameOf={({ role, note }) => note ?? roles[role].name}
          empty={<p className="text-13 text-soft">{texts.none}</p>}
        />
      )}
    </section>
  );
}
