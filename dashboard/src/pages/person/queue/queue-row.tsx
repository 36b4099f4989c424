import { type ReactNode, useId } from 'react';
import { KindIcon } from '../../../kinds/kind-icon.tsx';
import * as text from '../../../messages/text.ts';
import { Link } from '../../../ui/link.tsx';
import type { QueuedExperience } from './use-queue.ts';

/** A part of the queue with its heading. */
export function QueuePart({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t border-line pt-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 id={id} className="text-14 font-semibold">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface QueueRowProps {
  experience: QueuedExperience;
  /** The number of the row where the order counts; null leaves its place empty. */
  place?: number | null;
  aside?: ReactNode;
  children: ReactNode;
}

/** An Experience with a text about it. */
export function QueueRow({ experience: { id, kind, name }, place, aside, children }: QueueRowProps) {
  return (
    <li className="flex items-start gap-3 py-2.5">
      {place !== undefined && (
        <span aria-hidden className="w-4 shrink-0 pt-1 text-right text-13 text-soft tabular-nums">
          {place}
        </span>
      )}
      <KindIcon kind={kind} />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex flex-wrap items-start gap-x-2 gap-y-1">
          <Link href={`/app/experiences/${id}`} className="min-w-0 font-medium wrap-anywhere">
            <bdi className="line-clamp-2" title={name}>
              {name}
            </bdi>
          </Link>
          <span className="text-13 leading-5 text-soft">{text.deliveries.kinds[kind]}</span>
          {aside !== undefined && <span className="max-w-full sm:ml-auto">{aside}</span>}
        </div>
        <div className="text-13 text-soft wrap-anywhere">{children}</div>
      </div>
    </li>
  );
}
