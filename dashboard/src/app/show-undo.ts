import { ApiError, isConflict } from '../api/errors.ts';
import type { Changed } from '../api/nouns.ts';
import { onWrite } from '../api/writes.ts';
import * as text from '../messages/text.ts';
import { showToast } from '../ui/toast.tsx';
import { showError } from './show-error.ts';

interface UndoOptions {
  title: string;
  description?: string | undefined;
  /** The records that were changed. */
  about: readonly Changed[];
  undo: () => Promise<unknown>;
}

/**
 * Says what was done, and offers to undo it. The offer closes when this tab changes the same record again, since that
 * change must not be undone with it. If somebody else has changed the record meanwhile, undoing it shows that.
 */
export function showUndo({ title, description, about, undo }: UndoOptions): void {
  const stop = onWrite((changed) => {
    if (about.some((one) => changed.has(one))) close();
  });
  const close = showToast({
    title,
    ...(description && { description }),
    onUndo: () => void undo().catch(showNotUndone),
    onClose: stop,
  });
}

function showNotUndone(error: unknown): void {
  const isGone = error instanceof ApiError && error.status === 404;
  if (isConflict(error) || isGone) showToast({ kind: 'info', ...text.forms.notUndone });
  else showError(error);
}
