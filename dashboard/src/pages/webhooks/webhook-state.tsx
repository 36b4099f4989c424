import { CircleAlert, CircleOff, Radio } from 'lucide-react';
import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';

export type ShownWebhook = ResponseOf<'GET /v3/edit/webhooks'>['webhooks'][number];
export type WebhookStateName = keyof typeof text.webhooks.states;

/** Whether a webhook is on, and whether its items arrive. */
export function stateOf({ enabled, failing_since, last_item_state }: ShownWebhook): WebhookStateName {
  if (!enabled) return last_item_state === 'disabled' ? 'disabled' : 'off';
  return failing_since === null ? 'on' : 'failing';
}

const looks = {
  on: { tone: 'good', icon: Radio },
  failing: { tone: 'bad', icon: CircleAlert },
  off: { tone: 'neutral', icon: CircleOff },
  disabled: { tone: 'bad', icon: CircleOff },
} as const;

export function WebhookState({ webhook }: { webhook: ShownWebhook }) {
  const state = stateOf(webhook);
  return <Badge {...looks[state]}>{text.webhooks.states[state]}</Badge>;
}
