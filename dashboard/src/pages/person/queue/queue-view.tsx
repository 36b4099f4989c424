import { useSearchParams } from 'wouter';
import { AddressField, useVisitedPaths } from '../../../addresses/address-field.tsx';
import { toHref } from '../../../addresses/match-pages.ts';
import { useChoice } from '../../../addresses/use-choice.ts';
import { useFirstPage } from '../../../addresses/use-first-page.ts';
import { describeError } from '../../../api/describe-error.ts';
import { Section } from '../../../app/page.tsx';
import * as text from '../../../messages/text.ts';
import type { PersonDetails } from '../../../people/person-details.ts';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { LimitList, SnoozeList } from './limit-list.tsx';
import { nameOf } from './name-of.ts';
import { NextList } from './next-list.tsx';
import { RestList } from './rest-list.tsx';
import { type Queue, useQueue } from './use-queue.ts';

const texts = text.queue;
const TYPING_MS = 400;

interface QueueViewProps {
  person: PersonDetails;
  onEdit: (deliveryId: string) => void;
}

/** The Experiences that a person would see on a page, in order, and why the others do not show. */
export function QueueView({ person, onEdit }: QueueViewProps) {
  const { typed, type, href } = usePage();
  const { data, error, isPlaceholderData } = useQueue(person.id, useDebounced(href, TYPING_MS));
  const isWrong = typed.trim() !== '' && href === undefined;
  return (
    <Section title={texts.page.title} intro={texts.page.intro(nameOf(person))}>
      <AddressField
        label={texts.page.label}
        value={typed}
        onChange={type}
        placeholder={texts.page.placeholder}
        error={isWrong ? texts.page.problem : undefined}
        isWhole
      />
      <p role="status" className="sr-only">
        {data && !isPlaceholderData ? texts.page.checked(data.queue.next.length) : texts.page.checking}
      </p>
      {error && <Notice kind="error">{describeError(error)?.description || describeError(error)?.title}</Notice>}
      {href === undefined && !isWrong && <p className="text-soft">{texts.page.choose}</p>}
      {href !== undefined && !error && (data ? <Shown queue={data.queue} onEdit={onEdit} /> : <Loading />)}
    </Section>
  );
}

/** The page in the address, else the last chosen page, else the most visited page. */
function usePage() {
  const [params, setParams] = useSearchParams();
  const [choice, choose] = useChoice();
  const [visited] = useVisitedPaths();
  const first = useFirstPage();
  const typed = params.get('page') ?? choice.page ?? first;
  const type = (page: string) => {
    if (page === typed) return;
    choose({ page });
    setParams({ page }, { replace: true });
  };
  return { typed, type, href: toHref(typed, visited?.host) };
}

function Shown({ queue, onEdit }: { queue: Queue; onEdit: QueueViewProps['onEdit'] }) {
  const { problem, next, rest, limits, snoozes } = queue;
  return (
    <>
      {problem !== null && (
        <Notice
          kind="warning"
          title={texts.problem.title}
          action={<Link href="/app/domains">{texts.problem.action}</Link>}
        >
          {problem.replaceAll('`', '')}
        </Notice>
      )}
      <NextList next={next} isNothingLive={next.length + rest.length === 0} hasProblem={problem !== null} />
      {limits.length > 0 && <LimitList limits={limits} />}
      {snoozes.length > 0 && <SnoozeList snoozes={snoozes} />}
      {rest.length > 0 && <RestList rest={rest} onEdit={onEdit} />}
    </>
  );
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="40%" />
      <Skeleton width="72%" height={40} />
      <Skeleton width="64%" height={40} />
    </div>
  );
}
