import type { ReactNode } from 'react';
import type { Domain } from '../../api/domains.ts';
import { EnvironmentBadge } from '../../app/environment-badge.tsx';
import * as text from '../../messages/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { domainState, liveOn } from './domain-state.ts';
import { DomainStateBadge } from './domain-state-badge.tsx';
import { PlaceList } from './move-effect-list.tsx';
import type { DomainData } from './use-domain-data.ts';

/** What shows on a domain now, and when it was seen. */
export function DetailsDialog({ domain, data, onClose }: { domain: Domain; data: DomainData; onClose: () => void }) {
  const { columns, detailsDialog: texts, never, withSubdomains } = text.domains;
  const state = domainState(domain);
  const live = liveOn(data.places, domain);
  const time = (value: string | null) => (value === null ? never : <RelativeTime time={value} />);
  return (
    <Dialog isOpen onClose={onClose} title={domain.host} size="medium">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-13">
        <Detail label={columns.state}>
          <DomainStateBadge state={state} />
          {domain.enabled === 'subdomain' && <span className="ml-2 text-soft">{withSubdomains}</span>}
        </Detail>
        <Detail label={columns.environment}>
          <EnvironmentBadge environment={data.environmentOf(domain)} />
        </Detail>
        <Detail label={texts.installed}>{time(domain.installed_at)}</Detail>
        <Detail label={columns.first}>{time(domain.first_seen_at)}</Detail>
        <Detail label={columns.last}>{time(domain.last_seen_at)}</Detail>
      </dl>
      <section className="flex flex-col gap-2">
        <h3 className="text-13 font-medium">{texts.live}</h3>
        {state === 'archived' && <p className="text-13 text-soft">{texts.archived}</p>}
        {(state === 'off' || state === 'new') && live.length > 0 && <p className="text-13 text-soft">{texts.off}</p>}
        {live.length === 0 ? (
          <p className="text-13 text-soft">{texts.none}</p>
        ) : (
          state !== 'archived' && <PlaceList places={live} />
        )}
      </section>
    </Dialog>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className="flex min-w-0 items-center">{children}</dd>
    </>
  );
}
