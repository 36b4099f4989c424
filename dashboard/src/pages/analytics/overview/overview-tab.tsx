import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/queries.ts';
import { RangePicker } from '../../../ranges/range-picker.tsx';
import { useRange } from '../../../ranges/use-range.ts';

/** How many people Experiences reached, by day. */
export default function OverviewTab() {
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const timeZone = settings?.account.time_zone;
  const { today, range, setDays, setOwn } = useRange(timeZone);
  return <RangePicker range={range} today={today} timeZone={timeZone ?? ''} onDays={setDays} onOwn={setOwn} />;
}
