import { useState } from 'react';
import { fieldErrors } from '../../api/describe-error.ts';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form } from '../../app/form.tsx';
import { Section } from '../../app/page.tsx';
import { useUnsavedChanges } from '../../app/unsaved-changes.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { describeSources } from './describe-sources.ts';
import type { ShownEvent } from './event-page.tsx';

const texts = text.events.details;

/** What the event means, in words that colleagues write. */
export function EventDetails({ event }: { event: ShownEvent }) {
  const { can } = useSession();
  const facts = [
    { label: texts.uid, value: <bdi className="font-mono text-12 wrap-anywhere">{event.uid}</bdi> },
    { label: texts.source, value: describeSources(event) },
    // An event without code is there before it is seen.
    { label: event.kind === 'custom' ? texts.created : texts.first, value: <RelativeTime time={event.created_at} /> },
    {
      label: texts.last,
      value: event.last_seen_at ? <RelativeTime time={event.last_seen_at} /> : text.events.never,
    },
  ];
  return (
    <Section title={texts.title}>
      {can('edit') ? <DetailsForm event={event} /> : <p className="text-14">{event.description ?? texts.none}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-13">
        {facts.map(({ label, value }) => (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function DetailsForm({ event }: { event: ShownEvent }) {
  const update = useSend('PATCH /v3/edit/event_names/{id}');
  const [typed, setTyped] = useState<{ name?: string; description?: string }>({});
  const { name = event.name, description = event.description ?? '' } = typed;
  const isDirty = name !== event.name || description !== (event.description ?? '');
  useUnsavedChanges(isDirty);
  const wrong = fieldErrors(update.error, { name: texts.name, description: texts.description });
  const save = () => {
    if (!isDirty || update.isPending) return;
    // Only what was typed is sent, so that the change of a colleague to the other field stays.
    update.mutate(
      { id: event.id, ...typed },
      {
        onSuccess: () => {
          setTyped({});
          showToast({ title: texts.saved });
        },
      },
    );
  };
  return (
    <Form onSubmit={save} className="gap-4">
      <TextField
        label={texts.name}
        value={name}
        onChange={(next) => setTyped({ ...typed, name: next })}
        error={wrong.name}
        maxLength={255}
      />
      <TextArea
        label={texts.description}
        help={texts.descriptionHelp}
        value={description}
        onChange={(next) => setTyped({ ...typed, description: next })}
        error={wrong.description}
        maxLength={2000}
      />
      {Object.keys(wrong).length === 0 && <ErrorNotice error={update.error} />}
      <Button type="submit" className="self-start" isPending={update.isPending} isDisabled={!isDirty}>
        {texts.save}
      </Button>
    </Form>
  );
}
