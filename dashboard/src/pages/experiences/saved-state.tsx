import { Check, CloudOff, type LucideIcon, PenLine, RefreshCw, TriangleAlert } from 'lucide-react';
import type { SaveState } from '../../editor/editor-store.ts';
import * as text from '../../messages/text.ts';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

const looks: Record<SaveState['kind'], { icon: LucideIcon; color: string }> = {
  saved: { icon: Check, color: 'text-soft' },
  unsaved: { icon: PenLine, color: 'text-soft' },
  saving: { icon: RefreshCw, color: 'text-soft' },
  unreachable: { icon: CloudOff, color: 'text-warn' },
  rejected: { icon: TriangleAlert, color: 'text-bad' },
  gone: { icon: TriangleAlert, color: 'text-bad' },
};

/** Whether the server has everything. What it does not have is kept in this browser. */
export function SavedState({ saved }: { saved: SaveState }) {
  const { icon: Icon, color } = looks[saved.kind];
  const texts = text.editor.saved;
  return (
    <p role="status" className={cx('mr-1 flex min-h-7 items-center gap-1.5 text-13', color)}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>
        {saved.kind === 'saved' && saved.at !== undefined ? (
          <>
            {texts.savedAt} <RelativeTime time={saved.at} />
          </>
        ) : (
          texts[saved.kind]
        )}
      </span>
    </p>
  );
}
