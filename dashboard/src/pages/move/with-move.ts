import { keepPreviousData } from '@tanstack/react-query';
import { keyOf } from '../../api/nouns.ts';
import type { Move } from './move-page.tsx';

/**
 * The options of a list that grows while the import runs. The key names how far the move is, so that the list is read after the move that
 * the page shows. A list that is read together with the move can be older: the import may end between the two.
 */
export function withMove<Options extends object>(options: Options, name: string, { state, updated_at }: Move) {
  return { ...options, queryKey: keyOf('move', name, state, updated_at), placeholderData: keepPreviousData };
}
