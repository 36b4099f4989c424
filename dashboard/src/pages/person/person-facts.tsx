import type { ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import { useIsReachable } from '../../app/reachable-paths.ts';
import { languageName } from '../../languages/language-names.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';
import { CopyIconButton } from '../../ui/copy-button.tsx';
import { Link } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { describeDevice, describeZone } from './describe-device.ts';
import { describeTest } from './describe-test.ts';
import { TestMenu } from './test-menu.tsx';

const texts = text.person.facts;

/** What Usher itself knows about a person, in words. */
export function PersonFacts({ person }: { person: PersonDetails }) {
  const { can } = useSession();
  const unknown = <span className="text-soft">{texts.unknown}</span>;
  const { browser_l, browser_tz, last_cleared_at, last_seen_at } = person;
  return (
    <dl
      aria-label={texts.label}
      className="grid grid-cols-2 gap-x-6 gap-y-4 rounded-10 border border-line bg-surface p-4 text-14 @2xl:grid-cols-3 @4xl:grid-cols-4"
    >
      <Fact label={texts.uid}>
        <span className="flex min-w-0 items-center gap-1">
          <bdi className="min-w-0 wrap-anywhere">{person.uid}</bdi>
          <span className="-my-1">
            <CopyIconButton value={person.uid} label={texts.copyUid} />
          </span>
        </span>
      </Fact>
      {person.email !== null && (
        <Fact label={texts.email}>
          <bdi className="wrap-anywhere">{person.email}</bdi>
        </Fact>
      )}
      {person.company && (
        <Fact label={texts.company}>
          <CompanyLink company={person.company} />
        </Fact>
      )}
      <Fact label={texts.seen}>{last_seen_at === null ? texts.neverSeen : <RelativeTime time={last_seen_at} />}</Fact>
      <Fact label={texts.since}>
        <RelativeTime time={person.created_at} />
      </Fact>
      <Fact label={texts.sessions}>{formatNumber(person.last_seen_session_count)}</Fact>
      {last_cleared_at !== null && (
        <Fact label={texts.cleared}>
          <RelativeTime time={last_cleared_at} />
        </Fact>
      )}
      <Fact label={texts.device}>{describeDevice(person) ?? unknown}</Fact>
      <Fact label={texts.language}>{browser_l === null ? unknown : languageName(browser_l)}</Fact>
      <Fact label={texts.zone}>{browser_tz === null ? unknown : describeZone(browser_tz)}</Fact>
      <Fact label={text.person.test.label}>
        {describeTest(person)} {can('edit') && <TestMenu person={person} />}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <dt className="text-12 text-soft">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function CompanyLink({ company: { id, uid, name } }: { company: NonNullable<PersonDetails['company']> }) {
  const isReachable = useIsReachable();
  const said = <bdi className="wrap-anywhere">{name ?? uid}</bdi>;
  return isReachable('/app/companies/:id') ? <Link href={`/app/companies/${id}`}>{said}</Link> : said;
}
