import type { ReactNode } from 'react';
import { Section } from '../../app/page.tsx';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { CompanyDetails } from './company-page.tsx';

const texts = text.companies.properties;

/** The properties that were sent about a Company. */
export function CompanyProperties({ company }: { company: CompanyDetails }) {
  const { uid, created_at, updated_at, properties } = company;
  const all: [key: string, name: string, value: ReactNode][] = [
    ['.uid', texts.uid, <bdi key="uid">{uid}</bdi>],
    ['.created', texts.created, <RelativeTime key="created" time={created_at} />],
    ['.changed', texts.changed, <RelativeTime key="changed" time={updated_at} />],
    ...properties.map(({ prop, name, value }): [string, string, ReactNode] => [prop, name, describeValue(value)]),
  ];
  return (
    <Section title={texts.title}>
      <dl className="grid grid-cols-1 gap-x-8 gap-y-3 text-13 @lg:grid-cols-2 @4xl:grid-cols-3">
        {all.map(([key, name, value]) => (
          <div key={key} className="flex min-w-0 flex-col">
            <dt className="text-12 wrap-anywhere text-soft">
              <bdi>{name}</bdi>
            </dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {properties.length === 0 && <p className="text-13 text-soft">{texts.empty}</p>}
    </Section>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function describeValue(value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number') return formatNumber(value, { maximumFractionDigits: 20 });
  if (typeof value !== 'string') return <code className="font-mono text-12">{JSON.stringify(value)}</code>;
  return TIME.test(value) ? <RelativeTime time={value} /> : <bdi>{value}</bdi>;
}
