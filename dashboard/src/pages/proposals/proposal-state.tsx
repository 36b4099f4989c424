import type { ResponseOf } from '../../api/api.ts';
import * as text from '../../messages/text.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

const { states, by, byPerson } = text.proposals;

export type Listed = ResponseOf<'GET /v3/edit/proposals'>['proposals'][number];

const tones: Record<keyof typeof states, Tone> = {
  open: 'accent',
  outdated: 'warn',
  approved: 'good',
  rejected: 'neutral',
};

export function ProposalState({
  proposal: { state, is_outdated },
}: {
  proposal: Pick<Listed, 'state' | 'is_outdated'>;
}) {
  const shown = is_outdated ? 'outdated' : state;
  return <Badge tone={tones[shown]}>{states[shown]}</Badge>;
}

/** Which secret made a proposal, and for whom. */
export function describeMaker({ secret, user }: Pick<Listed, 'secret' | 'user'>): string {
  return secret ? by(secret.name, user.name) : byPerson(user.name);
}
