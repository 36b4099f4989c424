import { computeScore } from '@usher/domain';
import { Section } from '../../../app/page.tsx';
import { formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { BarTable } from '../../../ui/chart/bar-table.tsx';
import { formatShortDay } from '../../../ui/chart/format-day.ts';
import { Point, type SeriesLook } from '../../../ui/chart/series.tsx';
import { StackedBar } from '../../../ui/chart/stacked-bar.tsx';
import type { Question, Stats } from './describe-results.ts';
import { PeopleCount } from './people-dialog.tsx';

const texts = text.results.scores;
export type Scored = Stats['scores'][number];
type Values = Scored['values'];

/** The groups of answers that a score is made of, from good to bad. */
const groups: Record<Scored['kind'], { id: keyof typeof texts.groups; from: number; to: number; look: SeriesLook }[]> =
  {
    nps: [
      { id: 'promoters', from: 9, to: 10, look: 2 },
      { id: 'passives', from: 7, to: 8, look: 4 },
      { id: 'detractors', from: 0, to: 6, look: 3 },
    ],
    csat: [
      { id: 'satisfied', from: 4, to: 5, look: 2 },
      { id: 'neutral', from: 3, to: 3, look: 4 },
      { id: 'dissatisfied', from: 1, to: 2, look: 3 },
    ],
    ces: [
      { id: 'easy', from: 5, to: 7, look: 2 },
      { id: 'middle', from: 4, to: 4, look: 4 },
      { id: 'hard', from: 1, to: 3, look: 3 },
    ],
  };

export function formatScore(kind: Scored['kind'], values: Values): string | undefined {
  const found = computeScore(kind, values);
  if (!found) return undefined;
  if (kind === 'nps') return formatNumber(found.score, { signDisplay: 'exceptZero' });
  if (kind === 'csat') return formatPercent(found.score);
  return formatNumber(found.score, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
}

const countIn = (values: Values, from: number, to: number) =>
  values.reduce((sum, { value, count }) => (value >= from && value <= to ? sum + count : sum), 0);
const totalOf = (values: Values) => countIn(values, 0, 10);

/** The score of each question that has one: its parts, its answers, and how it has changed from week to week. */
export function ScoreSections({ stats, questions }: { stats: Stats; questions: readonly Question[] }) {
  return stats.scores.map((scored) => {
    const label = questions.find(({ id }) => id === scored.step_id)?.label ?? '';
    return totalOf(scored.values) === 0 ? null : <ScoreSection key={scored.step_id} scored={scored} label={label} />;
  });
}

function ScoreSection({ scored: { step_id, kind, values, weeks }, label }: { scored: Scored; label: string }) {
  const total = totalOf(values);
  const answered = weeks.filter((week) => totalOf(week.values) > 0);
  return (
    <Section title={texts.titles[kind]} intro={<bdi>{label}</bdi>}>
      <p className="text-13 text-soft">{texts.helps[kind]}</p>
      <p className="flex items-baseline gap-3">
        <span className="sr-only">{texts.score}</span>
        <span className="text-28 font-semibold tracking-tight tabular-nums">{formatScore(kind, values)}</span>
        <span className="text-13 text-soft">{texts.count(formatNumber(total), total === 1)}</span>
      </p>
      <StackedBar
        parts={groups[kind].map(({ id, from, to, look }) => ({ id, look, count: countIn(values, from, to) }))}
      />
      <table className="w-full text-14">
        <caption className="sr-only">{texts.titles[kind]}</caption>
        <tbody>
          {groups[kind].map(({ id, from, to, look }) => (
            <tr key={id}>
              <th scope="row" className="py-1 text-left font-normal">
                <span className="flex items-center gap-2">
                  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                    <Point x={6} y={6} look={look} size={4} />
                  </svg>
                  {texts.groups[id]}
                </span>
              </th>
              <td className="w-16 py-1 text-right">
                <PeopleCount
                  value={countIn(values, from, to)}
                  of={{
                    title: texts.groups[id],
                    what: 'score',
                    part_id: step_id,
                    options: values.filter(({ value }) => value >= from && value <= to).map(({ value }) => `${value}`),
                  }}
                />
              </td>
              <td className="w-16 py-1 text-right text-soft tabular-nums">
                {formatPercent(countIn(values, from, to) / total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {answered.length > 1 && (
        <table aria-label={texts.byWeek} className="w-full table-fixed text-13">
          <thead className="text-left text-12 text-soft">
            <tr>
              <th scope="col" className="w-16 py-1 font-medium">
                {texts.week}
              </th>
              <th scope="col" className="py-1 font-medium">
                {texts.parts}
              </th>
              <th scope="col" className="w-14 py-1 text-right font-medium">
                {texts.score}
              </th>
            </tr>
          </thead>
          <tbody>
            {answered.map(({ day, values }) => (
              <tr key={day}>
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap text-soft">
                  {formatShortDay(day)}
                </th>
                <td className="py-1">
                  <StackedBar
                    parts={groups[kind].map(({ id, from, to, look }) => ({
                      id,
                      look,
                      count: countIn(values, from, to),
                    }))}
                  />
                  <span className="sr-only">
                    {groups[kind]
                      .map(({ id, from, to }) => `${texts.groups[id]}: ${formatNumber(countIn(values, from, to))}`)
                      .join(', ')}
                  </span>
                </td>
                <td className="py-1 text-right tabular-nums">{formatScore(kind, values)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <BarTable
        label={texts.distribution}
        columns={{ label: texts.answer, count: texts.people, share: texts.share }}
        isCompact
        rows={values.map(({ value, count }) => ({
          ...{ id: `${value}`, label: formatNumber(value), count, share: count / total },
          shownCount: (
            <PeopleCount
              value={count}
              of={{
                ...{ title: texts.answered(formatNumber(value)), what: 'score', part_id: step_id },
                options: [`${value}`],
              }}
            />
          ),
        }))}
      />
    </Section>
  );
}
