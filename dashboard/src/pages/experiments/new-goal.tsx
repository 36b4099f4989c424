import { useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';

const texts = text.experiments;

/** Creates a goal that is an event, without leaving the experiment. */
export function NewGoal({ onCreated }: { onCreated: (id: string) => void }) {
  const [event, setEvent] = useState('');
  const create = useSend('POST /v3/edit/goals');
  const submit = () =>
    create.mutate(
      { name: event.trim(), kind: 'event', event_name: event.trim() },
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
      <TextField
        label={texts.goalEvent}
        help={texts.goalEventHelp}
        value={event}
        onChange={setEvent}
        className="grow"
      />
      <Button isDisabled={event.trim() === ''} onPress={submit}>
        {texts.addGoal}
      </Button>
    </div>
  );
}
