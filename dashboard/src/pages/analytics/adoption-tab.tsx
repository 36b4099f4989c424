import { useQuery } from '@tanstack/react-query';
import { isId } from '@usher/domain';
import { useLocation } from 'wouter';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { TabSkeleton } from '../../app/tab-skeleton.tsx';
import { useAddress } from '../../lists/use-address.ts';
import * as text from '../../messages/text.ts';
import { RangePicker } from '../../ranges/range-picker.tsx';
import { periodOf, useRange } from '../../ranges/use-range.ts';
import { Button } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AdoptionResults } from './adoption-results.tsx';

const texts = text.analytics.adoption;
const eventsQuery = query('GET /v3/edit/event_names', { limit: 500 });

/** How many people did something for the first time, and what launches changed about it. */
export default function AdoptionTab() {
  const [, navigate] = useLocation();
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const timeZone = settings?.account.time_zone;
  const { today, range, setDays, setOwn } = useRange(timeZone);
  const { get, set } = useAddress();
  const id = get('event_name_id');
  const { data: names, error: namesError } = useQuery(eventsQuery);
  const events = names?.event_names;
  const event = events?.find((one) => one.id === id);
  const period = periodOf(range);
  const { data, error } = useQuery({
    ...query('GET /v3/analyze/event_names/{id}/adoption', { id, from: range.from, until: range.until, by: period }),
    enabled: isId(id) && event !== undefined,
  });
  if (events?.length === 0)
    return (
      <EmptyState
        picture={<Drawing of="events" />}
        title={texts.noEvents.title}
        action={<Button onPress={() => navigate('/app/events')}>{texts.noEvents.action}</Button>}
      >
        {texts.noEvents.text}
      </EmptyState>
    );
  const missing = id === '' ? texts.none : events && !event ? texts.gone : undefined;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <RangePicker range={range} today={today} timeZone={timeZone ?? ''} onDays={setDays} onOwn={setOwn} />
        {events && (
          <ComboBox
            label={texts.event}
            className="w-full sm:w-72"
            options={events.map(({ id, name }) => ({ value: id, label: name }))}
            value={event ? id : null}
            onChange={(event_name_id) => event_name_id && set({ event_name_id })}
          />
        )}
      </div>
      <ErrorNotice error={namesError ?? error} />
      {missing && (
        <EmptyState picture={<Drawing of="events" />} title={missing.title}>
          {missing.text}
        </EmptyState>
      )}
      {event && data && <AdoptionResults event={event} adoption={data.adoption} today={today} />}
      {event && !data && !error && <TabSkeleton />}
    </div>
  );
}
