import { useQuery } from '@tanstack/react-query';
import { query } from '../api/queries.ts';
import { formatRelativeTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import type { FieldTexts } from '../ui/field.tsx';
import { SuggestField } from '../ui/suggest-field.tsx';

const { placeholder, seen } = text.targeting.goal;

interface EventNameFieldProps extends FieldTexts {
  /** The key of an event, or the name of one that was not tracked yet. */
  value: string;
  onChange: (value: string) => void;
  isReadOnly: boolean;
  'data-field'?: string;
}

/** Names an event: a known one, or one that was not tracked yet. Records store its key, and people know its name. */
export function EventNameField({ value, onChange, ...props }: EventNameFieldProps) {
  const { data } = useQuery(query('GET /v3/edit/event_names', { limit: 500 }));
  const events = data?.event_names ?? [];
  return (
    <SuggestField
      {...props}
      placeholder={placeholder}
      options={events.map(({ name, last_seen_at: at }) => ({
        value: name,
        label: name,
        ...(at && { description: seen(formatRelativeTime(new Date(at), Date.now())) }),
      }))}
      value={events.find(({ uid }) => uid === value)?.name ?? value}
      onChange={(typed) => onChange(events.find(({ name }) => name === typed)?.uid ?? typed)}
    />
  );
}
