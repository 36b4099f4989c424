import { useEffect, useRef, useState } from 'react';

/** The typed value takes effect when no key was pressed for this long. */
const TYPING_MS = 300;

/**
 * A value while somebody types it. It takes effect when nothing more is typed for a moment. If the value changes
 * elsewhere, for example by going back, the new value is shown. The field's own changes come back late, and do not
 * replace what was typed since.
 */
export function useTyped(
  value: string,
  onSettled: (typed: string) => void,
  /** The form of a typed value when it comes back. */
  normalize: (typed: string) => string = (typed) => typed,
): [typed: string, setTyped: (typed: string) => void] {
  const [state, setState] = useState({ typed: value, seen: value, sent: value });
  const current = useRef({ onSettled, normalize });
  current.current = { onSettled, normalize };
  const { typed, seen, sent } = state;
  if (value !== seen) setState(value === sent ? { ...state, seen: value } : { typed: value, seen: value, sent: value });
  useEffect(() => {
    const { normalize, onSettled } = current.current;
    if (normalize(typed) === sent) return;
    const timer = setTimeout(() => {
      setState((before) => ({ ...before, sent: normalize(typed) }));
      onSettled(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, sent]);
  return [typed, (next) => setState((before) => ({ ...before, typed: next }))];
}
