import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, download, type ResponseOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { Section } from '../../../app/page.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { CountButton, type CountedPeople, CountedPeopleDialog } from '../../../people/counted-people-dialog.tsx';
import { BarTable } from '../../../ui/chart/bar-table.tsx';
import { DayChart } from '../../../ui/chart/day-chart.tsx';
import { formatShortDay } from '../../../ui/chart/format-day.ts';
import { type Series, SeriesMark } from '../../../ui/chart/series.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const texts = text.interruptions;
const WEEKS = 12;
const PAGE_SIZE = 50;
const LIST = 'GET /v3/analyze/interruptions/people';
const measures = ['interruptions', 'steps', 'seconds'] as const;
type Measure = (typeof measures)[number];

type Interruptions = ResponseOf<'GET /v3/analyze/interruptions'>['interruptions'];
type Measured = Interruptions['weeks'][number][Measure];
type Bucket = Measured['buckets'][number];

/** How many interruptions each person got, week by week. */
export default function InterruptionsTab() {
  const { data, error } = useQuery(query('GET /v3/analyze/interruptions', { weeks: WEEKS }));
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton height={480} />;
  const { interruptions } = data;
  if (interruptions.weeks.every((week) => week.steps.people + week.interruptions.people === 0))
    return (
      <EmptyState picture={<Drawing of="limits" />} title={texts.empty.title}>
        {texts.empty.text} {describeKnown(interruptions)}
      </EmptyState>
    );
  return <Weeks interruptions={interruptions} />;
}

function describeKnown({ known_from }: Interruptions): string {
  return known_from === null ? '' : texts.knownFrom(formatShortDay(known_from));
}

function Weeks({ interruptions }: { interruptions: Interruptions }) {
  const { weeks, known_people } = interruptions;
  const [measure, setMeasure] = useState<Measure>('interruptions');
  const [chosen, setWeek] = useState(weeks.at(-1)?.week ?? '');
  const week = weeks.find((one) => one.week === chosen) ?? weeks.at(-1);
  const [bucket, setBucket] = useState<Bucket>();
  const last = weeks.at(-1)?.week ?? '';
  if (!week) return null;
  const measured = week[measure];
  const { people } = week.interruptions;
  const series = (['p90', 'median'] as const).map(
    (name, at): Series => ({
      id: name,
      label: texts.facts[name],
      look: at === 0 ? 4 : 1,
      shape: at === 0 ? 'line' : 'bars',
      values: weeks.map((one) => one[measure][name] ?? 0),
    }),
  );
  return (
    <>
      <p className="text-14 text-soft">
        {texts.intro} {describeKnown(interruptions)}
      </p>
      <div className="grid max-w-xl grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select
          label={texts.measure}
          value={measure}
          onChange={(value) => setMeasure(value as Measure)}
          options={measures.map((value) => ({ value, label: texts.measures[value] }))}
        />
        <Select
          label={texts.week}
          value={week.week}
          onChange={setWeek}
          options={weeks.toReversed().map((one) => ({
            value: one.week,
            label: (one.week === last ? texts.thisWeek : texts.weekOf)(formatShortDay(one.week)),
          }))}
        />
      </div>
      <Section title={texts.distribution} intro={texts.distributionHelp[measure]}>
        <p className="text-14">{texts.people(formatNumber(people), people === 1, formatNumber(known_people))}</p>
        <BarTable
          label={texts.distribution}
          columns={{ label: texts.columns.amount, count: texts.columns.people }}
          rows={measured.buckets.map((one) => ({
            id: String(one.least),
            label: describeBucket(one),
            count: one.people,
            shownCount: <BucketCount measure={measure} bucket={one} onOpen={() => setBucket(one)} />,
          }))}
          isCompact
        />
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-14">
          {(['median', 'p90', 'max'] as const).map((name) => (
            <div key={name}>
              <dt className="text-13 text-soft">{texts.facts[name]}</dt>
              <dd className="text-20 font-semibold tabular-nums">
                {measured[name] === null ? '–' : formatNumber(measured[name])}
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-13 text-soft">{texts.factsHelp}</p>
      </Section>
      <Section title={texts.trend} intro={texts.trendHelp}>
        <ul aria-label={texts.legend} className="flex flex-wrap gap-x-5 gap-y-1 text-13 text-soft">
          {series.map(({ id, label, look, shape }) => (
            <li key={id} className="flex items-center gap-2">
              <SeriesMark look={look} shape={shape} />
              {label}
            </li>
          ))}
        </ul>
        <DayChart label={texts.trend} days={weeks.map((one) => one.week)} period="week" today={last} series={series} />
      </Section>
      <p className="text-14 text-soft">
        {texts.limitsHelp} <Link href="/app/settings/limits">{texts.limits}</Link>
      </p>
      {bucket && (
        <BucketDialog week={week.week} measure={measure} bucket={bucket} onClose={() => setBucket(undefined)} />
      )}
    </>
  );
}

function describeBucket({ least, most }: Bucket): string {
  if (least === 0) return texts.none;
  if (most === null) return texts.moreThan(formatNumber(least - 1));
  return least === most ? formatNumber(least) : texts.range(formatNumber(least), formatNumber(most));
}

interface BucketCountProps {
  measure: Measure;
  bucket: Bucket;
  onOpen: () => void;
}

/** A number of people that opens their list. */
function BucketCount({ measure, bucket, onOpen }: BucketCountProps) {
  if (bucket.people === 0) return formatNumber(0);
  const title = texts.titles[measure](describeBucket(bucket));
  return <CountButton value={bucket.people} title={title} onOpen={onOpen} />;
}

interface BucketDialogProps {
  week: string;
  measure: Measure;
  bucket: Bucket;
  onClose: () => void;
}

function BucketDialog({ week, measure, bucket, onClose }: BucketDialogProps) {
  const { least, most } = bucket;
  const params = { week, measure, least, ...(most !== null && { most }) };
  const counted: CountedPeople = {
    ...{ title: texts.titles[measure](describeBucket(bucket)), of: texts.weekOf(formatShortDay(week)) },
    key: keyOf('kinds', LIST, params),
    load: (before) => api(LIST, { ...params, limit: PAGE_SIZE, ...(before !== null && { before }) }),
    download: () => download('GET /v3/analyze/interruptions/people.{format}', { ...params, format: 'csv' }),
    save: (name) => api('POST /v3/edit/interruptions/people', { ...params, name }),
  };
  return <CountedPeopleDialog counted={counted} onClose={onClose} />;
}
