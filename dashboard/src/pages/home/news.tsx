import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Sparkle, TrendingDown, TrendingUp } from 'lucide-react';
import { useEffect } from 'react';
import { type ResponseOf, sendLast } from '../../api/api.ts';
import { liveQuery, newsQuery } from '../../api/home-queries.ts';
import * as text from '../../messages/text.ts';
import { Link } from '../../ui/link.tsx';
import { describeNews, formatNewsDay, hrefOfChange, hrefOfNews } from './describe-news.ts';
import { Panel, PanelEmpty, RowSkeletons } from './panel.tsx';
import { useRememberedRows } from './remembered-rows.ts';

type NewsEntry = ResponseOf<'GET /v3/analyze/news'>['news'][number];

const words = text.news;

/** What changed since the person was on Home, in sentences. An account without anything live has no news. */
export function News() {
  const { data, error } = useQuery(newsQuery);
  const { data: live } = useQuery(liveQuery);
  useLeaveHome();
  const entries = data?.news;
  const rows = useRememberedRows('news', entries?.length, 0);
  if (live?.counts.live === 0 && !entries?.length && !error) return null;
  return (
    <Panel title={words.title} error={error} aside={data && words.since(formatNewsDay(data.since))}>
      {!entries ? (
        <RowSkeletons label={words.title} rows={Math.max(rows, 1)} height={52} />
      ) : entries.length === 0 ? (
        <PanelEmpty icon={<TrendingUp size={16} />} title={words.empty(formatNewsDay(data.since))}>
          {words.emptyHelp}
        </PanelEmpty>
      ) : (
        <ul className="flex flex-col pb-2">
          {entries.map((entry) => (
            <NewsRow key={`${entry.type} ${entry.target.id}`} entry={entry} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Tells the server when Home is left, also by closing the tab, so that the next news begin there. */
function useLeaveHome(): void {
  useEffect(() => {
    // If it cannot be sent, the same news show again.
    const leave = () => void sendLast('POST /v3/session/home_visits', {}).catch(() => undefined);
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
}

function NewsRow({ entry }: { entry: NewsEntry }) {
  const { Icon, look, label } = markOf(entry);
  const change = hrefOfChange(entry);
  return (
    <li className="flex items-start gap-3 border-t border-line/60 px-5 py-3 first:border-0 first:pt-1">
      <span className={`pt-0.5 ${look}`}>
        <Icon size={16} aria-hidden />
        <span className="sr-only">{label}</span>
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="wrap-anywhere">{describeNews(entry)}</p>
        <p className="flex flex-wrap gap-x-3 text-12">
          <Link href={hrefOfNews(entry)}>{words.details[entry.type]}</Link>
          {change && <Link href={change}>{words.showChange}</Link>}
        </p>
      </div>
    </li>
  );
}

function markOf({ type, before, after }: NewsEntry) {
  if (type === 'step_failing') return { Icon: CircleAlert, look: 'text-bad', label: words.problem };
  if (type !== 'changed' || !before || !after) return { Icon: Sparkle, look: 'text-accent', label: words.fact };
  return after.value > before.value
    ? { Icon: TrendingUp, look: 'text-good', label: words.rise }
    : { Icon: TrendingDown, look: 'text-warn', label: words.fall };
}
