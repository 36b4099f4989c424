import { Archive, ArchiveRestore, Pencil } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import type { Environment } from '../../app/environment.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { showError } from '../../app/show-error.ts';
import { ManagedIcon, useManaged } from '../../files/managed-notice.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ArchiveEnvironmentDialog } from './archive-environment-dialog.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';
import { useReloadDomains } from './use-change-domains.ts';
import type { DomainData } from './use-domain-data.ts';

const texts = text.environments;

interface Open {
  dialog: 'edit' | 'archive';
  id: string;
}

export default function EnvironmentList({ data, onAdd }: { data: DomainData; onAdd: () => void }) {
  const { can } = useSession();
  const [open, setOpen] = useState<Open | undefined>();
  const columns = useColumns(data, setOpen);
  const archived = data.environments.filter(({ archived_at }) => archived_at !== null);
  const rows = [...data.current, ...archived];
  const without = (data.domains ?? []).filter((one) => one.url_group_id === null && one.archived_at === null).length;
  const environment = data.environments.find(({ id }) => id === open?.id);
  const dialog = environment && { data, environment, onClose: () => setOpen(undefined) };
  return (
    <div className="flex flex-col gap-3">
      <Table
        label={texts.title}
        columns={columns}
        rows={data.isLoading ? undefined : rows}
        expectedRows={2}
        nameOf={({ name }) => name}
        {...(can('edit') && { onOpen: ({ id }: Environment) => setOpen({ dialog: 'edit', id }) })}
        empty={
          <EmptyState
            picture={<Drawing of="environments" />}
            title={texts.empty.title}
            action={
              can('edit') && (
                <Button look="primary" onPress={onAdd}>
                  {texts.add}
                </Button>
              )
            }
          >
            {texts.empty.description}
          </EmptyState>
        }
      />
      {!data.isLoading && without > 0 && rows.length > 0 && (
        <p className="text-13 text-soft">
          {texts.without(without)} <Link href="/app/domains?environment=none">{texts.showThem}</Link>
        </p>
      )}
      {dialog && open?.dialog === 'edit' && <EnvironmentDialog {...dialog} />}
      {dialog && open?.dialog === 'archive' && <ArchiveEnvironmentDialog {...dialog} />}
    </div>
  );
}

function useColumns(data: DomainData, onDialog: (open: Open) => void): TableColumn<Environment>[] {
  const { can } = useSession();
  const menuOf = useEnvironmentMenu(onDialog);
  const managed = useManaged();
  const { columns } = texts;
  const shows = (id: string) => {
    const live = data.places.filter(({ state }) => state === 'live');
    const only = live.filter(({ url_group_ids }) => url_group_ids.length === 1 && url_group_ids[0] === id).length;
    const all = live.filter(({ url_group_ids }) => url_group_ids.length === 0 || url_group_ids.includes(id)).length;
    return texts.liveOnly(only, all);
  };
  return [
    {
      id: 'name',
      label: columns.name,
      width: '2fr',
      minWidth: 160,
      render: (environment) => (
        <span className="flex min-w-0 items-center gap-2">
          <EnvironmentBadge environment={environment} />
          {managed.has(environment.id) && <ManagedIcon />}
          {environment.archived_at !== null && <Badge icon={Archive}>{texts.archived}</Badge>}
        </span>
      ),
    },
    {
      id: 'domains',
      label: columns.domains,
      width: 100,
      render: ({ id, name }) => {
        const count = (data.domains ?? []).filter((one) => one.url_group_id === id && one.archived_at === null).length;
        return (
          <Link href={`/app/domains?environment=${id}`} aria-label={texts.domainsOf(count, name)}>
            {formatNumber(count)}
          </Link>
        );
      },
    },
    {
      id: 'experiences',
      label: columns.experiences,
      minWidth: 150,
      isSecondary: true,
      render: ({ id }) => shows(id),
    },
    {
      id: 'changed',
      label: columns.changed,
      minWidth: 170,
      isSecondary: true,
      render: ({ id, updated_at }) => {
        const update = data.groupUpdates.get(id);
        return (
          <>
            <RelativeTime time={update?.updated_at ?? updated_at} />
            {update?.user && (
              <>
                {' · '}
                <bdi>{update.user.name}</bdi>
              </>
            )}
          </>
        );
      },
    },
    ...(can('edit')
      ? [
          {
            id: 'actions',
            label: columns.actions,
            isLabelHidden: true,
            width: 52,
            align: 'end' as const,
            render: (environment: Environment) => (
              <ActionsMenu label={texts.actionsOf(environment.name)} groups={menuOf(environment)} />
            ),
          },
        ]
      : []),
  ];
}

function useEnvironmentMenu(onDialog: (open: Open) => void) {
  const restore = useRestoreEnvironment();
  return (environment: Environment) => {
    const { id } = environment;
    const edit = {
      id: 'edit',
      label: texts.edit,
      icon: Pencil,
      onAction: () => onDialog({ dialog: 'edit', id }),
    };
    const archive = {
      id: 'archive',
      label: texts.archive,
      icon: Archive,
      onAction: () => onDialog({ dialog: 'archive', id }),
    };
    const back = {
      id: 'restore',
      label: texts.restore,
      icon: ArchiveRestore,
      onAction: () => void restore(environment),
    };
    return [{ entries: [edit, environment.archived_at === null ? archive : back] }];
  };
}

function useRestoreEnvironment() {
  const reload = useReloadDomains();
  return async ({ id, name }: Environment) => {
    try {
      await api('PATCH /v3/edit/url_groups/{id}', { id, archived_at: null });
      showToast({ title: texts.done.restored(name) });
    } catch (error) {
      showError(error);
    }
    await reload();
  };
}
