import { useInfiniteQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain/kinds';
import type { ParamsOf } from '../../../api/api.ts';
import { listQuery } from '../../../api/list.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { useIsReachable } from '../../../app/reachable-paths.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { Question } from './describe-results.ts';

const texts = text.results.texts;
const PAGE_SIZE = 20;
type StepsPath = ParamsOf<'GET /v3/analyze/{kind}/{id}/steps/{step_id}/texts'>['kind'];

interface TextsProps {
  experience: ShownExperience;
  question: Question;
  range: Range;
}

/** What people wrote to a question, newest first, page by page. */
export function Texts({ experience, question, range }: TextsProps) {
  const list = useInfiniteQuery(
    listQuery('GET /v3/analyze/{kind}/{id}/steps/{step_id}/texts', {
      ...{ kind: pathOfKind(experience.kind) as StepsPath, id: experience.id, step_id: question.id, limit: PAGE_SIZE },
      ...{ from: range.from, until: range.until },
    }),
  );
  const rows = list.data?.pages.flatMap((page) => page.texts);
  if (list.error) return <ErrorNotice error={list.error} />;
  if (!rows) return <Skeleton height={88} />;
  if (rows.length === 0) return <p className="text-14 text-soft">{texts.none}</p>;
  return (
    <>
      <section
        aria-label={texts.label(question.label)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        className="relative max-h-96 overflow-y-auto rounded-6 border border-line"
      >
        <ul>
          {rows.map((row) => (
            <li key={row.id} className="flex flex-col gap-1 border-b border-line px-3 py-2.5 last:border-b-0">
              <p dir="auto" className="text-14 whitespace-pre-wrap">
                {row.text}
              </p>
              <p className="flex flex-wrap items-center gap-x-2 text-12 text-soft">
                {row.score !== null && <Badge tone="accent">{texts.score(formatNumber(row.score))}</Badge>}
                <Author profile={row.profile} />
                {row.profile.test && <Badge>{text.account.testUsers.badge}</Badge>}
                {row.answer !== null && <bdi>{texts.answered(row.answer)}</bdi>}
                <RelativeTime time={row.created_at} />
              </p>
            </li>
          ))}
        </ul>
      </section>
      <div className="flex items-center gap-3">
        {list.hasNextPage && (
          <Button size="small" isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
            {texts.more}
          </Button>
        )}
        <p role="status" className="text-12 text-soft">
          {texts.count(formatNumber(rows.length), rows.length === 1, list.hasNextPage)}
        </p>
      </div>
    </>
  );
}

interface Profile {
  id: string;
  uid: string;
  email: string | null;
  name: string | null;
}

/** The person who wrote a text, with a link to their page if the dashboard has one. */
function Author({ profile: { id, uid, email, name } }: { profile: Profile }) {
  const said = <bdi>{name ?? email ?? uid}</bdi>;
  const isReachable = useIsReachable();
  return isReachable('/app/people/:id/:tab?') ? (
    <Link href={`/app/people/${id}`}>{said}</Link>
  ) : (
    <span className="text-ink">{said}</span>
  );
}
