import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { groupOfCheck, healthGroups } from '@usher/domain';
import { CircleAlert, CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { FormSkeleton } from '../../app/form-skeleton.tsx';
import { Page } from '../../app/page.tsx';
import { formatBytes, formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type Health = ResponseOf<'GET /v3/analyze/health'>['health'];
type Check = Health['checks'][number];

const texts = text.health;

export default function HealthPage() {
  const client = useQueryClient();
  const quick = query('GET /v3/analyze/health');
  const { data, error } = useQuery(quick);
  // Checking the public URL and the file of the database takes seconds, so they are checked only on request.
  const full = useMutation({
    mutationFn: () => api('GET /v3/analyze/health', { full: true }),
    onSuccess: (found) => client.setQueryData(quick.queryKey, found),
  });
  const health = data?.health;
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Button icon={RefreshCw} isPending={full.isPending} onPress={() => full.mutate()}>
          {texts.refresh}
        </Button>
      }
    >
      <ErrorNotice error={full.error ?? error} />
      {!health && !error && <FormSkeleton label={texts.title} heights={[46, 1240]} />}
      {health && <Checks health={health} />}
    </Page>
  );
}

function Checks({ health }: { health: Health }) {
  const { checks, slow_checks_at } = health;
  const toDo = [...checks.filter(isProblem), ...checks.filter(needsAttention)];
  const show = (found: Check[]) => (
    <dl className="rounded-10 border border-line bg-surface">
      {found.map((check) => (
        <HealthRow key={check.name} check={check}>
          {showValue(check.name, health)}
        </HealthRow>
      ))}
    </dl>
  );
  return (
    <>
      <Summary problems={checks.filter(isProblem).length} attention={checks.filter(needsAttention).length} />
      {toDo.length > 0 && <Group title={texts.toDo}>{show(toDo)}</Group>}
      {healthGroups.map((group) => {
        const found = checks.filter((check) => check.state === 'good' && groupOfCheck[check.name] === group);
        return (
          found.length > 0 && (
            <Group key={group} title={texts.groups[group]}>
              {show(found)}
            </Group>
          )
        );
      })}
      <p className="text-13 text-soft">
        {slow_checks_at === null ? (
          texts.slow
        ) : (
          <>
            {texts.slowAt} <RelativeTime time={slow_checks_at} />.
          </>
        )}
      </p>
    </>
  );
}

const isProblem = ({ state }: Check) => state === 'problem';
const needsAttention = ({ state }: Check) => state === 'attention';

function Summary({ problems, attention }: { problems: number; attention: number }) {
  if (problems === 0 && attention === 0) return <Notice kind="done" title={texts.good} />;
  if (problems === 0) return <Notice kind="warning" title={texts.attention(attention)} />;
  const found = texts.problem(problems);
  return <Notice kind="error" title={attention === 0 ? found : texts.both(found, texts.attention(attention))} />;
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-16 font-medium">{title}</h2>
      {children}
    </section>
  );
}

const looks = {
  good: { tone: 'good', icon: CircleCheck },
  attention: { tone: 'warn', icon: TriangleAlert },
  problem: { tone: 'bad', icon: CircleAlert },
} as const;

function HealthRow({ check: { name, state, message }, children }: { check: Check; children: ReactNode }) {
  const { tone, icon } = looks[state];
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-line px-5 py-3 not-last:border-b @lg:grid-cols-[12rem_1fr_auto]">
      <dt className="text-13 text-soft">{texts.names[name]}</dt>
      <dd className="flex min-w-0 flex-col gap-0.5 text-14 @max-lg:col-span-2 @max-lg:row-start-2">
        {children != null && <span className="wrap-anywhere">{children}</span>}
        <span className="text-13 wrap-anywhere text-soft">{message}</span>
      </dd>
      <dd className="@max-lg:col-start-2 @max-lg:row-start-1">
        <Badge tone={tone} icon={icon}>
          {texts.states[state]}
        </Badge>
      </dd>
    </div>
  );
}

function showValue(name: Check['name'], health: Health): ReactNode {
  const { webhook_items: items, batches, connections } = health;
  switch (name) {
    case 'version':
      return (
        <>
          {health.version}, {texts.uptime} <RelativeTime time={health.started_at} />
        </>
      );
    case 'node':
      return health.node_version;
    case 'engine':
      return `${texts.engines[health.engine]} ${health.engine_version}`;
    case 'schema':
      return health.schema_version;
    case 'database':
      return formatBytes(health.database_bytes);
    case 'disk':
      return formatBytes(health.free_disk_bytes ?? 0);
    case 'connections':
      return connections && texts.connections(formatNumber(connections.open), formatNumber(connections.max));
    case 'webhooks':
      return (
        <>
          {texts.queue(formatNumber(items.due), formatNumber(items.waiting))}
          {items.oldest_due_at !== null && (
            <>
              , {texts.oldest} <RelativeTime time={items.oldest_due_at} />
            </>
          )}
        </>
      );
    case 'batches':
      return texts.batches(formatNumber(batches.running), formatNumber(batches.waiting));
    case 'sweep':
      return health.last_sweep_at === null ? texts.notYet : <RelativeTime time={health.last_sweep_at} />;
    case 'backups':
      return <LastBackup backups={health.backups} />;
    case 'exports':
      return <LastExport exports={health.exports} />;
    default:
      return null;
  }
}

function LastExport({ exports: { last_at, last_rows } }: { exports: Health['exports'] }) {
  if (last_at === null) return texts.noBackup.notYet;
  return (
    <>
      {texts.exported(formatNumber(last_rows ?? 0))}, <RelativeTime time={last_at} />
    </>
  );
}

function LastBackup({ backups: { is_scheduled, last_at, last_bytes } }: { backups: Health['backups'] }) {
  if (last_at === null) return is_scheduled ? texts.noBackup.notYet : texts.noBackup.none;
  return (
    <>
      {formatBytes(last_bytes ?? 0)}, <RelativeTime time={last_at} />
    </>
  );
}
