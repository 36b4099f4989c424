import {
  Archive,
  ArchiveRestore,
  CalendarX2,
  Copy,
  Download,
  Ellipsis,
  Pause,
  Play,
  Trash2,
  Undo2,
  Upload,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../api/session.ts';
import { lazyComponent } from '../../app/lazy-component.ts';
import type { ShownExperience } from '../../editor/document.ts';
import type { Editor } from '../../editor/use-editor.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { isOverlayOpen, useShortcuts } from '../../ui/shortcuts.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { TryButton } from './pick/index.ts';
import { useOwnActions } from './use-own-actions.ts';

const PublishDialog = lazyComponent(() => import('./publish/index.ts').then((module) => module.PublishDialog));
const DeleteDialog = lazyComponent(() =>
  import('../../experiences/delete-dialog.tsx').then((module) => module.DeleteDialog),
);

const texts = text.publish;
const KEYS = 'mod+enter';

/** Publish, pause, and a menu with rare actions. An administrator who may not publish reads who may. */
export function ExperienceActions({ experience, editor }: { experience: ShownExperience; editor: Editor }) {
  const [open, setOpen] = useState<'publish' | 'delete'>();
  const { can } = useSession();
  const [, navigate] = useLocation();
  const actions = useOwnActions(experience, editor);
  const isGone = editor.saved.kind === 'gone';
  const canPublish = can('publish') && experience.archived_at === null && !isGone;
  const openPublish = () => !isOverlayOpen() && setOpen('publish');
  useShortcuts(canPublish ? [{ keys: KEYS, label: texts.open, onPress: openPublish }] : []);
  if (editor.isReadOnly || isGone) return null;
  const isPaused = experience.state === 'draft' && experience.paused_at !== null;
  const close = () => setOpen(undefined);
  return (
    <>
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0 max-sm:gap-1 max-sm:[&_span>svg]:hidden">
        {!can('publish') && <p className="max-w-80 text-13 text-soft">{texts.onlyOwners}</p>}
        <TryButton editor={editor} />
        {canPublish && experience.state === 'live' && (
          <Button icon={Pause} onPress={actions.pause}>
            {texts.pause}
          </Button>
        )}
        {canPublish && isPaused && (
          <Button icon={Play} onPress={actions.resume}>
            {texts.resume}
          </Button>
        )}
        {canPublish && (
          <Tooltip text={texts.open} keys={KEYS}>
            <Button look="primary" onPress={() => setOpen('publish')}>
              {texts.open}
            </Button>
          </Tooltip>
        )}
        <MoreMenu experience={experience} actions={actions} onDelete={() => setOpen('delete')} />
      </div>
      <Suspense>
        {open === 'publish' && (
          <PublishDialog experiences={[nameNow(experience, editor)]} editor={editor} onClose={close} />
        )}
        {open === 'delete' && (
          <DeleteDialog experience={experience} onClose={close} onDeleted={() => navigate('/app/experiences')} />
        )}
      </Suspense>
    </>
  );
}

const nameNow = ({ id, kind }: ShownExperience, { document: { name } }: Editor) => ({ id, kind, name });

interface MoreMenuProps {
  experience: ShownExperience;
  actions: ReturnType<typeof useOwnActions>;
  onDelete: () => void;
}

function MoreMenu({ experience, actions, onDelete }: MoreMenuProps) {
  const { can } = useSession();
  const { name, state, archived_at, published_at, has_unpublished_changes } = experience;
  const mayHide = can('publish') || published_at === null;
  const isArchived = archived_at !== null;
  const entry = (id: Exclude<keyof typeof actions, 'downloadFile' | 'uploadFile'>, icon: typeof Copy) => ({
    ...{ id, icon, label: texts[id], onAction: () => void actions[id]() },
  });
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={texts.menu(name)} />}
      label={texts.menu(name)}
      placement="bottom end"
      groups={[
        {
          entries: [
            ...(has_unpublished_changes ? [entry('discard', Undo2)] : []),
            ...(state === 'scheduled' && can('publish') ? [entry('unschedule', CalendarX2)] : []),
            entry('duplicate', Copy),
            { id: 'download', icon: Download, label: text.files.download, onAction: () => void actions.downloadFile() },
            { id: 'upload', icon: Upload, label: text.files.upload, onAction: () => void actions.uploadFile() },
            ...(mayHide ? [isArchived ? entry('restore', ArchiveRestore) : entry('archive', Archive)] : []),
          ],
        },
        ...(mayHide
          ? [{ entries: [{ id: 'delete', label: texts.delete, icon: Trash2, isDanger: true, onAction: onDelete }] }]
          : []),
      ]}
    />
  );
}
