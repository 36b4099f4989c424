import { useQuery } from '@tanstack/react-query';
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { formatBytes, formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { FormSkeleton } from './form-skeleton.tsx';

type Health = ResponseOf<'GET /v3/analyze/health'>['health'];
type Check = Health['checks'][number];

const texts = text.health;

export default function HealthPage() {
  const { data, error, refetch, isFetching } = useQuery(query('GET /v3/analyze/health'));
  const health = data?.health;
  const count = health?.checks.filter(({ state }) => state === 'attention').length ?? 0;
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Button icon={RefreshCw} isPending={isFetching} onPress={() => refetch()}>
          {texts.refresh}
        </Button>
      }
    >
      <ErrorNotice error={error} />
      {!health && !error && <FormSkeleton label={texts.title} heights={[46, 620]} />}
      {health && (
        <>
          {count > 0 ? (
            <Notice kind="warning" title={texts.attention(count)} />
          ) : (
            <Notice kind="done" title={texts.good} />
          )}
          <dl className="rounded-10 border border-line bg-surface">
            {health.checks.map((check) => (
              <HealthRow key={check.name} check={check}>
                {showValue(check.name, health)}
              </HealthRow>
            ))}
          </dl>
        </>
      )}
    </Page>
  );
}

function HealthRow({ check: { name, state, message }, children }: { check: Check; children: ReactNode }) {
  const isGood = state === 'good';
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-line px-5 py-3 not-last:border-b @lg:grid-cols-[12rem_1fr_auto]">
      <dt className="text-13 text-soft">{texts.names[name]}</dt>
      <dd className="flex min-w-0 flex-col gap-0.5 text-14 @max-lg:col-span-2 @max-lg:row-start-2">
        <span className="wrap-anywhere">{children}</span>
        <span className="text-13 text-soft">{message}</span>
      </dd>
      <dd className="@max-lg:col-start-2 @max-lg:row-start-1">
        <Badge tone={isGood ? 'good' : 'warn'} icon={isGood ? CircleCheck : TriangleAlert}>
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
  }
}

function LastBackup({ backups: { is_scheduled, last_at, last_bytes } }: { backups: Health['backups'] }) {
  if (last_at === null) return is_scheduled ? texts.noBackup.notYet : texts.noBackup.none;
  return (
    <>
      {formatBytes(last_bytes ?? 0)}, <RelativeTime time={last_at} />
    </>
  );
}
