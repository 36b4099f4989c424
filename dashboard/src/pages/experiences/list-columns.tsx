import type { ListedExperience } from '@usher/domain';
import type { ReactNode } from 'react';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type TableColumn, TwoLines } from '../../ui/table.tsx';
import { isOfDemo } from '../home/is-of-demo.ts';
import { KindIcon } from '../home/kind-icon.tsx';
import { ShownState } from './shown-state.tsx';
import { TrendLine } from './trend-line.tsx';
import type { ListNames } from './use-list-names.ts';

const texts = text.experiences;
const { columns: labels } = texts;
type ListColumn = TableColumn<ListedExperience>;

/** Where it is narrow, the state is under the name instead of in a column. */
export function listColumns(names: ListNames, isNarrow: boolean): ListColumn[] {
  const name: ListColumn = {
    id: 'name',
    label: labels.name,
    // Names are what people look for, so they get most of the room.
    width: '3fr',
    minWidth: isNarrow ? 120 : 240,
    render: (one) => <Name experience={one} isNarrow={isNarrow} />,
  };
  if (isNarrow) return [name];
  return [
    name,
    { id: 'state', label: labels.state, width: 124, render: (one) => <ShownState experience={one} /> },
    // A launcher or tooltip is displayed before somebody starts it. Home counts those people, too.
    numberColumn('seen', ({ stats }) => Math.max(stats.displayed_count, stats.started_count)),
    numberColumn('completed', ({ stats }) => stats.completed_count),
    {
      id: 'trend',
      label: labels.trend,
      width: 84,
      isSecondary: true,
      render: ({ trend = [] }) => <TrendLine counts={trend} />,
    },
    ...nameColumns(names),
  ];
}

function Name({ experience, isNarrow }: { experience: ListedExperience; isNarrow: boolean }) {
  const { kind, name } = experience;
  const shown = <bdi className="truncate">{name}</bdi>;
  return (
    <span className="flex min-w-0 items-center gap-2.5" title={name}>
      <KindIcon kind={kind} />
      <span className="sr-only">{texts.kinds[kind]}</span>
      {isNarrow ? <TwoLines first={shown} second={<ShownState experience={experience} />} /> : shown}
    </span>
  );
}

function numberColumn(id: 'seen' | 'completed', read: (one: ListedExperience) => number): ListColumn {
  return {
    id,
    label: labels[id],
    width: id === 'seen' ? 70 : 88,
    align: 'end',
    isSecondary: true,
    render: (one) => formatNumber(read(one)),
  };
}

function nameColumns({ environments, segments, tags }: ListNames): ListColumn[] {
  const nameOf = (list: readonly { id: string; name: string }[], id: string) => list.find((one) => one.id === id)?.name;
  return [
    {
      id: 'environments',
      label: labels.environments,
      width: '1fr',
      minWidth: 104,
      isSecondary: true,
      render: ({ url_group_ids }) =>
        url_group_ids.length === 0 ? (
          texts.everywhere
        ) : (
          <Several
            items={environments
              .filter(({ id }) => url_group_ids.includes(id))
              .map((one) => [one.name, <EnvironmentBadge key={one.id} environment={one} />])}
          />
        ),
    },
    {
      id: 'changed',
      label: labels.changed,
      width: '1fr',
      minWidth: 114,
      isSecondary: true,
      render: (one) =>
        isOfDemo(one, one.updated_at) ? (
          text.home.changes.sources.demo
        ) : (
          <>
            <RelativeTime time={one.updated_at} /> {one.changed_by && <bdi>{texts.by(one.changed_by.name)}</bdi>}
          </>
        ),
    },
    {
      id: 'segments',
      label: labels.segments,
      width: '1fr',
      minWidth: 98,
      isSecondary: true,
      render: ({ segment_ids, excluded_segment_ids }) => {
        const shown = [
          ...segment_ids.flatMap((id) => nameOf(segments, id) ?? []),
          ...excluded_segment_ids.flatMap((id) => nameOf(segments, id) ?? []).map(texts.without),
        ];
        if (segment_ids.length + excluded_segment_ids.length === 0) return texts.everybody;
        return <Several items={shown.map((name) => [name, <bdi key={name}>{name}</bdi>])} />;
      },
    },
    {
      id: 'tags',
      label: labels.tags,
      width: '1fr',
      minWidth: 92,
      isSecondary: true,
      render: ({ tag_ids }) => (
        <Several
          items={tags
            .filter(({ id }) => tag_ids.includes(id))
            .map(({ id, name }) => [
              name,
              <Badge key={id}>
                <bdi>{name}</bdi>
              </Badge>,
            ])}
        />
      ),
    },
  ];
}

/** The first of several, and how many more there are. The others are in the tooltip, and screen readers read all. */
function Several({ items }: { items: readonly [name: string, shown: ReactNode][] }) {
  const [first, ...others] = items;
  if (!first) return null;
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={items.map(([name]) => name).join(', ')}>
      <span className="min-w-0 truncate">{first[1]}</span>
      {others.length > 0 && (
        <>
          <span aria-hidden className="shrink-0 text-12">
            +{others.length}
          </span>
          <span className="sr-only">{others.map(([name]) => name).join(', ')}</span>
        </>
      )}
    </span>
  );
}
