import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { ResponseOf } from '../../../api/api.ts';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { lazyComponent } from '../../../app/lazy-component.ts';
import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { describeGoal, isOfNow } from '../../../goals/describe-goal.ts';
import { readGoal } from '../../../goals/goal-params.ts';
import { useGoalSubjects } from '../../../goals/use-goal-names.ts';
import { formatDate, formatNumber, formatPercent, formatRelativeTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { GoalRange } from './goal-people.tsx';

const texts = text.goals.results;
const GoalPeople = lazyComponent(() => import('./goal-people.tsx').then((module) => module.GoalPeople));
const COUNTING_MS = 2000;

type Results = ResponseOf<'GET /v3/analyze/{kind}/{id}/goals'>['results'];

interface GoalsProps {
  experience: ShownExperience;
  range: Range;
}

/** How many of the people who first saw the Experience met each of its goals. Each number opens its list of people. */
export function Goals({ experience, range }: GoalsProps) {
  const { id, kind } = experience;
  const of = { kind: `${kind}s` as const, id, from: range.from, until: range.until };
  const { data, error } = useQuery({
    ...query('GET /v3/analyze/{kind}/{id}/goals', of),
    refetchInterval: ({ state }) => (state.data?.results.counting ? COUNTING_MS : false),
  });
  const results = data?.results;
  if (results?.goals.length === 0) return null;
  return (
    <Section title={texts.title} intro={texts.help}>
      <ErrorNotice error={error} />
      {!results && !error && <Skeleton height={120} />}
      {results && <Table results={results} of={of} />}
      {results && <Notes results={results} />}
    </Section>
  );
}

interface Opened {
  goal_id?: string;
  name: string;
}

function Table({ results, of }: { results: Results; of: GoalRange }) {
  const { names } = useGoalSubjects();
  const [open, setOpen] = useState<Opened | undefined>();
  const { people, goals } = results;
  const hasSums = goals.some(({ sum }) => sum !== null);
  const number = 'py-1.5 pl-3 text-right whitespace-nowrap tabular-nums';
  return (
    <>
      {people !== null && (
        <p className="text-14">
          {texts.reached}: <Count count={people} name={texts.reached} onOpen={() => setOpen({ name: texts.reached })} />
        </p>
      )}
      <table className="w-full text-14">
        <caption className="sr-only">{texts.title}</caption>
        <thead className="text-13 text-soft">
          <tr>
            <th scope="col" className="py-1 text-left font-normal">
              {texts.columns.goal}
            </th>
            <th scope="col" className="whitespace-nowrap py-1 pl-3 text-right font-normal">
              {texts.columns.rate}
            </th>
            <th scope="col" className="whitespace-nowrap py-1 pl-3 text-right font-normal">
              {texts.columns.people}
            </th>
            {hasSums && (
              <th scope="col" className="whitespace-nowrap py-1 pl-3 text-right font-normal">
                {texts.columns.sum}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {goals.map((goal) => (
            <tr key={goal.id} className="border-line border-t">
              <th scope="row" className="py-1.5 text-left font-normal">
                <span className="flex flex-wrap items-center gap-1.5">
                  <bdi>{goal.name}</bdi>
                  {goal.primary && <Badge>{text.goals.primary}</Badge>}
                </span>
                <span className="block text-13 text-soft">{describeGoal(readGoal(goal), names)}</span>
              </th>
              <td className={number}>{rateOf(goal.people, people)}</td>
              <td className={number}>
                {goal.people !== null && (
                  <Count
                    count={goal.people}
                    name={goal.name}
                    onOpen={() => setOpen({ goal_id: goal.id, name: goal.name })}
                  />
                )}
              </td>
              {hasSums && <td className={number}>{goal.sum !== null && formatNumber(goal.sum)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <Suspense fallback={null}>
        {open && <GoalPeople of={of} opened={open} onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  );
}

function rateOf(met: number | null, people: number | null): string {
  return met === null || !people ? '–' : formatPercent(met / people);
}

function Count({ count, name, onOpen }: { count: number; name: string; onOpen: () => void }) {
  const shown = formatNumber(count);
  if (count === 0) return <>{shown}</>;
  return (
    <Button look="quiet" size="small" aria-label={texts.show(shown, name)} onPress={onOpen}>
      {shown}
    </Button>
  );
}

/** When it was counted, and what the numbers cannot know. */
function Notes({ results }: { results: Results }) {
  const { counted_at, counting, events_since, goals } = results;
  const notes = [
    ...(counted_at === null ? [texts.first] : [texts.asOf(formatRelativeTime(new Date(counted_at), Date.now()))]),
    ...(counting && counting.share > 0 ? [texts.counting(formatPercent(counting.share))] : []),
    ...(goals.some(({ is_partial }) => is_partial) ? [texts.partial(formatDate(new Date(events_since)))] : []),
    ...(goals.some(isOfNow) ? [texts.now] : []),
  ];
  return <p className="text-13 text-soft">{notes.join(' ')}</p>;
}
