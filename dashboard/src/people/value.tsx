import { useState } from 'react';
import { formatDateTime, formatExactTime } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { formatValue, type ShownValue, shortenValue } from './format-value.ts';

const texts = text.person.properties;

/** A value of a person or an event, in the format of its type. A long value is folded. */
export function Value({ value, type, name }: { value: unknown; type?: string; name: string }) {
  const [isOpen, setOpen] = useState(false);
  const whole = formatValue(value, type);
  const short = shortenValue(whole);
  return (
    <div className="flex min-w-0 flex-col items-start gap-1">
      <Formatted value={isOpen || !short ? whole : short} />
      {short && (
        <Button
          size="small"
          look="quiet"
          className="-ml-2"
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.lessOf(name) : texts.moreOf(name)}
          onPress={() => setOpen(!isOpen)}
        >
          {isOpen ? texts.less : texts.more}
        </Button>
      )}
    </div>
  );
}

function Formatted({ value }: { value: ShownValue }) {
  switch (value.kind) {
    case 'plain':
      return value.isWord ? (
        <span className="text-soft">{value.text}</span>
      ) : (
        <bdi className="whitespace-pre-wrap wrap-anywhere">{value.text}</bdi>
      );
    case 'time': {
      const time = new Date(value.time);
      return (
        <time dateTime={value.time} title={formatExactTime(time)}>
          {formatDateTime(time)}
        </time>
      );
    }
    case 'list':
      return (
        <ul className="flex min-w-0 flex-wrap gap-1">
          {value.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items may be the same, and never move
            <li key={at} className="min-w-0 rounded-4 bg-hover px-1.5 wrap-anywhere">
              <bdi>{item}</bdi>
            </li>
          ))}
        </ul>
      );
    case 'object':
      return (
        <pre className="max-w-full font-mono text-12 leading-5 whitespace-pre-wrap wrap-anywhere">{value.text}</pre>
      );
  }
}
