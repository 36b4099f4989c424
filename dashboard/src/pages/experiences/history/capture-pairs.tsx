import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { CapturePair } from './captures-of.ts';
import { describePlace } from './place.ts';

const texts = text.history.pictures;
const MAX_PAIRS = 2;

/** Pictures of each changed step, before and after. */
export function CapturePairs({ pairs }: { pairs: readonly CapturePair[] }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? pairs : pairs.slice(0, MAX_PAIRS);
  if (pairs.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {shown.map(({ id, place, before, after }) => {
        const where = describePlace(place);
        return (
          <div key={id} className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
            <Capture id={before} label={texts.beforeLabel} alt={texts.before(where)} none={texts.none} />
            <ArrowRight size={16} aria-hidden className="text-faint rtl:rotate-180" />
            <Capture id={after} label={texts.afterLabel} alt={texts.after(where)} none={texts.gone} />
          </div>
        );
      })}
      {pairs.length > shown.length && (
        <div>
          <Button size="small" look="quiet" onPress={() => setOpen(true)}>
            {texts.more(formatNumber(pairs.length - shown.length))}
          </Button>
        </div>
      )}
    </div>
  );
}

interface CaptureProps {
  id: string | null;
  label: string;
  alt: string;
  none: string;
}

/** A capture never changes, so the browser keeps it. */
export function Capture({ id, label, alt, none }: CaptureProps) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="text-12 text-soft">{label}</figcaption>
      <div className="grid h-36 place-items-center overflow-hidden rounded-6 border border-line bg-ground p-2">
        {id === null ? (
          <span className="text-12 text-soft">{none}</span>
        ) : (
          <img
            src={`/v3/edit/captures/${id}.svg`}
            alt={alt}
            loading="lazy"
            decoding="async"
            className="max-h-full max-w-full object-contain"
          />
        )}
      </div>
    </figure>
  );
}
