import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { capitalize } from '../messages/field-names.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import type { CapturePair } from './captures-of.ts';
import { describePlace } from './sentences.ts';

const texts = text.history.pictures;
const MAX_PAIRS = 2;
const MAX_SINGLE = 3;

/** Pictures of each changed step before and after the change, and of each added or deleted step. */
export function CapturePairs({ pairs }: { pairs: readonly CapturePair[] }) {
  const [isOpen, setOpen] = useState(false);
  const changed = pairs.filter(({ before, after }) => before !== null && after !== null);
  const single = pairs.filter((pair) => !changed.includes(pair));
  const [both, alone] = isOpen ? [changed, single] : [changed.slice(0, MAX_PAIRS), single.slice(0, MAX_SINGLE)];
  const left = pairs.length - both.length - alone.length;
  if (pairs.length === 0) return null;
  return (
    <div className="flex flex-col gap-3">
      {both.map(({ id, place, before, after }) => {
        const where = capitalize(describePlace(place));
        return (
          <div key={id} className="grid grid-cols-[1fr_auto_1fr] items-center gap-2">
            <Capture id={before} label={texts.before(where)} />
            <ArrowRight size={16} aria-hidden className="mt-5 text-faint rtl:rotate-180" />
            <Capture id={after} label={texts.after(where)} />
          </div>
        );
      })}
      {alone.length > 0 && (
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {alone.map(({ id, place, before, after }) => {
            const where = capitalize(describePlace(place));
            return (
              <Capture key={id} id={after ?? before} label={after === null ? texts.gone(where) : texts.added(where)} />
            );
          })}
        </div>
      )}
      {left > 0 && (
        <div>
          <Button size="small" look="quiet" onPress={() => setOpen(true)}>
            {texts.more(formatNumber(left))}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A capture never changes, so the browser keeps it. */
function Capture({ id, label }: { id: string | null; label: string }) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption aria-hidden className="text-12 text-soft">
        {label}
      </figcaption>
      <div className="grid h-20 grid-rows-[minmax(0,1fr)] place-items-center sm:h-32 overflow-hidden rounded-6 border border-line bg-hover p-1.5">
        <img
          src={`/v3/edit/captures/${id}.svg`}
          alt={label}
          loading="lazy"
          decoding="async"
          className="max-h-full max-w-full rounded-4 object-contain"
        />
      </div>
    </figure>
  );
}
