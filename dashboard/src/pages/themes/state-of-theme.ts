import type { Theme } from '@usher/domain';
import type { State } from '../../ui/state-badge.tsx';

export function stateOfTheme({ published_at, has_unpublished_changes }: Theme): State {
  if (published_at === null) return 'draft';
  return has_unpublished_changes ? 'changed' : 'live';
}
