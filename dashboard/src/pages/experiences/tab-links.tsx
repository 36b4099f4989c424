import { useSession } from '../../api/session.ts';
import { SavedState } from '../../editor/saved-state.tsx';
import { UndoButtons } from '../../editor/undo-buttons.tsx';
import type { Editor } from '../../editor/use-editor.ts';
import * as text from '../../messages/text.ts';
import { TabNav } from '../../ui/tab-nav.tsx';
import { tabsOf } from './experience-tabs.ts';

/** The tabs, and beside them the state of saving. */
export function TabLinks({ id, selected, editor }: { id: string; selected: string; editor: Editor }) {
  const { user } = useSession();
  const tabs = tabsOf(editor.document.kind).filter(({ path }) => user.role !== 'translator' || path === 'languages');
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
          <UndoButtons {...editor} />
        </div>
      )}
    </div>
  );
}
