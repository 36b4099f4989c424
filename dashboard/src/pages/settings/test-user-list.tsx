import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

const texts = text.account.testUsers;
const LOOK_AGAIN_MS = 1000;

/** Lists the current test users. While users are being marked, it refetches until that is done. */
export function TestUserList({ patterns }: { patterns: readonly string[] }) {
  const list = query('GET /v3/analyze/test_users');
  const { data, error } = useQuery({
    ...list,
    // The key contains the patterns, because other patterns have other test users.
    queryKey: [...list.queryKey, patterns],
    refetchInterval: ({ state }) => (state.data?.test_users.marking ? LOOK_AGAIN_MS : false),
  });
  if (error && !data) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton height={44} />;
  const { count, sample, marking } = data.test_users;
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-4 text-13">
      <p role="status" className="font-medium">
        {marking ? texts.marking(formatNumber(count)) : texts.count(formatNumber(count), count)}
      </p>
      {sample.length > 0 && (
        <ul aria-label={texts.sample} className="text-soft">
          {sample.map(({ id, uid, email, name }) => (
            <li key={id} className="flex min-w-0 flex-wrap gap-x-2">
              <bdi className="min-w-0 break-words text-ink">{name ?? email ?? uid}</bdi>
              {name !== null && <bdi className="min-w-0 break-words">{email ?? uid}</bdi>}
            </li>
          ))}
          {count > sample.length && <li>{texts.more(formatNumber(count - sample.length))}</li>}
        </ul>
      )}
    </div>
  );
}
