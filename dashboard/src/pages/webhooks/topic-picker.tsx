import { listKindsWith } from '@usher/domain/kinds';
import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Checkbox } from '../../ui/choice.tsx';

const webhooks = text.webhooks;

export type Topic = ResponseOf<'GET /v3/edit/webhooks'>['webhooks'][number]['topics'][number];

const kinds = listKindsWith('hasWebhooks');
const actions = ['started', 'completed', 'exited', 'snoozed', 'button.clicked'] as const;
const others: readonly Topic[] = [
  'response.finished',
  'delivery.triggered',
  'experience.target_missing',
  'alert.triggered',
];

/** The words for a topic, and its name in the API. */
export function topicName(topic: string): string {
  return webhooks.topics[topic] ?? topic;
}

interface TopicPickerProps {
  value: readonly Topic[];
  onChange: (topics: Topic[]) => void;
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** The topics by subject. "Everything" of a group contains its other topics. */
export function TopicPicker({ value, onChange, error, isReadOnly = false }: TopicPickerProps) {
  const toggle = (topic: Topic, isSelected: boolean) => {
    const rest = value.filter((one) => one !== topic && !(topic.endsWith('*') && isOfKind(one, topic)));
    onChange(isSelected ? [...rest, topic] : rest);
  };
  const box = (topic: Topic, label: string, isIncluded = false) => (
    <Checkbox
      key={topic}
      label={label}
      isSelected={isIncluded || value.includes(topic)}
      isDisabled={isIncluded || isReadOnly}
      onChange={(isSelected) => toggle(topic, isSelected)}
    />
  );
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-13 font-medium">{webhooks.fields.topics}</legend>
      {/* The error is above the long list, where it is seen without scrolling. */}
      {error !== undefined && (
        <p role="alert" className="text-13 text-bad">
          {value.length === 0 ? webhooks.noTopic : error}
        </p>
      )}
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {kinds.map((kind) => (
          <TopicGroup key={kind} title={webhooks.groups[kind]}>
            {box(`${kind}.*`, webhooks.everything(webhooks.groups[kind]))}
            {actions.map((action) =>
              box(`${kind}.${action}`, topicName(`${kind}.${action}`), value.includes(`${kind}.*`)),
            )}
          </TopicGroup>
        ))}
        <TopicGroup title={webhooks.groups.other}>{others.map((topic) => box(topic, topicName(topic)))}</TopicGroup>
      </div>
    </fieldset>
  );
}

/** Whether "everything" of a group contains the topic. */
function isOfKind(topic: Topic, everything: Topic): boolean {
  return topic.startsWith(everything.slice(0, -1));
}

function TopicGroup({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-12 font-medium text-soft">{title}</p>
      {children}
    </div>
  );
}
