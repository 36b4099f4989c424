import { FlaskConical } from 'lucide-react';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Badge } from '../ui/badge.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { TableColumn } from '../ui/table.tsx';
import { TwoLines } from '../ui/two-lines.tsx';
import { nameOfPerson, type PersonSummary } from './people-source.ts';

const { columns: labels, test, testShort, neverSeen } = text.people;

/** The columns of a list of people. In narrow windows, the email is below the name. */
export function peopleColumns(narrow: boolean, showsCompany: boolean): TableColumn<PersonSummary>[] {
  const company: TableColumn<PersonSummary> = {
    id: 'company',
    label: labels.company,
    width: '1fr',
    minWidth: 112,
    isSecondary: true,
    render: ({ company }) => company && <bdi title={company.uid}>{company.name ?? company.uid}</bdi>,
  };
  return [
    {
      id: 'name',
      label: labels.name,
      width: '1.6fr',
      minWidth: 150,
      render: (person) =>
        narrow ? (
          <TwoLines first={<Name person={person} narrow={narrow} />} second={lineOf(person)} />
        ) : (
          <Name person={person} narrow={narrow} />
        ),
    },
    {
      id: 'email',
      label: labels.email,
      width: '1.6fr',
      minWidth: 150,
      isSecondary: true,
      render: ({ email }) => email !== null && <bdi title={email}>{email}</bdi>,
    },
    {
      id: 'uid',
      label: labels.uid,
      width: '1fr',
      minWidth: 104,
      isSecondary: true,
      render: ({ uid }) => <bdi title={uid}>{uid}</bdi>,
    },
    ...(showsCompany ? [company] : []),
    {
      id: 'seen',
      label: labels.seen,
      width: 132,
      render: ({ last_seen_at }) => (last_seen_at === null ? neverSeen : <RelativeTime time={last_seen_at} />),
    },
    {
      id: 'sessions',
      label: labels.sessions,
      width: 88,
      align: 'end',
      isSecondary: true,
      render: ({ last_seen_session_count }) => formatNumber(last_seen_session_count),
    },
  ];
}

function Name({ person, narrow }: { person: PersonSummary; narrow: boolean }) {
  const name = nameOfPerson(person);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <bdi title={name} className="truncate">
        {name}
      </bdi>
      {person.is_test && (
        <span className="shrink-0">
          <Badge tone="warn" icon={FlaskConical}>
            {narrow ? testShort : test}
          </Badge>
        </span>
      )}
    </span>
  );
}

/** The text below the name, unless it is the same as the name. */
function lineOf(person: PersonSummary) {
  const others = [person.email, person.uid].filter((one) => one !== null && one !== nameOfPerson(person));
  return <bdi>{others[0] ?? ''}</bdi>;
}
