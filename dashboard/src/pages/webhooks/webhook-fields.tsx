import { listKindsWith } from '@usher/domain/kinds';
import { useState } from 'react';
import { ExperiencePicker } from '../../experiences/experience-picker.tsx';
import * as text from '../../messages/text.ts';
import { Fold } from '../../ui/fold.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type Topic, TopicPicker } from './topic-picker.tsx';

const webhooks = text.webhooks;

export interface WebhookValues {
  url: string;
  name: string;
  topics: Topic[];
  experience_ids: string[];
  id_header: string | null;
  signature_header: string | null;
}

interface WebhookFieldsProps {
  values: WebhookValues;
  set: <Name extends keyof WebhookValues>(name: Name, value: WebhookValues[Name]) => void;
  wrong: Partial<Record<keyof WebhookValues, string>>;
  isNew?: boolean;
}

/** Names of further headers, which few receivers need. */
const headerNames = ['id_header', 'signature_header'] as const;

export function WebhookFields({ values, set, wrong, isNew = false }: WebhookFieldsProps) {
  // It does not close while somebody empties a field in it.
  const [isOpen] = useState(headerNames.some((name) => values[name] !== null));
  return (
    <>
      <TextField
        label={webhooks.fields.url}
        help={webhooks.urlHelp}
        placeholder={webhooks.urlPlaceholder}
        value={values.url}
        onChange={(value) => set('url', value)}
        error={wrong.url}
        type="url"
        autoFocus={isNew}
      />
      <TextField
        label={webhooks.fields.name}
        help={webhooks.nameHelp}
        value={values.name}
        onChange={(value) => set('name', value)}
        error={wrong.name}
        isOptional={isNew}
      />
      <TopicPicker value={values.topics} onChange={(topics) => set('topics', topics)} error={wrong.topics} />
      <ExperiencePicker
        label={webhooks.fields.experience_ids}
        value={values.experience_ids}
        onChange={(ids) => set('experience_ids', ids)}
        kinds={listKindsWith('hasWebhooks')}
        options={webhooks.appliesTo}
        error={wrong.experience_ids}
      />
      <Fold title={webhooks.moreFields} isOpen={isOpen || headerNames.some((name) => wrong[name])}>
        {headerNames.map((name) => (
          <TextField
            key={name}
            label={webhooks.fields[name]}
            help={name === 'id_header' ? webhooks.headerHelp : undefined}
            placeholder={webhooks.headerPlaceholder[name]}
            value={values[name] ?? ''}
            onChange={(value) => set(name, value.trim() || null)}
            error={wrong[name]}
            isOptional
          />
        ))}
      </Fold>
    </>
  );
}
