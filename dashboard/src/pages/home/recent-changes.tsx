import { useQuery } from '@tanstack/react-query';
import { History, Package } from 'lucide-react';
import { useMemo } from 'react';
import { changesQuery, liveQuery } from '../../api/home-queries.ts';
import { query } from '../../api/queries.ts';
import { sampleDataQuery } from '../../api/sample-data.ts';
import { useSession } from '../../api/session.ts';
import * as text from '../../messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type ChangeGroup, describeChanges, type Source } from './describe-changes.ts';
import { NameLink } from './name-link.tsx';
import { Panel, PanelEmpty, RowSkeletons } from './panel.tsx';
import { useRememberedRows } from './remembered-rows.ts';

const MAX_ROWS = 8;

const { changes: words } = text.home;

/** Who did what to which Experience, in sentences. */
export function RecentChanges({ className }: { className?: string }) {
  const { data, error } = useQuery(changesQuery);
  const { data: sample, isPending } = useQuery(sampleDataQuery);
  const groups = useMemo(() => {
    if (!data || isPending) return undefined;
    return describeChanges(data.changes, sample?.sample_data).slice(0, MAX_ROWS);
  }, [data, sample, isPending]);
  const nameOf = useNames(groups ?? []);
  const rows = useRememberedRows('changes', groups?.length, 4);
  return (
    <Panel title={words.title} error={error} {...(className && { className })}>
      {!groups ? (
        <RowSkeletons label={words.title} rows={Math.max(rows, 1)} height={44} />
      ) : groups.length === 0 ? (
        <PanelEmpty icon={<History size={16} />} title={words.empty}>
          {words.emptyHelp}
        </PanelEmpty>
      ) : (
        <ul className="flex flex-col pb-2">
          {groups.map((group) => (
            <ChangeRow key={group.id} group={group} name={nameOf(group)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ChangeRow({ group, name }: { group: ChangeGroup; name: string | undefined }) {
  const { user } = useSession();
  if (group.source) return <SourceRow group={group} source={group.source} name={name} />;
  const who = group.user.id === user.id ? words.you : group.user.name || words.somebody;
  return (
    <li className="flex min-h-11 items-center gap-3 px-5 py-1.5">
      <Avatar name={group.user.name || words.somebody} />
      <p className="line-clamp-2 min-w-0 flex-1">
        <bdi className="font-medium">{who}</bdi> {words.verbs[group.verb]} <ChangedName group={group} name={name} />
      </p>
      <span className="shrink-0 text-13 text-soft">
        <RelativeTime time={group.at} />
      </span>
    </li>
  );
}

/** A change that came with the demo or the sample data. No person did it, so neither a name nor a time is shown. */
function SourceRow({ group, source, name }: { group: ChangeGroup; source: Source; name: string | undefined }) {
  return (
    <li className="flex min-h-11 items-center gap-3 px-5 py-1.5">
      <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-full bg-hover text-soft">
        <Package size={16} />
      </span>
      <p className="line-clamp-2 min-w-0 flex-1">
        <ChangedName group={group} name={name} /> {words.sources[source]}
      </p>
    </li>
  );
}

/** The name of a changed Experience, as a link unless it was deleted. */
function ChangedName({ group: { experienceId, verb }, name }: { group: ChangeGroup; name: string | undefined }) {
  if (name === undefined) return words.gone;
  if (verb === 'deleted') return <bdi className="font-medium">“{name}”</bdi>;
  return (
    <NameLink id={experienceId} className="font-medium">
      {`“${name}”`}
    </NameLink>
  );
}

/**
 * Finds the names of Experiences. It asks the server only for names that neither the Changes nor the live Experiences
 * have.
 */
function useNames(groups: readonly ChangeGroup[]) {
  const { data: live } = useQuery(liveQuery);
  const known = new Map(live?.live.map(({ id, name }) => [id, name]));
  const isUnknown = live !== undefined && groups.some(({ experienceId, name }) => !name && !known.has(experienceId));
  const { data } = useQuery({ ...query('GET /v3/edit/experiences', { limit: 100 }), enabled: isUnknown });
  for (const { id, name } of data?.experiences ?? []) known.set(id, name);
  return ({ experienceId, name }: ChangeGroup) => name ?? known.get(experienceId);
}
