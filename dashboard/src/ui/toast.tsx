import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import * as text from '../messages/text.ts';
import { Button, IconButton } from './button.tsx';
import { cx } from './cx.ts';

export interface ToastMessage {
  kind?: 'done' | 'info' | 'error';
  title: string;
  description?: string;
  /** Undoes the action that the toast is about. */
  onUndo?: () => void;
  /** Another action that the toast offers. */
  action?: { label: string; onPress: () => void };
  /** Is called once, however the toast is closed. */
  onClose?: () => void;
}

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 });

/**
 * This is long enough to read a toast, and to reach its button. The time stops while the pointer or the focus is on the
 * toast.
 */
const TIMEOUT_MS = 6_000;
const ACTION_TIMEOUT_MS = 12_000;

/** Shows a message about what was done. Errors stay until they are closed. Returns a function that closes the toast. */
export function showToast(message: ToastMessage): () => void {
  const hasAction = message.onUndo !== undefined || message.action !== undefined;
  const timeout = message.kind === 'error' ? undefined : hasAction ? ACTION_TIMEOUT_MS : TIMEOUT_MS;
  const { onClose } = message;
  const key = queue.add(message, { ...(timeout !== undefined && { timeout }), ...(onClose && { onClose }) });
  return () => queue.close(key);
}

const icons = { done: CircleCheck, info: Info, error: CircleAlert };
const colors = { done: 'text-good', info: 'text-accent', error: 'text-bad' };

/**
 * The region of toasts: over the end of the navigation, which is empty, so that they cover no control. On phones each
 * toast is one row over the top bar (style.css), without its description, so that it does not cover the page. Render
 * this component once.
 */
export function Toasts() {
  return (
    <ToastRegion
      queue={queue}
      aria-label={text.ui.notifications}
      className="toasts pointer-events-none fixed bottom-16 left-4 z-50 flex w-[min(24rem,calc(100vw-2rem))] flex-col-reverse gap-2 outline-none"
    >
      {({ toast }) => {
        const { kind = 'done', title, description, onUndo, action } = toast.content;
        const Icon = icons[kind];
        const close = () => queue.close(toast.key);
        return (
          <AriaToast
            toast={toast}
            className="pointer-events-auto flex items-start gap-2.5 rounded-10 bg-raised p-3 text-ink shadow-float max-sm:min-h-10 max-sm:items-center max-sm:px-2.5 max-sm:py-1"
          >
            <Icon size={20} aria-hidden className={`shrink-0 ${colors[kind]}`} />
            <div className="flex min-w-0 flex-1 flex-col items-start gap-2 max-sm:flex-row max-sm:items-center">
              <ToastContent className="flex min-w-0 flex-col max-sm:flex-1">
                <Text slot="title" className="text-14 font-medium max-sm:line-clamp-2 max-sm:text-13/4">
                  {title}
                </Text>
                {description !== undefined && (
                  <Text slot="description" className={cx('text-13 text-soft', kind !== 'error' && 'max-sm:sr-only')}>
                    {description}
                  </Text>
                )}
              </ToastContent>
              {[...(onUndo ? [{ label: text.ui.undo, onPress: onUndo }] : []), ...(action ? [action] : [])].map(
                (one) => (
                  <Button
                    key={one.label}
                    size="small"
                    onPress={() => {
                      close();
                      one.onPress();
                    }}
                  >
                    {one.label}
                  </Button>
                ),
              )}
            </div>
            <IconButton
              icon={X}
              label={text.ui.close}
              size="small"
              onPress={close}
              className="-my-1 -mr-1 max-sm:my-0"
            />
          </AriaToast>
        );
      }}
    </ToastRegion>
  );
}
