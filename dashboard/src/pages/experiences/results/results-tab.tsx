import { useQuery } from '@tanstack/react-query';
import { kinds } from '@usher/domain/kinds';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { apiWithAge, download } from '../../../api/api.ts';
import { nounOf } from '../../../api/nouns.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { saveFile } from '../../../app/save-file.ts';
import { showError } from '../../../app/show-error.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatDate, formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { RangePicker } from '../../../ranges/range-picker.tsx';
import { periodOf, type Range, useRange } from '../../../ranges/use-range.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Answers } from './answers.tsx';
import { type Measure, measuresOf, questionsOf, type Stats } from './describe-results.ts';
import { FlowTable } from './flow-table.tsx';
import { Goals } from './goals.tsx';
import { MeasureTiles } from './measure-tiles.tsx';
import { OverTime } from './over-time.tsx';
import { WithPeople } from './people-dialog.tsx';
import { Problems } from './problems.tsx';
import { ResultsPicture } from './results-picture.tsx';
import { ScoreSections } from './scores.tsx';
import { SplitTable } from './splits.tsx';
import { Clicks, Completions } from './steps.tsx';
import { useSeenVersion } from './use-seen-version.ts';

const texts = text.results;
const OPERATION = 'GET /v3/analyze/{kind}/{id}/stats';
/** A replica of the database is usually a second or two behind, which makes no difference. */
const MIN_SHOWN_AGE_SECONDS = 5;

/** The results of an Experience: numbers by day and step, answers, and problems. */
export default function ResultsTab({ experience }: { experience: ShownExperience }) {
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const { time_zone, time_zone_changed_at = null } = settings?.account ?? {};
  const { today, range, setDays, setOwn } = useRange(time_zone);
  const { id } = experience;
  const kind = `${experience.kind}s` as const;
  const params = { kind, id, from: range.from, until: range.until, by: periodOf(range) };
  const { data: read, error } = useQuery({
    queryKey: [nounOf(OPERATION), OPERATION, params],
    queryFn: () => apiWithAge(OPERATION, params),
  });
  const seen = useSeenVersion(experience);
  return (
    <div className="flex flex-col gap-5 py-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <RangePicker range={range} today={today} timeZone={time_zone ?? ''} onDays={setDays} onOwn={setOwn} />
        <DownloadMenu experience={experience} range={range} />
      </div>
      {time_zone_changed_at !== null && time_zone_changed_at.slice(0, 10) >= range.from && (
        <p className="text-13 text-soft">
          {texts.range.zoneChanged(time_zone ?? '', formatDate(new Date(time_zone_changed_at)))}
        </p>
      )}
      {read && read.ageSeconds >= MIN_SHOWN_AGE_SECONDS && (
        <p className="text-13 text-soft">{texts.age(formatNumber(read.ageSeconds))}</p>
      )}
      <ErrorNotice error={error} />
      {read && seen ? (
        <Results
          experience={experience}
          seen={seen}
          stats={read.data.stats}
          range={range}
          today={today}
          onLonger={() => setDays(90)}
        />
      ) : (
        !error && <ResultsSkeleton />
      )}
    </div>
  );
}

interface ResultsProps {
  experience: ShownExperience;
  /** The version whose texts people saw. */
  seen: ShownExperience;
  stats: Stats;
  range: Range;
  today: string;
  onLonger: () => void;
}

function Results({ experience, seen, stats, range, today, onLonger }: ResultsProps) {
  const measures = measuresOf(experience, stats.totals);
  const [wanted, setWanted] = useState<Measure>();
  const isEmpty = Object.values(stats.totals).every((count) => count === 0) && stats.answers.length === 0;
  if (isEmpty) return <NoResults experience={experience} range={range} onLonger={onLonger} />;
  const others = measures.slice(1);
  const chosen = others.find((measure) => measure === wanted) ?? others[0];
  const { asks, parts } = kinds[experience.kind];
  return (
    <WithPeople experience={experience} range={range}>
      <MeasureTiles stats={stats} measures={measures} chosen={chosen} onChoose={setWanted} range={range} />
      <OverTime
        experienceId={experience.id}
        stats={stats}
        measures={measures}
        chosen={chosen}
        period={periodOf(range)}
        today={today}
      />
      {parts === 'steps' && <FlowTable experience={seen} stats={stats} />}
      <div className="gap-5 md:columns-2 *:mb-5 *:break-inside-avoid">
        <SplitTable experience={experience} stats={stats} measures={measures} chosen={chosen} range={range} />
        <Completions experience={seen} stats={stats} />
        <Clicks experience={seen} stats={stats} />
        {asks && <ScoreSections stats={stats} questions={questionsOf(seen, stats)} />}
        {asks && <Answers experience={seen} stats={stats} range={range} />}
      </div>
      <Goals experience={experience} range={range} />
      <Problems experience={experience} range={range} />
    </WithPeople>
  );
}

/** Says what will be shown here, and what to do for it. */
function NoResults({ experience, range, onLonger }: Pick<ResultsProps, 'experience' | 'range' | 'onLonger'>) {
  const { empty } = texts;
  const { started_count, displayed_count } = experience.stats;
  const wasSeen = started_count + displayed_count > 0;
  const words = wasSeen ? empty.period : experience.published_at === null ? empty.draft : empty.live;
  return (
    <EmptyState
      picture={<ResultsPicture />}
      title={words.title}
      action={wasSeen && range.days !== 90 && <Button onPress={onLonger}>{empty.period.action}</Button>}
    >
      {words.description}
    </EmptyState>
  );
}

function DownloadMenu({ experience, range }: { experience: ShownExperience; range: Range }) {
  const { id, kind, name } = experience;
  const days = { from: range.from, until: range.until, format: 'csv' as const };
  const save = async (file: Promise<Blob>, fileName: string) => {
    try {
      saveFile(await file, fileName);
    } catch (error) {
      showError(error);
    }
  };
  const saveDays = () =>
    save(
      download('GET /v3/analyze/{kind}/{id}/days.{format}', { kind: `${kind}s`, id, ...days }),
      texts.download.daysFile(name),
    );
  const saveResponses = () =>
    save(download('GET /v3/analyze/responses.{format}', { id, ...days }), texts.download.responsesFile(name));
  return (
    <Menu
      label={texts.download.label}
      placement="bottom end"
      trigger={<Button icon={Download}>{texts.download.open}</Button>}
      groups={[
        {
          entries: [
            { id: 'days', label: texts.download.days, onAction: saveDays },
            ...(kinds[kind].asks
              ? [{ id: 'responses', label: texts.download.responses, onAction: saveResponses }]
              : []),
          ],
        },
      ]}
    />
  );
}

function ResultsSkeleton() {
  return (
    <div role="status" aria-label={text.ui.loading(text.editor.tabs.results)} className="flex flex-col gap-5">
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton key={tile} height={106} />
        ))}
      </div>
      <Skeleton height={356} />
      <div className="grid gap-5 md:grid-cols-2">
        <Skeleton height={240} />
        <Skeleton height={240} />
      </div>
    </div>
  );
}
