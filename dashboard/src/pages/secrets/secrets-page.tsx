import { useQuery } from '@tanstack/react-query';
import { Clock, Plus, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import { formatRelativeTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Table, type TableColumn, TwoLines } from '../../ui/table.tsx';
import { expiryState } from './expiry.ts';
import { RevokeDialog } from './revoke-dialog.tsx';

export type Secret = ResponseOf<'GET /v3/edit/secrets'>['secrets'][number];

const texts = text.secrets;
const CreateDialog = lazyComponent(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));

export default function SecretsPage() {
  const { user } = useSession();
  const { data, error } = useQuery(query('GET /v3/edit/secrets', { limit: 500 }));
  const [isCreating, setCreating] = useNewDialogState();
  const [revoked, setRevoked] = useState<Secret>();
  const create = () => setCreating(true);
  useShortcuts([{ keys: 'c', label: texts.create.open, onPress: create }]);
  const createButton = (
    <Button look="primary" icon={Plus} onPress={create}>
      {texts.create.open}
    </Button>
  );
  const columns: TableColumn<Secret>[] = [
    {
      id: 'secret',
      label: texts.columns.secret,
      width: '3fr',
      minWidth: 150,
      render: (secret) => (
        <TwoLines first={<bdi className="truncate">{secret.name}</bdi>} second={scopeOf(secret, user.id)} />
      ),
    },
    {
      id: 'expires',
      label: texts.columns.expires,
      width: 124,
      minWidth: 124,
      render: ({ expires_at }) => <Expiry expiresAt={expires_at} />,
    },
    {
      id: 'networks',
      label: texts.columns.networks,
      width: 132,
      isSecondary: true,
      render: ({ networks }) => (networks ? <Networks networks={networks} /> : texts.everywhere),
    },
    {
      id: 'used',
      label: texts.columns.used,
      width: 156,
      isSecondary: true,
      render: ({ last_used_at, user }) => (
        <TwoLines
          first={last_used_at ? <RelativeTime time={last_used_at} /> : texts.neverUsed}
          second={<bdi title={user.email}>{texts.by(user.name)}</bdi>}
        />
      ),
    },
    {
      id: 'actions',
      label: texts.columns.actions,
      isLabelHidden: true,
      width: 56,
      minWidth: 56,
      align: 'end',
      render: (secret) => (
        <IconButton icon={Trash2} label={texts.revoke.open(secret.name)} onPress={() => setRevoked(secret)} />
      ),
    },
  ];
  return (
    <Page title={texts.title} intro={texts.intro} actions={data?.secrets.length === 0 ? undefined : createButton}>
      <ErrorNotice error={error} />
      {(data || !error) && (
        <Table
          label={texts.title}
          columns={columns}
          rows={data?.secrets}
          expectedRows={3}
          hasTwoLines
          nameOf={({ name }) => name}
          empty={
            <EmptyState picture={<Drawing of="secrets" />} title={texts.empty.title} action={createButton}>
              {texts.empty.description}
            </EmptyState>
          }
        />
      )}
      <Suspense fallback={null}>{isCreating && <CreateDialog onClose={() => setCreating(false)} />}</Suspense>
      <RevokeDialog secret={revoked} secrets={data?.secrets ?? []} onClose={() => setRevoked(undefined)} />
    </Page>
  );
}

function scopeOf({ scope, people, user }: Secret, ownId: string): string {
  const may = scope === 'all' && user.id !== ownId ? texts.allOf(user.name) : texts.scopes[scope].help;
  return people ? texts.withPeople(may) : may;
}

function Networks({ networks: [first, ...others] }: { networks: readonly string[] }) {
  if (others.length === 0) return first;
  return <TwoLines first={first} second={<span title={others.join(', ')}>{texts.moreNetworks(others.length)}</span>} />;
}

function Expiry({ expiresAt }: { expiresAt: string | null }) {
  const now = Date.now();
  const state = expiryState(expiresAt, now);
  if (expiresAt === null) return texts.never;
  if (state === 'later') return <RelativeTime time={expiresAt} />;
  return (
    <Badge tone={state === 'expired' ? 'bad' : 'warn'} icon={Clock}>
      {state === 'expired' ? texts.expired : formatRelativeTime(new Date(expiresAt), now)}
    </Badge>
  );
}
