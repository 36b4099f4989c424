import { Check, CloudOff, type LucideIcon, PenLine, RefreshCw, TriangleAlert } from 'lucide-react';
import * as text from '../messages/text.ts';
import { cx } from '../ui/cx.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { SaveState } from './editor-store.ts';

const looks: Record<SaveState['kind'], { icon: LucideIcon; color: string }> = {
  saved: { icon: Check, color: 'text-soft' },
  unsaved: { icon: PenLine, color: 'text-soft' },
  saving: { icon: RefreshCw, color: 'text-soft' },
  unreachable: { icon: CloudOff, color: 'text-warn' },
  rejected: { icon: TriangleAlert, color: 'text-bad' },
  gone: { icon: TriangleAlert, color: 'text-bad' },
};

const clashLook = { icon: TriangleAlert, color: 'text-warn' };
const isTrouble = ({ kind }: SaveState) => kind === 'unreachable' || kind === 'rejected' || kind === 'gone';

/**
 * Shows whether the server has all changes. Other changes are kept in this browser, such as one that waits for a
 * choice.
 */
export function SavedState({ saved, hasClash }: { saved: SaveState; hasClash: boolean }) {
  const isWaiting = hasClash && !isTrouble(saved);
  const { icon: Icon, color } = isWaiting ? clashLook : looks[saved.kind];
  const texts = text.editor.saved;
  return (
    <p role="status" className={cx('mr-1 flex min-h-7 items-center gap-1.5 text-13', color)}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>
        {isWaiting ? (
          texts.clash
        ) : saved.kind === 'saved' && saved.at !== undefined ? (
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
