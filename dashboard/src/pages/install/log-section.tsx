import { CircleAlert, CircleCheck, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Entry } from '../../api/installation.ts';
import { useSession } from '../../api/session.ts';
import { Section } from '../../app/page.tsx';
import { deviceName } from '../../messages/device-name.ts';
import * as text from '../../messages/text.ts';
import { cx } from '../../ui/cx.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

const { log } = text.install;

const outcomes: Record<Entry['outcome'], { icon: LucideIcon; look: string }> = {
  accepted: { icon: CircleCheck, look: 'text-good' },
  partly: { icon: TriangleAlert, look: 'text-warn' },
  rejected: { icon: CircleAlert, look: 'text-bad' },
};

/** What pages do at the moment, the newest first. */
export function LogSection({ entries }: { entries: readonly Entry[] }) {
  const { can } = useSession();
  return (
    <Section title={log.title} intro={log.intro}>
      <Announcement entries={entries} />
      {entries.length === 0 ? (
        <p className="rounded-6 border border-dashed border-line px-3 py-6 text-center text-14 text-soft">
          {can('edit') ? log.empty : log.emptyForReaders}
        </p>
      ) : (
        <ul
          aria-label={log.list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="-mx-2 flex max-h-100 flex-col divide-y divide-line overflow-y-auto px-2 focus-visible:-outline-offset-2"
        >
          {entries.map((entry) => (
            <LogEntry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function LogEntry({ entry }: { entry: Entry }) {
  const { created_at, host, path, uid, user_agent, fields, outcome, messages } = entry;
  const { icon: Icon, look } = outcomes[outcome];
  return (
    <li className="flex gap-2.5 py-2 text-13">
      <Icon size={16} aria-label={log.outcomes[outcome]} className={cx('mt-0.5 shrink-0', look)} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex min-w-0 gap-x-2">
          <span className="max-w-1/2 shrink-0 truncate font-medium">{titleOf(entry)}</span>
          <bdi title={uid ?? ''} className={cx('truncate', uid === null && 'text-soft')}>
            {uid ?? log.nobody}
          </bdi>
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-2 text-soft">
          <span title={path ?? ''} className="max-w-full truncate">
            {host}
            {path}
          </span>
          <span>{deviceName(user_agent)}</span>
          {fields.length > 0 && <span title={fields.join(', ')}>{log.fields(fields.length)}</span>}
        </p>
        {messages.map((message) => (
          <p key={message} className={look}>
            {message.replaceAll('`', '')}
          </p>
        ))}
      </div>
      <span className="shrink-0 text-12 text-soft">
        <RelativeTime time={created_at} />
      </span>
    </li>
  );
}

function titleOf({ kind, name }: Entry): string {
  return kind === 'event' ? log.kinds.event(name ?? '') : log.kinds[kind];
}

/** Announces only the newest entry to screen readers, at most once for each request. */
function Announcement({ entries }: { entries: readonly Entry[] }) {
  const lastId = useRef(entries[0]?.id ?? '');
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const added = entries.filter(({ id }) => id > lastId.current);
    const [newest] = added;
    if (!newest) return;
    lastId.current = newest.id;
    const words = [titleOf(newest), newest.uid ?? log.nobody, newest.host ?? '', log.outcomes[newest.outcome]];
    setAnnounced(log.announce(added.length, words.join(', ')));
  }, [entries]);
  return (
    <p aria-live="polite" className="sr-only">
      {announced}
    </p>
  );
}
