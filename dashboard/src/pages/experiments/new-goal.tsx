import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { EventNameField } from '../../experiences/event-name-field.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';

const texts = text.experiments;

/** Creates a goal that is an event, without leaving the experiment. */
export function NewGoal({ onCreated }: { onCreated: (id: string) => void }) {
  // The key of a known event, or a name that was not tracked yet.
  const [event, setEvent] = useState('');
  const { data } = useQuery(query('GET /v3/edit/event_names', { limit: 500 }));
  const name = data?.event_names.find(({ uid }) => uid === event)?.name ?? event.trim();
  const create = useSend('POST /v3/edit/goals');
  const submit = () =>
    create.mutate(
      { name, kind: 'event', event_name: event.trim() },
      {
        onSuccess: ({ goal }) => {
          setEvent('');
          onCreated(goal.id);
        },
        onError: showError,
      },
    );
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="grow">
        <EventNameField
          label={texts.goalEvent}
          help={texts.goalEventHelp}
          value={event}
          onChange={setEvent}
          isReadOnly={false}
        />
      </div>
      <Button isDisabled={event.trim() === ''} onPress={submit}>
        {texts.addGoal}
      </Button>
    </div>
  );
}
