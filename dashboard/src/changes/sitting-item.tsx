import { type NameOf, netChanges } from '@usher/domain/sentences';
import { RotateCcw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../api/session.ts';
import { formatExactTime, formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CapturePairs } from './capture-pairs.tsx';
import { capturesOf } from './captures-of.ts';
import { SentenceList, SentenceValues } from './change-sentences.tsx';
import type { Sitting } from './group-sittings.ts';
import { headlineOf } from './headline-of.ts';
import { sentencesOf } from './sentences.ts';

const texts = text.history;
const MAX_SENTENCES = 6;

interface SittingItemProps {
  sitting: Sitting;
  kind: string;
  nameOf: NameOf;
  isNewest: boolean;
  isLast: boolean;
  isShown: boolean;
  isReverting: boolean;
  onRevert?: () => void;
}

/**
 * The changes of one person in one sitting: one or more sentences, with pictures of the steps whose look has changed.
 */
export function SittingItem({
  sitting,
  kind,
  nameOf,
  isNewest,
  isLast,
  isShown,
  isReverting,
  onRevert,
}: SittingItemProps) {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(isShown);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isShown) item.current?.scrollIntoView({ block: 'center' });
  }, [isShown]);
  const sentences = useMemo(
    () => sentencesOf(netChanges(sitting.changes), kind, nameOf),
    [sitting.changes, kind, nameOf],
  );
  const captures = useMemo(() => capturesOf(sitting.changes), [sitting.changes]);
  const { headline, rest } = headlineOf(sitting.kind, sentences, proposedBy(sitting));
  const shown = isOpen ? rest : rest.slice(0, MAX_SENTENCES);
  const who = sitting.user.id === user.id ? texts.you : sitting.user.name || texts.somebody;
  const isMilestone = sentences[0]?.isMain === true;
  return (
    <li
      ref={item}
      {...(isShown && { 'aria-current': 'true' as const })}
      className={cx('grid grid-cols-[1.5rem_1fr] gap-x-3', isShown && '-mx-3 rounded-10 bg-accent-tint px-3 pt-3')}
    >
      <div className="flex flex-col items-center" aria-hidden>
        <Avatar name={sitting.user.name || texts.somebody} />
        {!isLast && <span className="my-1 w-px flex-1 bg-line" />}
      </div>
      <div className="flex min-w-0 flex-col gap-2 pb-6">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <div className="flex min-w-0 flex-1 basis-60 flex-col">
            <p className={cx('text-14', isMilestone && 'font-medium')}>
              <bdi className="font-semibold">{who}</bdi> <bdi>{headline.text}</bdi>
            </p>
            <p className="text-12 text-soft">
              <RelativeTime time={sitting.until} />
            </p>
          </div>
          {isNewest ? (
            <Badge>{texts.revert.current}</Badge>
          ) : (
            onRevert && (
              <Button
                size="small"
                look="quiet"
                icon={RotateCcw}
                isDisabled={isReverting}
                className="-mx-2"
                aria-label={texts.revert.label(formatExactTime(new Date(sitting.until)))}
                onPress={onRevert}
              >
                {texts.revert.action}
              </Button>
            )
          )}
        </div>
        <SentenceValues sentence={headline} />
        {shown.length > 0 && <SentenceList sentences={shown} />}
        {rest.length > shown.length && (
          <div>
            <Button size="small" look="quiet" className="-ml-2" onPress={() => setOpen(true)}>
              {texts.moreSentences(formatNumber(rest.length - shown.length))}
            </Button>
          </div>
        )}
        <CapturePairs pairs={captures} />
      </div>
    </li>
  );
}

/** The secret that proposed the changes, if they were proposed. */
function proposedBy({ changes }: Sitting): string | undefined {
  const [by] = changes.flatMap(({ options }) => options.proposed_by?.[1] ?? []);
  return typeof by === 'string' ? by : undefined;
}
