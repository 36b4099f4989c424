import type { ReactNode } from 'react';
import { EnvironmentBadge, EnvironmentMark } from '../../app/environment-badge.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { ActionsMenu } from '../../ui/actions-menu.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { TableColumn } from '../../ui/table.tsx';
import type { DomainDialogs } from './domain-list.tsx';
import { useDomainMenu } from './domain-menu.ts';
import { DomainStateBadge } from './domain-state-badge.tsx';
import type { DomainRow } from './filter-rows.ts';

const texts = text.domains;

const firstSeen = ({ first_seen_at, installed_at }: DomainRow['domain']) => first_seen_at ?? installed_at;
const seen = (time: string | null): ReactNode => (time === null ? texts.never : <RelativeTime time={time} />);

/** In narrow windows, the color of the Environment is beside the host instead of in a column. */
export function useDomainColumns(dialogs: DomainDialogs, isNarrow: boolean): TableColumn<DomainRow>[] {
  const menuOf = useDomainMenu(dialogs);
  const { columns } = texts;
  const all: TableColumn<DomainRow>[] = [
    {
      id: 'host',
      label: columns.host,
      width: '1.6fr',
      minWidth: isNarrow ? 130 : 180,
      canSort: true,
      render: ({ domain, environment }) => (
        <span className="flex min-w-0 items-center gap-1.5">
          {isNarrow && <EnvironmentMark environment={environment} />}
          <span dir="ltr" title={domain.host} className="truncate">
            {domain.host}
          </span>
          {domain.enabled === 'subdomain' && (
            <span className="shrink-0 text-12 font-normal text-soft @max-xl:hidden">{texts.withSubdomains}</span>
          )}
        </span>
      ),
    },
    {
      id: 'state',
      label: columns.state,
      width: isNarrow ? 64 : 126,
      canSort: true,
      render: ({ state }) => <DomainStateBadge state={state} isCompact={isNarrow} />,
    },
    {
      id: 'environment',
      label: columns.environment,
      width: '1.1fr',
      minWidth: 150,
      canSort: true,
      isSecondary: true,
      render: ({ environment }) => <EnvironmentBadge environment={environment} />,
    },
    {
      id: 'live',
      label: columns.live,
      width: 72,
      align: 'end',
      canSort: true,
      isSecondary: true,
      render: ({ live, state }) =>
        state === 'on' ? <span title={texts.liveHere(live)}>{formatNumber(live)}</span> : '–',
    },
    {
      id: 'first',
      label: columns.first,
      width: 132,
      canSort: true,
      isSecondary: true,
      render: ({ domain }) => seen(firstSeen(domain)),
    },
    {
      id: 'last',
      label: columns.last,
      width: 132,
      canSort: true,
      isSecondary: true,
      render: ({ domain }) => seen(domain.last_seen_at),
    },
    {
      id: 'changed',
      label: columns.changed,
      width: '1.1fr',
      minWidth: 150,
      canSort: true,
      isSecondary: true,
      render: ({ domain, update }) =>
        update ? (
          <>
            <RelativeTime time={update.updated_at} />
            {update.user && (
              <>
                {' · '}
                <bdi>{update.user.name}</bdi>
              </>
            )}
          </>
        ) : firstSeen(domain) !== null ? (
          texts.byPage
        ) : (
          '–'
        ),
    },
    {
      id: 'actions',
      label: columns.actions,
      isLabelHidden: true,
      width: 52,
      align: 'end',
      render: ({ domain }) => <ActionsMenu label={texts.actionsOf(domain.host)} groups={menuOf(domain)} />,
    },
  ];
  return isNarrow ? all.filter(({ id }) => id !== 'environment') : all;
}
