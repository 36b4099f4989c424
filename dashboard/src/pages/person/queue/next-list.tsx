import { Eye, type LucideIcon, Play, Redo2, Send } from 'lucide-react';
import * as text from '../../../messages/text.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { QueuePart, QueueRow } from './queue-row.tsx';
import type { Queue } from './use-queue.ts';

const texts = text.queue;
type Why = Queue['next'][number]['why'];

const looks: Record<Why, { tone: Tone; icon: LucideIcon }> = {
  delivery: { tone: 'accent', icon: Send },
  in_progress: { tone: 'good', icon: Redo2 },
  automatic: { tone: 'good', icon: Play },
  always: { tone: 'neutral', icon: Eye },
};

interface NextListProps {
  next: Queue['next'];
  isNothingLive: boolean;
  /** Whether the page itself is the reason why nothing shows, which is said elsewhere. */
  hasProblem: boolean;
}

/** The Experiences that show on the page, in their order. */
export function NextList({ next, isNothingLive, hasProblem }: NextListProps) {
  return (
    <QueuePart title={texts.next.title}>
      {next.length === 0 && (
        <p className="text-14 text-soft">
          {isNothingLive ? texts.next.nothingLive : hasProblem ? texts.next.noneHere : texts.next.none}
        </p>
      )}
      {next.length > 0 && (
        <ol className="flex flex-col divide-y divide-line">
          {next.map(({ experience, delivery_id, why }, index) => (
            <QueueRow
              key={delivery_id ?? experience.id}
              experience={experience}
              // An Experience that always shows is beside the others, so it has no number.
              place={why === 'always' ? null : index + 1}
              aside={<Badge {...looks[why]}>{texts.why[why]}</Badge>}
            >
              {texts.whyHelp[why]}
            </QueueRow>
          ))}
        </ol>
      )}
    </QueuePart>
  );
}
