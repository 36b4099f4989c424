import type { Place } from '../../api/domains.ts';
import * as text from '../../messages/text.ts';
import { Notice } from '../../ui/notice.tsx';
import { liveOn } from './domain-state.ts';

interface EffectProps {
  places: readonly Place[];
  host: string;
  environmentId: string | null;
  hasEnvironments: boolean;
}

/** What users of a domain see once it is on. */
export function Effect({ places, host, environmentId, hasEnvironments }: EffectProps) {
  const { effect } = text.domains;
  const count = liveOn(places, { host, url_group_id: environmentId }).length;
  return (
    <div aria-live="polite">
      <Notice kind={count > 0 ? 'warning' : 'info'}>
        {effect.on(count)}
        {hasEnvironments && environmentId === null && ` ${effect.noEnvironment}`}
      </Notice>
    </div>
  );
}
