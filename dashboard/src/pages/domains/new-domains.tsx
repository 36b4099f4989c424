import type { Domain } from '../../api/domains.ts';
import { useSession } from '../../api/session.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useChangeDomains } from './use-change-domains.ts';

const MAX_SHOWN = 5;

interface NewDomainsProps {
  domains: readonly Domain[];
  onTurnOn: (domain: Domain) => void;
  onShowAll: () => void;
}

/** Domains that pages have recorded and nobody has decided about yet, the latest first. */
export function NewDomains({ domains, onTurnOn, onShowAll }: NewDomainsProps) {
  const { newly, done } = text.domains;
  const { can } = useSession();
  const change = useChangeDomains();
  if (domains.length === 0) return null;
  return (
    <section aria-labelledby="newly-seen" className="overflow-hidden rounded-10 border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-2 bg-accent-tint px-4 py-3">
        <div className="min-w-0">
          <h2 id="newly-seen" className="text-14 font-semibold">
            {newly.title} · {text.domains.count(domains.length)}
          </h2>
          <p className="text-13 text-soft">{newly.intro}</p>
        </div>
        {domains.length > MAX_SHOWN && (
          <Button size="small" onPress={onShowAll}>
            {newly.showAll(domains.length)}
          </Button>
        )}
      </div>
      <ul>
        {domains.slice(0, MAX_SHOWN).map((domain) => (
          <li
            key={domain.id}
            className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-4 py-1.5"
          >
            <span dir="ltr" title={domain.host} className="min-w-0 flex-1 basis-40 truncate font-medium">
              {domain.host}
            </span>
            <span className="text-13 text-soft">
              {newly.seen} <RelativeTime time={domain.installed_at ?? domain.created_at} />
            </span>
            {can('edit') && (
              <span className="ml-auto flex gap-2">
                <Button
                  size="small"
                  look="quiet"
                  aria-label={newly.ignoreHost(domain.host)}
                  onPress={() => change([domain], { archived_at: new Date().toISOString() }, done.ignored(domain.host))}
                >
                  {newly.ignore}
                </Button>
                <Button size="small" aria-label={newly.turnOn(domain.host)} onPress={() => onTurnOn(domain)}>
                  {text.domains.turnOnMore}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
