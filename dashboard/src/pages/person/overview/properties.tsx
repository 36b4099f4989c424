import { Search } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { PersonProperty } from '../../../people/person-details.ts';
import { Value } from '../../../people/value.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Drawing } from '../../../ui/drawing.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { findProperties } from './find-properties.ts';

const texts = text.person.properties;
/** From this many properties on there is a search: fewer are found faster by looking. */
const MIN_TO_SEARCH = 9;

/** What was sent about a person: values with their types, when each was sent, and by whom. */
export function Properties({ properties }: { properties: readonly PersonProperty[] }) {
  const [search, setSearch] = useState('');
  const shown = findProperties(properties, search);
  if (properties.length === 0)
    return (
      <EmptyState
        picture={<Drawing of="properties" />}
        title={texts.empty.title}
        action={<Link href="/app/settings/install">{texts.empty.action}</Link>}
      >
        {texts.empty.text}
      </EmptyState>
    );
  return (
    <section aria-labelledby="person-properties" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <h2 id="person-properties" className="text-16 font-semibold">
            {texts.title}
          </h2>
          <p className="max-w-prose text-13 text-soft">{texts.intro}</p>
        </div>
        {properties.length >= MIN_TO_SEARCH && (
          <TextField
            label={texts.search}
            icon={Search}
            type="search"
            value={search}
            onChange={setSearch}
            maxLength={255}
            autoComplete="off"
            className="w-full @2xl:w-64"
          />
        )}
      </div>
      {search !== '' && (
        <p role="status" className="text-13 text-soft">
          {shown.length === 0
            ? texts.nothingFound(search)
            : texts.count(formatNumber(shown.length), formatNumber(properties.length))}
        </p>
      )}
      {shown.length > 0 && <PropertyTable properties={shown} />}
    </section>
  );
}

const cell = 'block min-w-0 px-3 @2xl:table-cell @2xl:py-2.5 align-top';
const heading = 'px-3 py-2 text-start text-12 font-medium text-soft';

/** In narrow windows, the cells of a row are below each other. */
function PropertyTable({ properties }: { properties: readonly PersonProperty[] }) {
  const { columns, types } = texts;
  return (
    <table
      aria-labelledby="person-properties"
      className="block overflow-hidden rounded-10 border border-line bg-surface text-13 @2xl:table @2xl:w-full @2xl:table-fixed @2xl:border-separate @2xl:border-spacing-0"
    >
      <thead className="sr-only @2xl:not-sr-only @2xl:table-header-group">
        <tr className="bg-ground">
          <th className={`${heading} w-[26%]`}>{columns.name}</th>
          <th className={heading}>{columns.value}</th>
          <th className={`${heading} w-28`}>{columns.type}</th>
          <th className={`${heading} w-40`}>{columns.sent}</th>
        </tr>
      </thead>
      <tbody className="block @2xl:table-row-group">
        {properties.map((property) => (
          <tr
            key={property.prop}
            className="flex flex-wrap gap-y-0.5 border-t border-line py-2.5 first:border-t-0 @2xl:table-row @2xl:py-0 @2xl:[&>*]:border-t @2xl:[&>*]:border-line"
          >
            <th scope="row" className={`${cell} basis-full text-start font-medium @max-2xl:font-semibold`}>
              <bdi className="wrap-anywhere">{property.name}</bdi>
              {property.name !== property.prop && (
                <bdi className="block font-mono text-12 font-normal wrap-anywhere text-soft">{property.prop}</bdi>
              )}
            </th>
            <td className={`${cell} basis-full`}>
              <Value value={property.value} type={property.type} name={property.name} />
            </td>
            <td className={`${cell} text-soft @max-2xl:pe-0`}>{types[property.type] ?? property.type}</td>
            <td className={`${cell} text-soft`}>
              <Sent property={property} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Sent({ property: { source, sent_at, is_proven } }: { property: PersonProperty }) {
  if (source === null && sent_at === null) return <span title={texts.unknownHelp}>{texts.unknownSource}</span>;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @2xl:flex-col @2xl:items-start">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-ink">
        {source === null ? texts.unknownSource : texts.sources[source]}
        {is_proven === false && (
          <span title={texts.notProvenHelp}>
            <Badge tone="warn">{texts.notProven}</Badge>
          </span>
        )}
      </span>
      {sent_at !== null && <RelativeTime time={sent_at} />}
    </span>
  );
}
