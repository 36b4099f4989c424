import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { query } from '../../../api/queries.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { Section } from '../../../app/page.tsx';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatDate, formatNumber, formatPercent } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';

const texts = text.results.problems;

/** Lists what people could not see, where and why. Renders nothing if there are no problems. */
export function Problems({ experience, range }: { experience: ShownExperience; range: Range }) {
  const params = { kind: `${experience.kind}s` as const, id: experience.id, from: range.from, until: range.until };
  const { data, error } = useQuery(query('GET /v3/analyze/{kind}/{id}/problems', params));
  if (error) return <ErrorNotice error={error} />;
  if (!data || data.problems.length === 0) return null;
  const placeOf = (step: string) => {
    const at = experience.steps.findIndex(({ id }) => id === step);
    return at < 0
      ? step === experience.id
        ? texts.whole
        : text.results.funnel.removed
      : texts.step(formatNumber(at + 1));
  };
  return (
    <Section title={texts.title} intro={texts.help}>
      <ul className="flex flex-col">
        {data.problems.map(({ step_id, path, reason, users_count, share, browsers, first_seen_at, last_seen_at }) => (
          <li
            key={`${step_id} ${path} ${reason}`}
            className="flex items-start gap-3 border-b border-line py-2.5 first:pt-0 last:border-b-0 last:pb-0"
          >
            <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
            <div className="flex min-w-0 flex-1 flex-col">
              <p className="text-14">
                <bdi className="font-medium">{texts.where(placeOf(step_id), path)}</bdi>
              </p>
              <p className="text-13 text-soft">{texts.reasons[reason] ?? reason}</p>
              <p className="text-12 text-faint">
                {browsers.map((one) => texts.inBrowser(one.browser, formatPercent(one.share))).join(', ')},{' '}
                {texts.since(formatDate(new Date(first_seen_at)))}
              </p>
            </div>
            <p className="shrink-0 text-right text-13 text-soft">
              <span className="tabular-nums">
                {texts.users(formatNumber(users_count), users_count === 1, formatPercent(share))}
              </span>
              <br />
              <RelativeTime time={last_seen_at} />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
