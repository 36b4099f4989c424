import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { topicName } from './topic-picker.tsx';
import type { ShownWebhook } from './webhook-state.tsx';

const webhooks = text.webhooks;
const members = text.members;

/** The webhook for a person who may not change it. */
export function WebhookSummary({
  webhook: { uid, topics, experience_ids, id_header, signature_header },
}: {
  webhook: ShownWebhook;
}) {
  const { length } = experience_ids;
  const applies = length === 0 ? webhooks.appliesTo.all.label : members.some(formatNumber(length));
  const rows = [
    [webhooks.fields.url, uid],
    [webhooks.fields.topics, topics.map(topicName).join(', ')],
    [webhooks.fields.experience_ids, applies],
    ...(id_header === null ? [] : [[webhooks.fields.id_header, id_header] as const]),
    ...(signature_header === null ? [] : [[webhooks.fields.signature_header, signature_header] as const]),
  ] as const;
  return (
    <dl className="grid gap-x-4 gap-y-2 text-14 @lg:grid-cols-[8rem_1fr]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-13 text-soft">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
