import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as text from '../messages/text.ts';
import { Button, IconButton } from './button.tsx';

const SHOWN_MS = 2_000;
type CopyState = 'ready' | 'copied' | 'failed';

/** Copies a text, and says for a moment whether that worked. */
function useCopy(value: string): { state: CopyState; copy: () => void } {
  const [state, setState] = useState<CopyState>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  return { state, copy };
}

interface CopyButtonProps {
  value: string;
  /** The text of the button, if it must say what is copied. */
  label?: string;
  autoFocus?: boolean;
}

export function CopyButton({ value, label = text.ui.copyStates.ready, autoFocus = false }: CopyButtonProps) {
  const { state, copy } = useCopy(value);
  return (
    <Button look="quiet" size="small" icon={state === 'copied' ? Check : Copy} onPress={copy} autoFocus={autoFocus}>
      <span aria-live="polite">{state === 'ready' ? label : text.ui.copyStates[state]}</span>
    </Button>
  );
}

/** Only an icon, for a short text in a line. Its label names what is copied: "Copy uid". */
export function CopyIconButton({ value, label }: { value: string; label: string }) {
  const { state, copy } = useCopy(value);
  return (
    <>
      <IconButton
        icon={state === 'copied' ? Check : Copy}
        label={label}
        size="small"
        onPress={copy}
        {...(state === 'failed' && { tooltip: { text: text.ui.copyStates.failed } })}
      />
      <span role="status" className="sr-only">
        {state !== 'ready' && text.ui.copyStates[state]}
      </span>
    </>
  );
}
