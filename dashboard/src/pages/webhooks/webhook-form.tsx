import { useQueryClient } from '@tanstack/react-query';
import { api, type OperationName } from '../../api/api.ts';
import { keyOf } from '../../api/nouns.ts';
import { query } from '../../api/queries.ts';
import { EditForm } from '../../app/edit-form.tsx';
import { Section } from '../../app/page.tsx';
import { useEditForm } from '../../app/use-edit-form.ts';
import * as text from '../../messages/text.ts';
import { topicName } from './topic-picker.tsx';
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx';
import type { ShownWebhook } from './webhook-state.tsx';

const webhooks = text.webhooks;
const members = text.members;

const valuesOf = ({ uid, name, topics, experience_ids, id_header, signature_header, updated_at }: ShownWebhook) => ({
  url: uid,
  name,
  topics,
  experience_ids,
  id_header,
  signature_header,
  updated_at,
});

const describe = (name: keyof WebhookValues, value: unknown) => {
  if (name === 'topics') return (value as string[]).map(topicName).join(', ');
  if (value === null) return webhooks.noHeader;
  if (name !== 'experience_ids') return String(value);
  const { length } = value as string[];
  return length === 0 ? webhooks.appliesTo.all.label : members.some(String(length));
};

export function WebhookForm({ webhook }: { webhook: ShownWebhook }) {
  const client = useQueryClient();
  const { id } = webhook;
  const form = useEditForm<WebhookValues>({
    saved: valuesOf(webhook),
    labels: webhooks.fields,
    send: (changed) => api('PATCH /v3/edit/webhooks/{id}', { id, ...changed }),
    reload: async () => {
      const loaded = await client.fetchQuery({ ...query('GET /v3/edit/webhooks/{id}', { id }), staleTime: 0 });
      void client.invalidateQueries({ queryKey: keyOf('webhooks', 'GET /v3/edit/webhooks' satisfies OperationName) });
      return valuesOf(loaded.webhook);
    },
  });
  const { values, set, wrong } = form;
  return (
    <EditForm form={form} action={webhooks.save} describe={describe}>
      <Section title={webhooks.settings}>
        <WebhookFields values={values} set={set} wrong={wrong} />
      </Section>
    </EditForm>
  );
}
