import type { ListedExperience } from '@usher/domain';
import { useIsNowhere } from '../api/attention.ts';
import { formatDateTime } from '../messages/format.ts';
import { type State, StateBadge } from '../ui/state-badge.tsx';

type WithState = Pick<ListedExperience, 'id' | 'state' | 'paused_at' | 'has_unpublished_changes' | 'published_at'>;

/** The state of an Experience: always the same word, color and icon. */
export function ShownState({ experience, isShort = false }: { experience: WithState; isShort?: boolean }) {
  const { state, published_at } = experience;
  const time = state === 'scheduled' && published_at ? formatDateTime(new Date(published_at)) : undefined;
  const isNowhere = useIsNowhere(experience.id) && state === 'live';
  return (
    <StateBadge
      state={isNowhere ? 'nowhere' : stateOf(experience)}
      isShort={isShort}
      {...(time !== undefined && { time })}
    />
  );
}

function stateOf({ state, paused_at, has_unpublished_changes }: WithState): State {
  if (state === 'draft' && paused_at !== null) return 'paused';
  return state === 'live' && has_unpublished_changes ? 'changed' : state;
}
