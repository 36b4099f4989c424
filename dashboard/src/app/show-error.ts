import { describeError } from '../api/describe-error.ts';
import * as text from '../messages/text.ts';
import { showToast } from '../ui/toast.tsx';

/** Shows the error of an action that has no form. A form would show the error itself. */
export function showError(error: unknown): void {
  const described = describeError(error);
  if (!described) return;
  const { title, description, retryAt } = described;
  const wait = retryAt === undefined ? '' : text.errors.wait(Math.ceil((retryAt - Date.now()) / 1000));
  showToast({ kind: 'error', title, description: description || wait });
}
