import { Redo2, Undo2 } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import type { Editor } from '../../editor/use-editor.ts';
import * as text from '../../messages/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { TabNav } from '../../ui/tab-nav.tsx';
import { experienceTabs } from './experience-tabs.ts';
import { SavedState } from './saved-state.tsx';
import { REDO_KEYS, UNDO_KEYS } from './use-undo-keys.ts';

/** The tabs. Beside them stands whether everything is saved. */
export function TabLinks({ id, selected, editor }: { id: string; selected: string; editor: Editor }) {
  const { user } = useSession();
  const tabs = experienceTabs.filter(({ path }) => user.role !== 'translator' || path === 'languages');
  const hasOwnSaving = tabs.find(({ path }) => path === selected)?.hasOwnSaving;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line">
      <TabNav
        label={text.editor.tabs.label}
        tabs={tabs.map(({ path, title }) => ({
          href: `/app/experiences/${id}${path && `/${path}`}`,
          title,
          isCurrent: path === selected,
        }))}
      />
      {!editor.isReadOnly && !hasOwnSaving && (
        <div className="flex items-center gap-1 pb-1">
          <SavedState saved={editor.saved} hasClash={editor.clashes.length > 0} />
          <IconButton
            icon={Undo2}
            label={text.editor.undo}
            keys={UNDO_KEYS}
            size="small"
            isDisabled={!editor.canUndo}
            onPress={editor.undo}
          />
          <IconButton
            icon={Redo2}
            label={text.editor.redo}
            keys={REDO_KEYS}
            size="small"
            isDisabled={!editor.canRedo}
            onPress={editor.redo}
          />
        </div>
      )}
    </div>
  );
}
