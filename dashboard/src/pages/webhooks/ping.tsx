import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidate } from '../../api/nouns.ts';
import { query, useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Notice } from '../../ui/notice.tsx';

const { ping: texts } = text.webhooks;
const CHECK_EVERY_MS = 500;
/** The receiver has 7 seconds to respond, so the result is there after this many checks. */
const MAX_CHECKS = 20;

/** Sends a ping and polls until its attempt exists, because the server sends items in the background. */
export function usePing(webhookId: string) {
  const client = useQueryClient();
  const [itemId, setItemId] = useState<string>();
  const send = useSend('POST /v3/edit/webhooks/{id}/ping');
  const { data, dataUpdatedAt } = useQuery({
    ...query('GET /v3/edit/webhooks/{id}/attempts', { id: webhookId, item_id: itemId ?? '' }),
    // The key is not one of webhooks, whose data is refetched when the attempt exists.
    queryKey: ['ping', itemId],
    enabled: itemId !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.attempts.length || state.dataUpdateCount >= MAX_CHECKS ? false : CHECK_EVERY_MS,
    select: (found) => {
      if (found.attempts.length > 0) void invalidate(client, 'webhooks');
      return found;
    },
  });
  const start = () =>
    send.mutate({ id: webhookId }, { onSuccess: ({ item }) => setItemId(item.id), onError: showError });
  const attempt = data?.attempts[0];
  const isLate =
    itemId !== undefined &&
    !attempt &&
    dataUpdatedAt > 0 &&
    (client.getQueryState(['ping', itemId])?.dataUpdateCount ?? 0) >= MAX_CHECKS;
  return { start, isPending: send.isPending, isSent: itemId !== undefined, attempt, isLate };
}

export function PingResult({ ping: { isSent, attempt, isLate } }: { ping: ReturnType<typeof usePing> }) {
  if (!isSent) return null;
  if (!attempt) return <Notice>{isLate ? texts.late : texts.waiting}</Notice>;
  const { status, duration_ms, error } = attempt;
  const isDone = status !== null && status >= 200 && status < 300;
  const answered = texts.answered(status ?? 0, formatNumber(duration_ms));
  if (isDone)
    return (
      <div role="status">
        <Notice kind="done" title={answered} />
      </div>
    );
  return (
    <Notice kind="error" title={status === null ? texts.failed(error ?? '') : answered}>
      {texts.failedHelp}
    </Notice>
  );
}
