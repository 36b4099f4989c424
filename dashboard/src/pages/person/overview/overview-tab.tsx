import { Section } from '../../../app/page.tsx';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { PersonDetails, PersonTabProps } from '../../../people/person-details.ts';
import { Link } from '../../../ui/link.tsx';
import { Properties } from './properties.tsx';
import { Segments } from './segments.tsx';

export default function OverviewTab({ person }: PersonTabProps) {
  return (
    <div className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_16rem]">
      <Properties properties={person.properties} />
      <div className="flex flex-col gap-6">
        <Segments personId={person.id} />
        <PendingDeliveries person={person} />
      </div>
    </div>
  );
}

function PendingDeliveries({ person: { id, delivery_ids, delivery_ids_limit } }: { person: PersonDetails }) {
  const texts = text.person.deliveries;
  return (
    <Section title={texts.title}>
      <div className="flex flex-col gap-2 text-14">
        <p>
          {delivery_ids.length === 0
            ? texts.none
            : texts.count(formatNumber(delivery_ids.length), formatNumber(delivery_ids_limit))}
        </p>
        <Link href={`/app/people/${id}/queue`} className="self-start">
          {texts.open}
        </Link>
      </div>
    </Section>
  );
}
