import type { ReactNode } from 'react';
import { DeliveryBadge, DeliveryDetail } from '../../experiences/delivery-badge.tsx';
import type { NamedDelivery } from '../../experiences/delivery-state.ts';
import * as text from '../../messages/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { TableColumn } from '../../ui/table.tsx';

const texts = text.deliveries;

export function nameOfPerson(profile: NamedDelivery['profile']): string {
  return profile?.name ?? profile?.email ?? profile?.uid ?? texts.unknownPerson;
}

/** In narrow windows, the Experience is below the person, and the detail of the state is left out. */
export function deliveryColumns(isNarrow: boolean): TableColumn<NamedDelivery>[] {
  const person: TableColumn<NamedDelivery> = {
    id: 'person',
    label: texts.columns.person,
    width: '2fr',
    minWidth: 140,
    render: (one) => (
      <Lines
        first={<Person profile={one.profile} />}
        second={isNarrow ? <Experience delivery={one} /> : <bdi>{one.profile?.email ?? one.profile?.uid}</bdi>}
      />
    ),
  };
  const state: TableColumn<NamedDelivery> = {
    id: 'state',
    label: texts.columns.state,
    width: isNarrow ? 128 : '3fr',
    minWidth: isNarrow ? 128 : 200,
    render: (one) =>
      isNarrow ? (
        <Lines first={<DeliveryBadge delivery={one} />} second={<RelativeTime time={one.at ?? one.created_at} />} />
      ) : (
        <span className="flex min-w-0 items-center gap-2">
          <DeliveryBadge delivery={one} />
          <span className="line-clamp-2 min-w-0 whitespace-normal wrap-anywhere">
            <DeliveryDetail delivery={one} />
          </span>
        </span>
      ),
  };
  if (isNarrow) return [person, state];
  return [
    person,
    {
      id: 'experience',
      label: texts.columns.experience,
      width: '2fr',
      minWidth: 140,
      render: (one) => (
        <Lines first={<Experience delivery={one} />} second={one.experience && texts.kinds[one.experience.kind]} />
      ),
    },
    state,
    {
      id: 'created',
      label: texts.columns.created,
      width: 132,
      isSecondary: true,
      render: ({ created_at }) => <RelativeTime time={created_at} />,
    },
  ];
}

function Person({ profile }: Pick<NamedDelivery, 'profile'>) {
  if (!profile) return texts.unknownPerson;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link href={`/app/people/${profile.id}/queue`} className="truncate">
        <bdi>{nameOfPerson(profile)}</bdi>
      </Link>
      {profile.test && <Badge>{texts.test}</Badge>}
    </span>
  );
}

function Experience({ delivery: { experience } }: { delivery: NamedDelivery }) {
  if (!experience) return texts.deletedExperience;
  return (
    <Link href={`/app/experiences/${experience.id}`}>
      <bdi>{experience.name}</bdi>
    </Link>
  );
}

function Lines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="flex min-w-0 flex-col gap-0.5 leading-5">
      <span className="truncate">{first}</span>
      <span className="truncate text-12 leading-4 font-normal text-soft">{second}</span>
    </span>
  );
}
