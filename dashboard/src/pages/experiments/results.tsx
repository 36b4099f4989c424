import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Section } from '../../app/page.tsx';
import { formatNumber, formatPercent } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Experiment } from './experiment-state.tsx';
import { IntervalChart } from './interval-chart.tsx';

const texts = text.experiments;
type ExperimentResults = ResponseOf<'GET /v3/analyze/experiments/{id}/results'>['results'];
type GoalResult = ExperimentResults['goals'][number];

/** What the experiment has found, in words first. */
export function Results({ experiment }: { experiment: Experiment }) {
  const { data, error } = useQuery(query('GET /v3/analyze/experiments/{id}/results', { id: experiment.id }));
  if (!data)
    return <Section title={texts.results}>{error ? <ErrorNotice error={error} /> : <Skeleton height={160} />}</Section>;
  const { results } = data;
  const isDraft = experiment.state === 'draft';
  return (
    <>
      <Section title={texts.results} {...(isDraft && { intro: texts.noResults })}>
        {results.sample_ratio.message !== null && <Notice kind="warning">{results.sample_ratio.message}</Notice>}
        {isDraft ? (
          results.goals[0] && <p>{results.goals[0].plan.message}</p>
        ) : (
          <Notice kind={results.verdict.decision === 'undecided' ? 'info' : 'done'}>{results.verdict.message}</Notice>
        )}
        {results.warnings.map((warning) => (
          <Notice key={warning} kind="warning">
            {warning}
          </Notice>
        ))}
        {!isDraft && <PeopleTable experiment={experiment} results={results} />}
      </Section>
      {!isDraft && results.goals.map((goal) => <GoalSection key={goal.goal_id} experiment={experiment} goal={goal} />)}
    </>
  );
}

const cell = 'whitespace-nowrap border-t border-line px-2 py-1.5 text-right tabular-nums';
const firstCell = 'min-w-32 border-t border-line px-2 py-1.5 text-left font-normal wrap-anywhere';
const head = 'whitespace-nowrap px-2 py-1 text-right text-12 font-medium text-soft';
const firstHead = 'px-2 py-1 text-left text-12 font-medium text-soft';

function PeopleTable({ experiment, results }: { experiment: Experiment; results: ExperimentResults }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the arrow keys
    <section aria-label={texts.people} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-14">
        <caption className="sr-only">{texts.people}</caption>
        <thead>
          <tr>
            <th className={firstHead}>{texts.inVariant}</th>
            <th className={head}>{texts.exposed}</th>
            <th className={head}>{texts.complete}</th>
            <th className={head}>{texts.contaminated}</th>
          </tr>
        </thead>
        <tbody>
          {results.variants.map((arm) => (
            <tr key={arm.variant_id}>
              <th scope="row" className={firstCell}>
                {nameOf(experiment, arm.variant_id)}
              </th>
              <td className={cell}>{formatNumber(arm.exposed_count)}</td>
              <td className={cell}>{formatNumber(arm.complete_count)}</td>
              <td className={cell}>{formatNumber(arm.contaminated_count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function GoalSection({ experiment, goal }: { experiment: Experiment; goal: GoalResult }) {
  const hasMoved = goal.role === 'guardrail' && goal.comparisons.some(({ finding }) => finding !== 'unknown');
  return (
    <Section
      title={goal.name}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          <Badge tone={goal.role === 'primary' ? 'accent' : 'neutral'}>{texts.roles[goal.role]}</Badge>
          {goal.plan.message}
        </span>
      }
    >
      {hasMoved && <Notice kind="warning">{texts.guardrailMoved}</Notice>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the arrow keys */}
      <section aria-label={goal.name} tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-14">
          <caption className="sr-only">{goal.name}</caption>
          <thead>
            <tr>
              <th className={firstHead}>{texts.inVariant}</th>
              <th className={head}>{texts.reached}</th>
              <th className={head}>{goal.sums ? texts.mean : texts.rate}</th>
              <th className={head}>{texts.difference}</th>
            </tr>
          </thead>
          <tbody>
            {goal.variants.map((arm) => (
              <tr key={arm.variant_id}>
                <th scope="row" className={firstCell}>
                  {nameOf(experiment, arm.variant_id)}
                </th>
                <td className={cell}>{formatNumber(arm.reached_count)}</td>
                <td className={cell}>{formatRate(goal, arm)}</td>
                <td className={cell}>{formatDifference(goal, arm.variant_id)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <IntervalChart
        label={texts.chart(goal.name)}
        intervals={goal.comparisons.flatMap(({ variant_id, difference, low, high, message }) =>
          difference === null || low === null || high === null
            ? []
            : [{ name: nameOf(experiment, variant_id), value: difference, low, high, message }],
        )}
        format={(value) => formatValue(goal, value)}
      />
    </Section>
  );
}

function nameOf({ variants }: Experiment, id: string): string {
  return variants.find((variant) => variant.id === id)?.name ?? id;
}

function formatRate({ sums }: GoalResult, { mean, rate }: GoalResult['variants'][number]): string {
  const value = sums ? mean : rate;
  if (value === null) return '–';
  return sums ? formatNumber(value, { maximumFractionDigits: 2 }) : formatPercent(value);
}

function formatDifference(goal: GoalResult, variantId: string): string {
  const found = goal.comparisons.find((comparison) => comparison.variant_id === variantId);
  if (!found) return '–';
  const { low, high } = found;
  if (low === null || high === null) return texts.tooEarly;
  return texts.interval(formatValue(goal, low), formatValue(goal, high));
}

/** With a sign; shares in percentage points. */
function formatValue({ sums }: GoalResult, value: number): string {
  const options = { signDisplay: 'exceptZero', maximumFractionDigits: 2 } as const;
  return sums ? formatNumber(value, options) : texts.points(formatNumber(value * 100, options));
}
