import {
  AlarmClock,
  CircleCheck,
  Clock,
  Eraser,
  Eye,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  MousePointerClick,
  Play,
  Send,
  SendHorizontal,
  Target,
  Trash2,
  UserRoundPlus,
  X,
} from 'lucide-react';
import type { TimelineEntry } from './timeline-entry.ts';

const icons: Record<TimelineEntry['kind'], LucideIcon> = {
  created: UserRoundPlus,
  cleared: Eraser,
  last_seen: Clock,
  tracked: MousePointerClick,
  displayed: Eye,
  started: Play,
  item_completed: ListChecks,
  completed: CircleCheck,
  exited: X,
  goal: Target,
  snoozed: AlarmClock,
  answered: MessageSquareText,
  delivery_created: Send,
  delivery_triggered: SendHorizontal,
  delivery_removed: Trash2,
};

export function EntryIcon({ kind }: Pick<TimelineEntry, 'kind'>) {
  const Icon = icons[kind];
  return (
    <span aria-hidden className="grid size-7 shrink-0 place-items-center rounded-full bg-hover text-soft">
      <Icon size={16} />
    </span>
  );
}
