import { useQuery } from '@tanstack/react-query';
import type { ResponseOf } from '../../api/api.ts';
import { query } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Section } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Value } from '../../people/value.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { peopleWho } from './event-counts.tsx';
import type { ShownEvent } from './event-page.tsx';

const texts = text.events;

type Occurrences = ResponseOf<'GET /v3/analyze/event_names/{id}/occurrences'>;

/** Who did it last, and which properties came with it. */
export function Latest({ event }: { event: ShownEvent }) {
  const { data, error } = useQuery({
    ...query('GET /v3/analyze/event_names/{id}/occurrences', { id: event.id }),
    staleTime: 0,
  });
  if (!data) return error ? <ErrorNotice error={error} /> : <Skeleton height={240} />;
  return (
    <>
      <Section title={texts.latest.title}>
        {data.occurrences.length === 0 ? (
          <p className="text-13 text-soft">{texts.latest.none}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-line" aria-label={texts.latest.title}>
            {data.occurrences.map((one) => (
              <Occurrence key={one.id} occurrence={one} />
            ))}
          </ul>
        )}
        <Link href={peopleWho(event.uid)} className="self-start text-13">
          {texts.latest.people}
        </Link>
      </Section>
      <Properties properties={data.properties} />
    </>
  );
}

function Occurrence({ occurrence: { at, profile, properties } }: { occurrence: Occurrences['occurrences'][number] }) {
  const entries = Object.entries(properties);
  return (
    <li className="flex flex-col gap-1 py-2.5 text-13 first:pt-0">
      <div className="flex min-w-0 items-baseline justify-between gap-3">
        <Link href={`/app/people/${profile.id}/timeline`} className="truncate">
          <bdi>{profile.email ?? profile.uid}</bdi>
        </Link>
        <span className="shrink-0 text-soft">
          <RelativeTime time={at} />
        </span>
      </div>
      {entries.length > 0 && (
        <dl className="flex flex-wrap gap-x-4 gap-y-0.5">
          {entries.map(([prop, value]) => (
            <div key={prop} className="flex min-w-0 gap-1.5">
              <dt className="shrink-0 text-soft">
                <bdi>{prop}</bdi>
              </dt>
              <dd className="min-w-0">
                <Value value={value} name={prop} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

const MAX_VALUES = 5;

function Properties({ properties }: Pick<Occurrences, 'properties'>) {
  const { columns } = texts.properties;
  const types = text.person.properties.types as Record<string, string>;
  return (
    <Section title={texts.properties.title} intro={properties.length > 0 ? texts.properties.intro : undefined}>
      {properties.length === 0 ? (
        <p className="text-13 text-soft">{texts.properties.none}</p>
      ) : (
        <dl aria-label={columns.name} className="flex flex-col divide-y divide-line text-13">
          {properties.map(({ prop, name, types: seen, values }) => (
            <div key={prop} className="grid gap-x-4 gap-y-1 py-2 first:pt-0 sm:grid-cols-[12rem_1fr]">
              <dt className="min-w-0 font-medium">
                <bdi className="wrap-anywhere">{name}</bdi>
                <span className="block text-12 font-normal text-soft">
                  {seen.map((type) => types[type] ?? type).join(', ')}
                </span>
              </dt>
              <dd className="min-w-0">
                <ul aria-label={columns.values} className="flex flex-wrap gap-1.5">
                  {values.slice(0, MAX_VALUES).map((value) => (
                    <li key={JSON.stringify(value)} className="max-w-full rounded-4 bg-hover px-1.5 py-0.5">
                      <Value value={value} name={name} />
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
