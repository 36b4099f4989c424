import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import * as text from '../../messages/text.ts';
import { Notice } from '../../ui/notice.tsx';

const { paused } = text.webhooks;

/** Says that nothing is sent, as in a restored copy of the database. */
export function SendingPaused() {
  const { data } = useQuery(query('GET /v3/edit/webhook_sending'));
  const sending = data?.webhook_sending;
  if (!sending?.paused) return null;
  return (
    <Notice kind="warning" title={paused.title}>
      {paused.text(sending.reason ?? '')}
    </Notice>
  );
}
