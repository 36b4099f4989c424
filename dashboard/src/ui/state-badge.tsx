import {
  Archive,
  CircleDot,
  CircleStop,
  Clock,
  type LucideIcon,
  Pause,
  PenLine,
  Radio,
  TriangleAlert,
} from 'lucide-react';
import * as text from '../messages/text.ts';
import { Badge, type Tone } from './badge.tsx';

export type State = 'draft' | 'scheduled' | 'live' | 'changed' | 'nowhere' | 'paused' | 'ended' | 'archived';

/** Each state has the same color and icon everywhere. */
const looks: Record<State, { tone: Tone; icon: LucideIcon }> = {
  draft: { tone: 'neutral', icon: PenLine },
  scheduled: { tone: 'accent', icon: Clock },
  live: { tone: 'good', icon: Radio },
  changed: { tone: 'good', icon: CircleDot },
  nowhere: { tone: 'warn', icon: TriangleAlert },
  paused: { tone: 'warn', icon: Pause },
  ended: { tone: 'neutral', icon: CircleStop },
  archived: { tone: 'neutral', icon: Archive },
};

interface StateBadgeProps {
  state: State;
  /** The time at which the Experience goes live. */
  time?: string;
  /** Whether there is little room: the rest of the text is then in a tooltip, and for screen readers. */
  isShort?: boolean;
}

/** The state of something that users can see. */
export function StateBadge({ state, time, isShort = false }: StateBadgeProps) {
  const { tone, icon } = looks[state];
  const word = state === 'scheduled' && time !== undefined ? text.states.scheduledFor(time) : text.states[state];
  const short =
    state === 'changed'
      ? text.states.changedShort
      : state === 'nowhere'
        ? text.states.nowhereShort
        : text.states[state];
  if (!isShort || short === word)
    return (
      <Badge tone={tone} icon={icon}>
        {word}
      </Badge>
    );
  return (
    <span title={word}>
      <Badge tone={tone} icon={icon}>
        <span aria-hidden>{short}</span>
        <span className="sr-only">{word}</span>
      </Badge>
    </span>
  );
}
