import type { Theme } from '@usher/domain';
import { Copy, Ellipsis, EyeOff, MonitorPlay, Star, Trash2, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { lazyComponent } from '../../app/lazy-component.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { isOverlayOpen, useShortcuts } from '../../ui/shortcuts.ts';
import { DeleteThemeDialog } from './delete-theme-dialog.tsx';
import type { ThemeVerb } from './publish-theme-dialog.tsx';
import { useThemeActions } from './use-theme-actions.ts';
import type { ThemeEditor } from './use-theme-editor.ts';
import { useThemeRevert } from './use-theme-revert.ts';

const texts = text.themes;
const KEYS = 'mod+enter';
const PublishThemeDialog = lazyComponent(() =>
  import('./publish-theme-dialog.tsx').then((module) => module.PublishThemeDialog),
);

const TryThemeDialog = lazyComponent(() => import('./try-theme-dialog.tsx').then((module) => module.TryThemeDialog));

/** Publish, and a menu with rare actions. */
export function ThemeActions({ theme, editor }: { theme: Theme; editor: ThemeEditor }) {
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<ThemeVerb | 'delete' | 'try'>();
  const actions = useThemeActions();
  const revert = useThemeRevert(editor);
  const mayPublish = can('publish') && editor.saved.kind !== 'gone';
  useShortcuts(
    mayPublish
      ? [{ keys: KEYS, label: texts.publish.open, onPress: () => !isOverlayOpen() && setOpen('publish') }]
      : [],
  );
  if (editor.isReadOnly || editor.saved.kind === 'gone') return null;
  const close = () => setOpen(undefined);
  const discard = async () => {
    try {
      const { versions } = await api('GET /v3/edit/themes/{id}/versions', { id: theme.id, limit: 1 });
      if (versions[0]) await revert.toVersion(versions[0].id, { title: texts.done.discarded, description: '' });
    } catch (error) {
      showError(error);
    }
  };
  const isPublished = theme.published_at !== null;
  const mayRemove = can('publish') || (!isPublished && !theme.default);
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
      <Button icon={MonitorPlay} onPress={() => setOpen('try')}>
        {text.editor.tryOnSite}
      </Button>
      {!can('publish') && <p className="max-w-80 text-13 text-soft">{text.publish.onlyOwners}</p>}
      {mayPublish && (
        <Button look="primary" onPress={() => setOpen('publish')}>
          {texts.publish.open}
        </Button>
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} label={texts.publish.menu(theme.name)} />}
        label={texts.publish.menu(theme.name)}
        placement="bottom end"
        groups={[
          {
            entries: [
              ...(theme.has_unpublished_changes
                ? [{ id: 'discard', label: texts.publish.discard, icon: Undo2, onAction: () => void discard() }]
                : []),
              ...(!theme.default && can('publish')
                ? [
                    {
                      id: 'default',
                      label: texts.makeDefault,
                      icon: Star,
                      onAction: () => setOpen('makeDefault'),
                    },
                  ]
                : []),
              {
                id: 'duplicate',
                label: texts.duplicate,
                icon: Copy,
                onAction: () => void editor.save().then(() => actions.duplicate(theme)),
              },
              ...(isPublished && mayPublish
                ? [
                    {
                      id: 'unpublish',
                      label: texts.publish.unpublish,
                      icon: EyeOff,
                      onAction: () => setOpen('unpublish'),
                    },
                  ]
                : []),
            ],
          },
          ...(mayRemove
            ? [
                {
                  entries: [
                    {
                      id: 'delete',
                      label: texts.remove,
                      icon: Trash2,
                      isDanger: true,
                      onAction: () => setOpen('delete'),
                    },
                  ],
                },
              ]
            : []),
        ]}
      />
      <Suspense>
        {open === 'try' && <TryThemeDialog editor={editor} onClose={close} />}
        {open !== undefined && open !== 'delete' && open !== 'try' && (
          <PublishThemeDialog verb={open} id={theme.id} name={editor.theme.name} editor={editor} onClose={close} />
        )}
      </Suspense>
      {open === 'delete' && (
        <DeleteThemeDialog theme={theme} onClose={close} onDeleted={() => navigate('/app/themes')} />
      )}
    </div>
  );
}
