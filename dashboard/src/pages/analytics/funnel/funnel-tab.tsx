import { useQuery } from '@tanstack/react-query';
import { MAX_FUNNEL_DAYS, MAX_FUNNEL_MS } from '@usher/domain';
import { Filter } from 'lucide-react';
import { useState } from 'react';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { Section } from '../../../app/page.tsx';
import { CheckList } from '../../../lists/check-list.tsx';
import { formatDateTime, formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { CountedPeopleDialog } from '../../../people/counted-people-dialog.tsx';
import { RangePicker } from '../../../ranges/range-picker.tsx';
import { useRange } from '../../../ranges/use-range.ts';
import { Button } from '../../../ui/button.tsx';
import { formatDay } from '../../../ui/chart/format-day.ts';
import { cx } from '../../../ui/cx.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { isFinished, newStep, toParams, useFunnelAddress } from './funnel-address.ts';
import { FunnelChart } from './funnel-chart.tsx';
import { FunnelPicture } from './funnel-picture.tsx';
import { FunnelSteps } from './funnel-steps.tsx';
import { FunnelTable } from './funnel-table.tsx';
import { useExample } from './use-example.ts';
import {
  type CountedFunnel,
  type FunnelParams,
  type PeopleOfStep,
  toCounted,
  useFunnel,
  useStepNames,
} from './use-funnel.ts';

const texts = text.funnel;
const MAX_LISTED = 500;

/** How many people go through steps, one after the other, and where they leave. */
export default function FunnelTab() {
  const { data: settings } = useQuery(query('GET /v3/edit/account'));
  const timeZone = settings?.account.time_zone;
  const { today, range, setDays, setOwn } = useRange(timeZone);
  const { steps, windowDays, segmentIds, setSteps, setWindow, setSegments } = useFunnelAddress();
  const { data: segments } = useQuery(query('GET /v3/edit/segments', { limit: MAX_LISTED }));
  const example = useExample();
  if (steps.length === 0)
    return (
      <EmptyState
        picture={<FunnelPicture />}
        title={texts.empty.title}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {example && (
              <Button look="primary" onPress={() => setSteps(example)}>
                {texts.empty.example}
              </Button>
            )}
            <Button look={example ? 'plain' : 'primary'} onPress={() => setSteps([newStep, newStep])}>
              {texts.empty.start}
            </Button>
          </div>
        }
      >
        {texts.empty.text}
      </EmptyState>
    );
  const finished = steps.filter(isFinished);
  const params: FunnelParams | undefined =
    finished.length === steps.length && steps.length >= 2
      ? ({
          steps: steps.map(toParams),
          ...{ window_days: windowDays, from: range.from, until: range.until, split_segment_ids: segmentIds },
        } as unknown as FunnelParams)
      : undefined;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        <RangePicker range={range} today={today} timeZone={timeZone ?? ''} onDays={setDays} onOwn={setOwn} />
        <Popover
          label={texts.split}
          trigger={
            <Button icon={Filter}>
              {segmentIds.length === 0 ? texts.split : texts.splitBy(formatNumber(segmentIds.length))}
            </Button>
          }
        >
          {() => (
            <div className="max-h-80 w-64 overflow-auto">
              <CheckList
                label={texts.split}
                help={texts.splitHelp}
                options={segments?.segments}
                value={segmentIds}
                onChange={setSegments}
                none={texts.noSegments}
              />
            </div>
          )}
        </Popover>
      </div>
      <Section title={texts.steps} intro={texts.stepsHelp}>
        <FunnelSteps steps={steps} onChange={setSteps} />
        <NumberField
          label={texts.window}
          help={texts.windowHelp}
          value={windowDays}
          onChange={(days) => setWindow(Math.round(days))}
          min={1}
          max={MAX_FUNNEL_DAYS}
          problem={texts.windowProblem(formatNumber(MAX_FUNNEL_DAYS))}
          className="w-40"
        />
      </Section>
      {params ? (
        <Counted params={params} segmentName={(id) => segments?.segments.find((one) => one.id === id)?.name ?? id} />
      ) : (
        <p className="text-14 text-soft">{texts.unfinished}</p>
      )}
    </div>
  );
}

interface CountedProps {
  params: FunnelParams;
  segmentName: (id: string) => string;
}

function Counted({ params: given, segmentName }: CountedProps) {
  const [longFor, setLongFor] = useState('');
  const [shown, setShown] = useState<PeopleOfStep>();
  const nameOf = useStepNames();
  const isLong = longFor === JSON.stringify(given);
  const params = isLong ? { ...given, within_ms: MAX_FUNNEL_MS } : given;
  const { data, error, isFetching, isPlaceholderData } = useFunnel(params);
  const { steps } = useFunnelAddress();
  const names = steps.map(nameOf);
  const funnel = data?.funnel;
  return (
    <Section
      title={texts.chart}
      {...(funnel && { intro: texts.chartHelp(formatDay(funnel.from), formatDay(funnel.until)) })}
    >
      <ErrorNotice error={error} />
      {!funnel && !error && <Skeleton height={320} />}
      {funnel && (
        <Notes
          funnel={funnel}
          isLong={isLong}
          isCounting={isFetching}
          onCountAll={() => setLongFor(JSON.stringify(given))}
        />
      )}
      {funnel && funnel.steps[0]?.people === 0 && funnel.complete && (
        <p className="text-14 text-soft">{texts.nobody}</p>
      )}
      {funnel && funnel.steps.length === names.length && (funnel.steps[0]?.people ?? 0) > 0 && (
        <div aria-busy={isPlaceholderData} className={cx('flex flex-col gap-5', isPlaceholderData && 'opacity-60')}>
          <FunnelChart steps={funnel.steps} names={names} onOpen={setShown} />
          <FunnelTable funnel={funnel} names={names} segmentName={segmentName} onOpen={setShown} />
        </div>
      )}
      {shown && <CountedPeopleDialog counted={toCounted(given, shown)} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

interface NotesProps {
  funnel: CountedFunnel;
  isLong: boolean;
  isCounting: boolean;
  onCountAll: () => void;
}

/** What the numbers lack. */
function Notes({ funnel: { complete, share, known_since }, isLong, isCounting, onCountAll }: NotesProps) {
  const percent = formatPercent(share);
  return (
    <>
      {!complete && (
        <Notice
          kind="warning"
          {...(!isLong || isCounting
            ? {
                action: (
                  <Button size="small" isPending={isLong && isCounting} onPress={onCountAll}>
                    {texts.countAll}
                  </Button>
                ),
              }
            : {})}
        >
          {isLong && !isCounting ? texts.partialAtMost(percent) : texts.partial(percent)}
        </Notice>
      )}
      {known_since !== null && (
        <p className="text-13 text-soft">{texts.knownSince(formatDateTime(new Date(known_since)))}</p>
      )}
    </>
  );
}
