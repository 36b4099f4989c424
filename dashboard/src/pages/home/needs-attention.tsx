import { useQuery } from '@tanstack/react-query';
import { CircleAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ResponseOf } from '../../api/api.ts';
import { attentionQuery } from '../../api/attention.ts';
import { useSession } from '../../api/session.ts';
import { useIsReachable } from '../../app/reachable-paths.ts';
import { describeFailing } from '../../failing-steps/describe-failing.ts';
import { pickAgainPath } from '../../failing-steps/pick-again-path.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { attentionPaths } from './links.ts';
import { NameLink } from './name-link.tsx';
import { Panel, PanelEmpty, RowSkeletons } from './panel.tsx';
import { useRememberedRows } from './remembered-rows.ts';

type Entry = ResponseOf<'GET /v3/analyze/attention'>['attention'][number];

const { attention: words } = text.home;

export function NeedsAttention({ className }: { className?: string }) {
  const { data, error } = useQuery(attentionQuery);
  const { can } = useSession();
  const entries = data?.attention;
  const rows = useRememberedRows('attention', entries?.length, 0);
  const count = entries?.length ?? 0;
  return (
    <Panel
      title={words.title}
      error={error}
      aside={count > 0 ? <Badge tone="bad">{formatNumber(count)}</Badge> : undefined}
      {...(className && { className })}
    >
      {!entries ? (
        <RowSkeletons label={words.title} rows={Math.max(rows, 1)} height={rows === 0 ? 68 : 104} />
      ) : entries.length === 0 ? (
        <PanelEmpty icon={<ShieldCheck size={16} />} title={words.empty}>
          {can('own') ? words.watchedByOwner : words.watched}
        </PanelEmpty>
      ) : (
        <ul className="flex flex-col pb-2">
          {entries.map((entry) => (
            <AttentionRow key={`${entry.type} ${entry.target.id ?? entry.target.name}`} entry={entry} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AttentionRow({ entry }: { entry: Entry }) {
  const { type, severity, since, count, target, step } = entry;
  const isError = severity === 'error';
  const Icon = isError ? CircleAlert : TriangleAlert;
  const name =
    target.type === 'quota' ? (words.quotas[target.name as keyof typeof words.quotas] ?? target.name) : target.name;
  return (
    <li className="flex items-start gap-3 border-t border-line/60 px-5 py-3 first:border-0 first:pt-1">
      <span className={isError ? 'pt-0.5 text-bad' : 'pt-0.5 text-warn'}>
        <Icon size={16} aria-hidden />
        <span className="sr-only">{isError ? words.error : words.warning}</span>
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="line-clamp-2 font-medium">
          {step ? <NameLink id={step.experience_id}>{words.titles[type](name)}</NameLink> : words.titles[type](name)}
        </p>
        <p className="text-13 wrap-anywhere text-soft">
          {step ? describeFailing(step, step.index) : type !== 'target_failing' && words.details[type](count ?? 0)}
        </p>
        <p className="flex flex-wrap gap-x-3 text-12 text-faint">
          <span>
            {wordOfTime(type)} <RelativeTime time={since} />
          </span>
          {step ? <StepLink step={step} /> : <PlaceLink type={target.type} id={target.id} />}
        </p>
      </div>
    </li>
  );
}

function isExperienceKind(type: string): boolean {
  return type in text.home.kinds;
}

function wordOfTime(type: Entry['type']): string {
  return type === 'secret_expiring' ? words.expires : type === 'secret_expired' ? words.expired : words.since;
}

/** Leads to the picker of the step, or to the Experience for people who may only look. */
function StepLink({ step }: { step: NonNullable<Entry['step']> }) {
  const { can } = useSession();
  const path = can('edit') ? pickAgainPath(step, step.index) : undefined;
  return (
    <Link href={path ?? `/app/experiences/${step.experience_id}`}>
      {path ? text.failingSteps.pickAgain : words.actions.experience}
    </Link>
  );
}

/** Leads to the page where the problem can be fixed, if there is one and the person may open it. */
function PlaceLink({ type, id }: Pick<Entry['target'], 'type' | 'id'>) {
  const isReachable = useIsReachable();
  if (isExperienceKind(type)) return <Link href={`/app/experiences/${id}`}>{words.actions.experience}</Link>;
  const path = attentionPaths[type];
  if (path === undefined || !isReachable(path)) return null;
  return <Link href={path}>{words.actions[type as keyof typeof words.actions]}</Link>;
}
