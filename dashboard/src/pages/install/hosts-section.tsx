import type { Host } from '../../api/installation.ts';
import { useSession } from '../../api/session.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TurnOnButton } from './turn-on-button.tsx';

const { check, hosts: texts } = text.install;
const tones: Record<Host['state'], Tone> = { on: 'good', off: 'warn', archived: 'neutral' };
const MAX_SHOWN = 8;

/** The domains on which pages have loaded the script. */
export function HostsSection({ hosts }: { hosts: readonly Host[] }) {
  const { can } = useSession();
  const loaded = hosts.filter(({ installed_at }) => installed_at !== null).slice(0, MAX_SHOWN);
  if (loaded.length === 0) return null;
  return (
    <Section title={texts.title}>
      <ul className="flex flex-col divide-y divide-line">
        {loaded.map(({ host, url_id, state, environment, last_seen_at }) => (
          <li key={host} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
            <span className="min-w-0 truncate font-medium">{host}</span>
            <Badge tone={tones[state]}>{texts.states[state]}</Badge>
            {environment && <EnvironmentBadge environment={environment} />}
            <span className="ml-auto text-13 text-soft">
              {last_seen_at === null ? check.neverSeen : <RelativeTime time={last_seen_at} />}
            </span>
            {state === 'off' && url_id !== null && can('edit') && (
              <TurnOnButton host={host} urlId={url_id} size="small" />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
