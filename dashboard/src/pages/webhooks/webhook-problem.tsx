import { formatRelativeTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Notice } from '../../ui/notice.tsx';
import { type ShownWebhook, stateOf } from './webhook-state.tsx';

const { problems } = text.webhooks;

/** Says why items do not arrive, and what to do. */
export function WebhookProblem({ webhook }: { webhook: ShownWebhook }) {
  const state = stateOf(webhook);
  const error = webhook.last_item_error ?? problems.unknown;
  if (state === 'disabled')
    return (
      <Notice kind="warning" title={problems.disabled}>
        {problems.disabledHelp(error)}
      </Notice>
    );
  if (state !== 'failing' || webhook.failing_since === null) return null;
  return (
    <Notice kind="warning" title={problems.failing(formatRelativeTime(new Date(webhook.failing_since), Date.now()))}>
      {problems.failingHelp(error)}
    </Notice>
  );
}
