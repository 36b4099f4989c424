import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const texts = text.segments;

export function useSegmentUses(id: string) {
  return useQuery({ ...query('GET /v3/analyze/segments/{id}/uses', { id }), staleTime: 0 });
}

/** The Experiences that use a Segment, with links. */
export function SegmentUses({ id }: { id: string }) {
  const { can } = useSession();
  const { data } = useSegmentUses(id);
  if (!data) return <Skeleton height={40} />;
  const { segments, experiences } = data.uses;
  if (segments.length + experiences.length === 0)
    return (
      <p className="text-13 text-soft">
        {texts.unused} <Link href="/app/experiences">{texts.unusedAction}</Link>
      </p>
    );
  return (
    <>
      <ul className="flex flex-col gap-1.5 text-13">
        {experiences.map(({ id, kind, name, is_in_draft }) => (
          <li key={id} className="flex min-w-0 flex-col">
            <Link href={`/app/experiences/${id}/targeting`} className="truncate">
              <bdi>{name}</bdi>
            </Link>
            <span className="text-12 text-soft">
              {texts.kinds[kind]}
              {!is_in_draft && `, ${texts.onlyPublished}`}
            </span>
          </li>
        ))}
        {segments.map(({ id, name }) => (
          <li key={id} className="flex min-w-0 flex-col">
            <Link href={`/app/segments/${id}`} className="truncate">
              <bdi>{name}</bdi>
            </Link>
            <span className="text-12 text-soft">{texts.kinds.segment}</span>
          </li>
        ))}
      </ul>
      {can('edit') && <p className="text-13 text-soft">{texts.liveNote}</p>}
    </>
  );
}
