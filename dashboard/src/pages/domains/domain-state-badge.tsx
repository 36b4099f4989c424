import { Archive, CircleCheck, CircleOff, type LucideIcon, Sparkles } from 'lucide-react';
import * as text from '../../messages/text.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import type { DomainState } from './domain-state.ts';

const looks: Record<DomainState, { tone: Tone; icon: LucideIcon }> = {
  on: { tone: 'good', icon: CircleCheck },
  off: { tone: 'neutral', icon: CircleOff },
  new: { tone: 'accent', icon: Sparkles },
  archived: { tone: 'neutral', icon: Archive },
};

/** Where there is little room, only screen readers and the tooltip have the word. */
export function DomainStateBadge({ state, isCompact = false }: { state: DomainState; isCompact?: boolean }) {
  const { tone, icon } = looks[state];
  if (isCompact)
    return (
      <span title={text.domains.states[state]}>
        <Badge tone={tone} icon={icon}>
          <span className="sr-only">{text.domains.states[state]}</span>
        </Badge>
      </span>
    );
  return (
    <Badge tone={tone} icon={icon}>
      {text.domains.states[state]}
    </Badge>
  );
}
