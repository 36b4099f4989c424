import type { ListedExperience } from '@usher/domain';
import {
  Archive,
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  Copy,
  Download,
  FolderOutput,
  Pause,
  Play,
  Trash2,
} from 'lucide-react';
import { useSession } from '../../../api/session.ts';
import { downloadExperience } from '../../../files/experience-file.ts';
import * as text from '../../../messages/text.ts';
import { ActionsMenu } from '../../../ui/actions-menu.tsx';
import { IconButton } from '../../../ui/button.tsx';
import type { ListActions } from './use-list-actions.ts';

const texts = text.experiences;

interface RowMenuProps {
  experience: ListedExperience;
  actions: ListActions;
  /** Moves the row. Undefined if the list is in another order than that of priority. */
  onMove?: ((direction: 'up' | 'down') => void) | undefined;
  isFirst: boolean;
  isLast: boolean;
  onCopy: () => void;
  onDelete: () => void;
}

/** The actions for one Experience, as far as the person may do them. */
export function RowMenu({ experience, actions, onMove, isFirst, isLast, onCopy, onDelete }: RowMenuProps) {
  const { can, accounts } = useSession();
  const { name, archived_at, published_at } = experience;
  const toggle = toggleOf(experience, can('publish'));
  const mayTakeOffline = can('publish') || published_at === null;
  const entry = (id: 'pause' | 'resume' | 'duplicate', icon: typeof Copy) => ({
    id,
    icon,
    label: texts[id],
    onAction: () => void actions[id](experience),
  });
  const archive = archived_at === null ? ('archive' as const) : ('restore' as const);
  return (
    <ActionsMenu
      label={texts.actionsOf(name)}
      groups={[
        ...(onMove
          ? [
              {
                entries: [
                  { id: 'up', icon: ArrowUp, label: texts.moveUp, isDisabled: isFirst, onAction: () => onMove('up') },
                  {
                    id: 'down',
                    icon: ArrowDown,
                    label: texts.moveDown,
                    isDisabled: isLast,
                    onAction: () => onMove('down'),
                  },
                ],
              },
            ]
          : []),
        {
          entries: [
            ...(toggle ? [entry(toggle.id, toggle.icon)] : []),
            entry('duplicate', Copy),
            {
              id: 'download',
              icon: Download,
              label: text.files.download,
              onAction: () => void downloadExperience(experience),
            },
            ...(accounts.length > 1 ? [{ id: 'copy', icon: FolderOutput, label: texts.copy, onAction: onCopy }] : []),
          ],
        },
        ...(mayTakeOffline
          ? [
              {
                entries: [
                  {
                    id: archive,
                    icon: archive === 'archive' ? Archive : ArchiveRestore,
                    label: texts[archive],
                    onAction: () => void actions[archive]([experience]),
                  },
                  { id: 'delete', icon: Trash2, label: texts.delete, isDanger: true, onAction: onDelete },
                ],
              },
            ]
          : []),
      ]}
    />
  );
}

/** A button that pauses or resumes a live Experience with one click. */
export function PauseButton({ experience, actions }: Pick<RowMenuProps, 'experience' | 'actions'>) {
  const { can } = useSession();
  const toggle = toggleOf(experience, can('publish'));
  if (!toggle) return null;
  const { id, icon } = toggle;
  return (
    <IconButton
      icon={icon}
      size="small"
      label={texts.toggle[id](experience.name)}
      tooltip={{ text: texts[id], placement: 'left' }}
      onPress={() => void actions[id](experience)}
    />
  );
}

function toggleOf({ state, paused_at }: ListedExperience, mayPublish: boolean) {
  if (!mayPublish) return undefined;
  if (state === 'live') return { id: 'pause', icon: Pause } as const;
  return state === 'draft' && paused_at !== null ? ({ id: 'resume', icon: Play } as const) : undefined;
}
