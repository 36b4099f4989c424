import { Archive, CircleDot, CircleStop, Clock, type LucideIcon, Pause, PenLine, Radio } from 'lucide-react';
import * as text from '../messages/text.ts';
import { Badge, type Tone } from './badge.tsx';

export type State = 'draft' | 'scheduled' | 'live' | 'changed' | 'paused' | 'ended' | 'archived';

/** Always the same word, color and icon. */
const looks: Record<State, { tone: Tone; icon: LucideIcon }> = {
  draft: { tone: 'neutral', icon: PenLine },
  scheduled: { tone: 'accent', icon: Clock },
  live: { tone: 'good', icon: Radio },
  changed: { tone: 'good', icon: CircleDot },
  paused: { tone: 'warn', icon: Pause },
  ended: { tone: 'neutral', icon: CircleStop },
  archived: { tone: 'neutral', icon: Archive },
};

/** The state of something that users can see. */
export function StateBadge({ state, time }: { state: State; time?: string }) {
  const { tone, icon } = looks[state];
  const word = state === 'scheduled' && time !== undefined ? text.states.scheduledFor(time) : text.states[state];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
