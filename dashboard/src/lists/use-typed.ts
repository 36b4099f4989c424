import { useEffect, useRef, useState } from 'react';

/** A pause between two keys that is longer than this ends the typing. */
const TYPING_MS = 300;

/**
 * What somebody is typing, which takes effect when nothing else is typed for a moment. If the value changes elsewhere, such as by going
 * back, that is shown; its own changes come back late and do not replace what was typed since.
 */
export function useTyped(
  value: string,
  onSettled: (typed: string) => void,
  /** What the value is like when it comes back. */
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
