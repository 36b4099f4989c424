import { useQuery } from '@tanstack/react-query';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { Section } from '../../../app/page.tsx';
import { useIsReachable } from '../../../app/reachable-paths.ts';
import * as text from '../../../messages/text.ts';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

const texts = text.person.segments;

/** Which Segments the person is in now. */
export function Segments({ personId }: { personId: string }) {
  const { data, error } = useQuery(query('GET /v3/edit/profiles/{id}/segments', { id: personId }));
  return (
    <Section title={texts.title}>
      {!data && !error && (
        <div role="status" aria-label={text.ui.loading(texts.title)}>
          <Skeleton height={20} width="70%" />
        </div>
      )}
      {!data && <ErrorNotice error={error} />}
      {data?.segments.length === 0 && <p className="text-14">{texts.none}</p>}
      {data && data.segments.length > 0 && (
        <ul className="flex max-h-80 flex-col gap-1.5 overflow-auto text-14">
          {data.segments.map((segment) => (
            <li key={segment.id}>
              <SegmentName {...segment} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function SegmentName({ id, name }: { id: string; name: string }) {
  const isReachable = useIsReachable();
  const said = <bdi className="wrap-anywhere">{name}</bdi>;
  return isReachable('/app/segments/:id') ? <Link href={`/app/segments/${id}`}>{said}</Link> : said;
}
