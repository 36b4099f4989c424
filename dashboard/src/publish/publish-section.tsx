import { changesInSummary } from '@usher/domain/sentences';
import { ArrowRight, ArrowUp, CircleAlert, TriangleAlert, Users } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useEnvironment } from '../app/environment.ts';
import { CapturePairs } from '../changes/capture-pairs.tsx';
import { ChangeSentences } from '../changes/change-sentences.tsx';
import { useNames } from '../changes/use-names.ts';
import { describeCount } from '../filters/describe-count.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { changesSomething, isUpToDate, type ShownPlan } from './load-plan.ts';
import { summaryCaptures } from './summary-captures.ts';

const texts = text.publish;

interface PublishSectionProps {
  plan: ShownPlan;
  /** The level of the headings: 3 in a dialog, 2 on a page. */
  level?: 2 | 3;
  /** Returns a function that goes to a field; undefined for a field that no page shows, which is only named. */
  goTo?: (path: string) => (() => void) | undefined;
  /** Moves this Experience before another one. The move takes effect immediately. */
  onMoveBefore?: (otherId: string) => void;
}

/** What publishing this Experience does: problems first, then what changes, whom it reaches, and what could go wrong. */
export function PublishSection({ plan, level = 3, goTo = noField, onMoveBefore }: PublishSectionProps) {
  const { problems, warnings } = plan.check;
  return (
    <div className="flex flex-col gap-5">
      {problems.length > 0 && (
        <Part level={level} title={texts.problems(problems.length, formatNumber(problems.length))}>
          <ul className="flex flex-col gap-2">
            {problems.map(({ path, message }) => (
              <Finding key={`${path} ${message}`} isProblem message={message} onGo={goTo(path)} />
            ))}
          </ul>
        </Part>
      )}
      <Part level={level} title={texts.changes}>
        <WhatChanges plan={plan} />
      </Part>
      <Part level={level} title={texts.reach}>
        <Reach plan={plan} />
      </Part>
      {warnings.length > 0 && (
        <Part level={level} title={texts.warnings}>
          <ul className="flex flex-col gap-2">
            {warnings.map(({ code, message, path, experience_ids: [first] }) => (
              <Finding
                key={`${code} ${path}`}
                message={message}
                help={texts.warningHelp[code]}
                onGo={first === undefined ? goTo(path) : undefined}
              >
                {code === 'others_first' && first !== undefined && onMoveBefore && (
                  <Button size="small" look="quiet" icon={ArrowUp} onPress={() => onMoveBefore(first)}>
                    {texts.moveUp}
                  </Button>
                )}
              </Finding>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

const noField = () => undefined;

/** Why there is no list of changes. */
function describeSame(plan: ShownPlan): string {
  if (isUpToDate(plan)) return texts.nothing;
  return plan.experience.state === 'scheduled' ? texts.scheduled : texts.unchanged;
}

export function Part({ title, level = 3, children }: { title: string; level?: 2 | 3; children: ReactNode }) {
  const Heading = `h${level}` as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a section would be one of many landmarks of the same name
    <div role="group" aria-label={title} className="flex flex-col gap-2">
      <Heading className="text-13 font-medium text-soft">{title}</Heading>
      {children}
    </div>
  );
}

function WhatChanges({ plan }: { plan: ShownPlan }) {
  const { experience, check } = plan;
  const { summary } = check;
  const changes = useMemo(
    () => changesInSummary(summary).map(({ fields }) => ({ path: '', object: fields })),
    [summary],
  );
  const nameOf = useNames(changes);
  const captures = useMemo(() => summaryCaptures(summary), [summary]);
  const isFirst = summary.kind === 'create';
  return (
    <div className="flex flex-col gap-3">
      {isFirst && <p className="text-14">{texts.first}</p>}
      {!isFirst && !changesSomething(summary) && <p className="text-14">{describeSame(plan)}</p>}
      {!isFirst && changesSomething(summary) && (
        <ChangeSentences summary={summary} kind={experience.kind} nameOf={nameOf} />
      )}
      <CapturePairs pairs={captures} />
    </div>
  );
}

type Check = ShownPlan['check'];

/** What people of the target had lately, and what this adds. */
function describeAdded(
  { adds, weeks, people, median, max, is_complete }: NonNullable<Check['interruptions']>,
  { estimate, is_complete: isReachComplete }: Check['reach'],
): string {
  const had =
    median === null || max === null
      ? texts.notInterrupted(formatNumber(weeks), is_complete)
      : texts.interrupted(
          `${is_complete ? '' : '≥ '}${formatNumber(people)}`,
          people === 1,
          formatNumber(weeks),
          formatNumber(median),
          formatNumber(max),
        );
  const reached = `${isReachComplete ? '' : '≈ '}${formatNumber(estimate.now)}`;
  return `${had} ${texts.adds(formatNumber(adds), reached, estimate.now === 1)}`;
}

function Reach({ plan: { check, experience } }: { plan: ShownPlan }) {
  const { now, before, is_complete, estimate } = check.reach;
  const live = { count: before ?? 0, is_complete, estimate: estimate.before ?? 0 };
  const { environments } = useEnvironment();
  const isEverywhere = experience.url_groups.length === 0;
  const places = (isEverywhere ? environments : experience.url_groups).map(({ name }) => name).join(', ');
  return (
    <div className="flex items-start gap-2 text-14">
      <Users size={16} aria-hidden className="mt-0.5 shrink-0 text-soft" />
      <p>
        {texts.reaches(
          describeCount({ count: now, is_complete, estimate: estimate.now }),
          (is_complete ? now : estimate.now) === 1,
        )}
        {before !== null && <span className="text-soft"> · {texts.reachedBefore(describeCount(live))}</span>}
        <span className="text-soft">
          {' '}
          · {isEverywhere && (places ? `${texts.everywhere}: ` : texts.everywhere)}
          <bdi>{places}</bdi>
        </span>
        {check.interruptions && <span className="block">{describeAdded(check.interruptions, check.reach)}</span>}
        {experience.public_page && <span className="block">{texts.publicPage}</span>}
      </p>
    </div>
  );
}

interface FindingProps {
  message: string;
  help?: string;
  isProblem?: boolean;
  onGo: (() => void) | undefined;
  children?: ReactNode;
}

/** A problem or a warning, with a link to its field. */
function Finding({ message, help, isProblem = false, onGo, children }: FindingProps) {
  const Icon = isProblem ? CircleAlert : TriangleAlert;
  const plain = message.replaceAll('`', '');
  return (
    <li className="flex items-start gap-2 text-14 max-sm:flex-wrap">
      <Icon size={16} aria-hidden className={isProblem ? 'mt-0.5 shrink-0 text-bad' : 'mt-0.5 shrink-0 text-warn'} />
      <span className="min-w-0 flex-1 wrap-anywhere max-sm:basis-3/4">
        <bdi>{plain}</bdi>
        {help !== undefined && <span className="block text-13 text-soft">{help}</span>}
      </span>
      {onGo && (
        <Button
          size="small"
          look="quiet"
          icon={ArrowRight}
          aria-label={`${texts.goThere}: ${plain}`}
          onPress={onGo}
          className="max-sm:ml-4"
        >
          {texts.goThere}
        </Button>
      )}
      {children}
    </li>
  );
}
