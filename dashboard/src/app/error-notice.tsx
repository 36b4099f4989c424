import { useEffect, useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import * as text from '../messages/text.ts';
import { Notice } from '../ui/notice.tsx';

/** Shows the error of a request in the form that sent it, and counts down until it can be tried again. */
export function ErrorNotice({ error, title }: { error: unknown; title?: string | undefined }) {
  const described = describeError(error);
  const seconds = useSecondsUntil(described?.retryAt);
  if (!described) return null;
  return (
    <Notice kind="error" title={title ?? described.title}>
      {described.retryAt === undefined ? described.description : text.errors.wait(seconds)}
    </Notice>
  );
}

/** Whole seconds until a time, counted down. */
function useSecondsUntil(time: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  const seconds = time === undefined ? 0 : Math.max(0, Math.ceil((time - now) / 1000));
  useEffect(() => {
    if (time === undefined || time <= now) return;
    const timer = setTimeout(() => setNow(Date.now()), 250);
    return () => clearTimeout(timer);
  }, [time, now]);
  return seconds;
}
