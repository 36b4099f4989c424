import { useInfiniteQuery } from '@tanstack/react-query';
import type { ExperienceKind } from '@usher/domain/kinds';
import { api, type ResponseOf } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { formatDateTime, formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const texts = text.goals.results;
const OPERATION = 'GET /v3/analyze/{kind}/{id}/goals/people';
const PER_PAGE = 50;

/** The Experience and the days that the numbers are about. */
export interface GoalRange {
  kind: `${ExperienceKind}s`;
  id: string;
  from: string;
  until: string;
}

type Person = ResponseOf<typeof OPERATION>['people'][number];

interface GoalPeopleProps {
  of: GoalRange;
  opened: { goal_id?: string; name: string };
  onClose: () => void;
}

/** The people behind a number of the goals. */
export function GoalPeople({ of, opened, onClose }: GoalPeopleProps) {
  const { goal_id, name } = opened;
  const params = { ...of, limit: PER_PAGE, ...(goal_id !== undefined && { goal_id }) };
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: keyOf('kinds', OPERATION, params),
    queryFn: ({ pageParam }) => api(OPERATION, { ...params, ...(pageParam !== '' && { before: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor.before ?? undefined,
  });
  const people = data?.pages.flatMap((page) => page.people);
  return (
    <Dialog isOpen onClose={onClose} title={texts.list(name)} size="medium">
      <ErrorNotice error={error} />
      {!people && !error && <Skeleton height={160} />}
      {people?.length === 0 && !hasNextPage && <p className="text-14 text-soft">{texts.nobody}</p>}
      <ul className="flex flex-col empty:hidden">
        {people?.map((person) => (
          <PersonRow key={person.profile.id} person={person} />
        ))}
      </ul>
      {hasNextPage && (
        <Button isPending={isFetching} onPress={() => fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </Dialog>
  );
}

function PersonRow({ person }: { person: Person }) {
  const { profile, first_seen_at, met_at, value } = person;
  const times = [
    texts.seenAt(formatDateTime(new Date(first_seen_at))),
    ...(met_at === null ? [] : [texts.metAt(formatDateTime(new Date(met_at)))]),
  ];
  return (
    <li className="flex items-baseline justify-between gap-3 border-line border-t py-2 first:border-t-0">
      <span className="min-w-0">
        <Link href={`/app/people/${profile.id}`}>
          <bdi>{profile.name ?? profile.email ?? profile.uid}</bdi>
        </Link>
        <span className="block text-13 text-soft">{times.join(', ')}</span>
      </span>
      {value !== null && <span className="text-14 tabular-nums">{formatNumber(value)}</span>}
    </li>
  );
}
