import { useQuery } from '@tanstack/react-query';
import type { Theme } from '@usher/domain';
import { stylesOf } from '@usher/domain/themes';
import { Copy, Pencil, Plus, Star, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { lazyComponent } from '../../app/lazy-component.ts';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ThemeSwatch } from '../../themes/theme-swatch.tsx';
import { readThemes, themesQuery } from '../../themes/themes-query.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { DeleteThemeDialog } from './delete-theme-dialog.tsx';
import { stateOfTheme } from './state-of-theme.ts';
import { useThemeActions } from './use-theme-actions.ts';

const texts = text.themes;
const PublishThemeDialog = lazyComponent(() =>
  import('./publish-theme-dialog.tsx').then((module) => module.PublishThemeDialog),
);
const NewThemeDialog = lazyComponent(() => import('./new-theme-dialog.tsx').then((module) => module.NewThemeDialog));

export default function ThemesPage() {
  const { can } = useSession();
  const [isNew, setNew] = useNewDialogState(can('edit'));
  const [deleted, setDeleted] = useState<Theme>();
  const [nextDefault, setNextDefault] = useState<Theme>();
  const { data, error } = useQuery(themesQuery);
  const themes = readThemes(data)?.toSorted((one, other) => Number(other.default) - Number(one.default));
  const create = () => setNew(true);
  useShortcuts(can('edit') ? [{ keys: 'c', label: texts.create, onPress: create }] : []);
  const button = can('edit') && (
    <Button look="primary" icon={Plus} onPress={create}>
      {texts.create}
    </Button>
  );
  const actions = useActionsColumn(themes, setDeleted, setNextDefault);
  return (
    <Page title={texts.title} intro={texts.intro} actions={themes?.length === 0 ? undefined : button}>
      {!themes && <ErrorNotice error={error} />}
      {(themes || !error) && (
        <Table
          label={texts.title}
          columns={can('edit') ? [...columns, actions] : columns}
          rows={themes}
          expectedRows={3}
          hasThumbnails
          placeKey="themes"
          nameOf={({ name }) => name}
          hrefOf={({ id }) => `/app/themes/${id}`}
          empty={
            <EmptyState picture={<Drawing of="themes" />} title={texts.empty.title} action={button}>
              {texts.empty.text}
            </EmptyState>
          }
        />
      )}
      <Suspense>
        {isNew && <NewThemeDialog taken={themes?.map(({ name }) => name) ?? []} onClose={() => setNew(false)} />}
        {nextDefault && (
          <PublishThemeDialog
            verb="makeDefault"
            id={nextDefault.id}
            name={nextDefault.name}
            onClose={() => setNextDefault(undefined)}
          />
        )}
      </Suspense>
      {deleted && <DeleteThemeDialog theme={deleted} onClose={() => setDeleted(undefined)} />}
    </Page>
  );
}

const columns: TableColumn<Theme>[] = [
  {
    id: 'name',
    label: texts.columns.name,
    width: '3fr',
    minWidth: 200,
    render: (theme) => (
      <span className="flex min-w-0 items-center gap-3">
        <ThemeSwatch styles={stylesOf(theme)} />
        <bdi className="truncate">{theme.name}</bdi>
        {theme.default && <Badge tone="accent">{texts.default}</Badge>}
      </span>
    ),
  },
  {
    id: 'state',
    label: texts.columns.state,
    width: 150,
    minWidth: 130,
    isSecondary: true,
    render: (theme) => <StateBadge state={stateOfTheme(theme)} isShort />,
  },
  {
    id: 'uses',
    label: texts.columns.uses,
    width: 140,
    isSecondary: true,
    render: ({ experiences_count: count, content_summary }) => (
      <span title={content_summary ?? undefined}>
        {count === 0 ? texts.notUsed : texts.uses(count, formatNumber(count))}
      </span>
    ),
  },
  {
    id: 'updated',
    label: texts.columns.updated,
    width: 132,
    isSecondary: true,
    render: ({ updated_at }) => <RelativeTime time={updated_at} />,
  },
];

function useActionsColumn(
  themes: readonly Theme[] | undefined,
  onDelete: (theme: Theme) => void,
  onMakeDefault: (theme: Theme) => void,
): TableColumn<Theme> {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const actions = useThemeActions();
  const hasPublishedDefault = themes?.some((theme) => theme.default && theme.published_at !== null);
  return {
    id: 'actions',
    label: texts.columns.actions,
    isLabelHidden: true,
    width: 52,
    minWidth: 52,
    align: 'end',
    render: (theme) => {
      const isPublished = theme.published_at !== null;
      const mustPublish = !isPublished && hasPublishedDefault === true;
      return (
        <ActionsMenu
          label={texts.actions(theme.name)}
          groups={[
            {
              entries: [
                { id: 'open', label: texts.open, icon: Pencil, onAction: () => navigate(`/app/themes/${theme.id}`) },
                { id: 'duplicate', label: texts.duplicate, icon: Copy, onAction: () => void actions.duplicate(theme) },
                ...(!theme.default && can('publish')
                  ? [
                      {
                        id: 'default',
                        label: texts.makeDefault,
                        icon: Star,
                        isDisabled: mustPublish,
                        ...(mustPublish && { description: texts.publishFirst }),
                        onAction: () => onMakeDefault(theme),
                      },
                    ]
                  : []),
                ...(can('publish') || (!isPublished && !theme.default)
                  ? [
                      {
                        id: 'remove',
                        label: texts.remove,
                        icon: Trash2,
                        isDanger: true,
                        onAction: () => onDelete(theme),
                      },
                    ]
                  : []),
              ],
            },
          ]}
        />
      );
    },
  };
}
