import type { ListedExperience } from '@usher/domain';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { EnvironmentBadge } from '../../../app/environment-badge.tsx';
import { isOfDemo } from '../../../experiences/is-of-demo.ts';
import { ShownState } from '../../../experiences/shown-state.tsx';
import { ManagedIcon } from '../../../files/managed-notice.tsx';
import { ExperienceSketch } from '../../../kinds/experience-sketch.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { useSketchColors } from '../../../themes/use-sketch-colors.ts';
import { Badge } from '../../../ui/badge.tsx';
import { TrendLine } from '../../../ui/chart/trend-line.tsx';
import { CompactNumber } from '../../../ui/compact-number.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type TableColumn, TwoLines } from '../../../ui/table.tsx';
import type { ListNames } from './use-list-names.ts';

const texts = text.experiences;
const { columns: labels } = texts;
type ListColumn = TableColumn<ListedExperience>;

/** In narrow windows, the state is below the name instead of in a column. */
export function listColumns(names: ListNames, isNarrow: boolean): ListColumn[] {
  const name: ListColumn = {
    id: 'name',
    label: labels.name,
    // People look for names, so names get most of the room.
    width: '2fr',
    minWidth: isNarrow ? 120 : 240,
    render: (one) => (
      <Name
        experience={one}
        isNarrow={isNarrow}
        isManaged={names.managed.has(one.id)}
        failing={names.failing.filter(({ experience_id }) => experience_id === one.id).length}
      />
    ),
  };
  if (isNarrow) return [name];
  return [
    name,
    { id: 'state', label: labels.state, width: 148, render: (one) => <ShownState experience={one} isShort /> },
    // A launcher or tooltip is displayed before somebody starts it. Home counts these people too.
    numberColumn('seen', ({ stats }) => Math.max(stats.displayed_count, stats.started_count)),
    numberColumn('completed', ({ stats }) => stats.completed_count),
    {
      id: 'trend',
      label: labels.trend,
      width: 80,
      isSecondary: true,
      render: ({ trend = [] }) => <TrendLine counts={trend} label={text.experiences.trend(formatNumber(sum(trend)))} />,
    },
    ...nameColumns(names),
  ];
}

interface NameProps {
  experience: ListedExperience;
  isNarrow: boolean;
  /** Whether it is kept as a file. */
  isManaged: boolean;
  /** How many steps fail. */
  failing: number;
}

function Name({ experience, isNarrow, isManaged, failing }: NameProps) {
  const { kind, name, sketch } = experience;
  const colors = useSketchColors(sketch);
  return (
    <span className="flex min-w-0 items-center gap-3" title={name}>
      <ExperienceSketch experience={experience} colors={colors} {...(isNarrow && { className: 'h-8 w-12' })} />
      <TwoLines
        // A long name takes two of the three lines that a row has room for.
        first={
          <bdi className={isNarrow ? 'truncate' : 'line-clamp-2 leading-4 wrap-anywhere whitespace-normal'}>{name}</bdi>
        }
        second={
          <span className="flex min-w-0 items-center gap-2">
            <span className={isNarrow || failing > 0 ? 'sr-only' : ''}>{texts.kinds[kind]}</span>
            {isNarrow && <ShownState experience={experience} isShort />}
            {isManaged && <ManagedIcon />}
            {failing > 0 && <Failing steps={failing} isShort={isNarrow} />}
          </span>
        }
      />
    </span>
  );
}

function Failing({ steps, isShort }: { steps: number; isShort: boolean }) {
  const { inList, inListShort } = text.failingSteps;
  return (
    <span className="flex min-w-0 items-center gap-1 text-12 text-warn">
      <TriangleAlert size={14} aria-hidden className="shrink-0" />
      <span className="truncate">{isShort ? inListShort(steps) : inList(steps)}</span>
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
    render: (one) => <CompactNumber value={read(one)} />,
  };
}

function nameColumns(names: ListNames): ListColumn[] {
  return [
    {
      id: 'audience',
      label: labels.audience,
      width: '1.5fr',
      minWidth: 168,
      isSecondary: true,
      render: (one) => <Stacked first={showEnvironments(one, names)} second={showSegments(one, names)} />,
    },
    {
      id: 'changed',
      label: labels.changed,
      // A date of another year fits into this width.
      width: 128,
      isSecondary: true,
      render: (one) =>
        isOfDemo(one, one.updated_at) ? (
          <span className="line-clamp-2 leading-4 whitespace-normal">{text.home.changes.sources.demo}</span>
        ) : (
          <Stacked
            first={<RelativeTime time={one.updated_at} />}
            second={one.changed_by && <bdi title={one.changed_by.name}>{texts.by(one.changed_by.name)}</bdi>}
          />
        ),
    },
    {
      id: 'tags',
      label: labels.tags,
      width: '1fr',
      minWidth: 116,
      isSecondary: true,
      render: ({ tag_ids }) => (
        <Several
          items={names.tags
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

function showEnvironments({ url_group_ids }: ListedExperience, { environments }: ListNames): ReactNode {
  if (url_group_ids.length === 0) return texts.everywhere;
  const shown = environments.filter(({ id }) => url_group_ids.includes(id));
  return <Several items={shown.map((one) => [one.name, <EnvironmentBadge key={one.id} environment={one} />])} />;
}

function showSegments(experience: ListedExperience, { segments }: ListNames): ReactNode {
  const { segment_ids, excluded_segment_ids } = experience;
  if (segment_ids.length + excluded_segment_ids.length === 0) return texts.everybody;
  const namesOf = (ids: readonly string[]) =>
    ids.flatMap((id) => segments.find((segment) => segment.id === id)?.name ?? []);
  const shown = [...namesOf(segment_ids), ...namesOf(excluded_segment_ids).map(texts.without)];
  return <Several items={shown.map((name) => [name, <bdi key={name}>{name}</bdi>])} />;
}

/** Two small lines, which fit into a row of the usual height. */
function Stacked({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col leading-4">
      <span className="truncate">{first}</span>
      <span className="truncate text-12 leading-4">{second}</span>
    </span>
  );
}

/**
 * The first of several items, and how many more there are. The others are in the tooltip, and screen readers read all.
 */
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

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
