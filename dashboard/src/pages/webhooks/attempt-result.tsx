import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';

/** Whether the receiver accepted the request. */
export function AttemptResult({ status, error }: { status: number | null; error: string | null }) {
  const isDone = status !== null && status >= 200 && status < 300;
  return <Badge tone={isDone ? 'good' : 'bad'}>{status ?? (error || text.webhooks.attempts.noAnswer)}</Badge>;
}
