import { useState } from 'react';
import { readableText } from '../../../editor/readable-text.ts';
import { formatNumber, formatTimeOfDay } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Value } from '../../../people/value.tsx';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { EntryIcon } from './entry-icon.tsx';
import { entrySentence } from './entry-sentence.ts';
import type { TimelineEntry } from './timeline-entry.ts';

const texts = text.person.timeline;

/** One entry of the timeline, with its details. */
export function EntryItem({ entry }: { entry: TimelineEntry }) {
  const { at, experience, event, answers, delivery, until } = entry;
  return (
    <>
      <EntryIcon kind={entry.kind} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 pt-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
          <p id={`entry-${entry.id}`} className="min-w-0 text-14 wrap-anywhere">
            {entrySentence(entry)} {experience && <ExperienceName experience={experience} />}
            {event && <bdi className="font-medium">{event.name}</bdi>}
            {until !== null && (
              <span className="text-soft">
                {' '}
                {texts.until} <RelativeTime time={until} />
              </span>
            )}
          </p>
          <p className="flex gap-x-2 text-12 text-soft">
            <span aria-hidden>{formatTimeOfDay(new Date(at))}</span>
            <RelativeTime time={at} />
          </p>
        </div>
        {delivery?.href != null && (
          <p className="text-13 wrap-anywhere text-soft">
            <bdi>{texts.onPage(delivery.href)}</bdi>
          </p>
        )}
        {delivery?.reason != null && (
          <p className="text-13 text-soft">{texts.reasons[delivery.reason] ?? delivery.reason}</p>
        )}
        {answers && answers.length > 0 && <Answers answers={answers} />}
        {event && <EventProperties custom={event.custom} />}
      </div>
    </>
  );
}

function ExperienceName({
  experience: { id, name, is_deleted },
}: {
  experience: NonNullable<TimelineEntry['experience']>;
}) {
  if (name === null) return null;
  const said = <bdi>{name}</bdi>;
  if (!is_deleted) return <Link href={`/app/experiences/${id}`}>{said}</Link>;
  return (
    <>
      <span className="font-medium">{said}</span> <span className="text-soft">{texts.deleted}</span>
    </>
  );
}

function Answers({ answers }: { answers: NonNullable<TimelineEntry['answers']> }) {
  return (
    <dl className="flex flex-col gap-2 rounded-6 border border-line bg-ground px-3 py-2 text-13">
      {answers.map(({ step_id, question, value, comment }) => (
        <div key={step_id} className="flex flex-col">
          <dt className="text-soft">
            <bdi className="wrap-anywhere">{nameOf(question)}</bdi>
          </dt>
          <dd>
            {value === null ? (
              <span className="text-soft">{texts.noAnswer}</span>
            ) : (
              <Value value={value} name={nameOf(question)} />
            )}
            {comment !== null && <Value value={comment} name={nameOf(question)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function nameOf(question: string | null): string {
  return readableText(question) || texts.question;
}

function EventProperties({ custom }: { custom: Record<string, unknown> }) {
  const [isOpen, setOpen] = useState(false);
  const properties = Object.entries(custom);
  if (properties.length === 0) return null;
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button size="small" look="quiet" className="-ml-2" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {isOpen ? texts.hideProperties : texts.showProperties(formatNumber(properties.length), properties.length === 1)}
      </Button>
      {isOpen && (
        <dl className="grid w-full grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-6 border border-line bg-ground px-3 py-2 text-13">
          {properties.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="wrap-anywhere text-soft">
                <bdi>{name}</bdi>
              </dt>
              <dd className="min-w-0">
                <Value value={value} type={typeOf(value)} name={name} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** The type of a value. Times are texts in one format. */
function typeOf(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? 'timestamp' : typeof value;
}
