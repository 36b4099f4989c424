import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain/kinds';
import { Download } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import { api, download, type ParamsOf } from '../../../api/api.ts';
import { listQuery } from '../../../api/list.ts';
import { invalidate } from '../../../api/nouns.ts';
import { useSession } from '../../../api/session.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { saveFile } from '../../../app/save-file.ts';
import { showError } from '../../../app/show-error.ts';
import type { ShownExperience } from '../../../editor/document.ts';
import { formatNumber } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import type { Range } from '../../../ranges/use-range.ts';
import { Button } from '../../../ui/button.tsx';
import { CompactNumber } from '../../../ui/compact-number.tsx';
import { cx } from '../../../ui/cx.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Link } from '../../../ui/link.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { showToast } from '../../../ui/toast.tsx';

const texts = text.results.peopleOf;
const OPERATION = 'GET /v3/analyze/{kind}/{id}/people';
const PAGE_SIZE = 50;

/** Which people a number counts, in the words of the API; `title` says it to people. */
export interface PeopleOf extends Omit<ParamsOf<typeof OPERATION>, 'kind' | 'id' | 'limit' | 'before' | 'after'> {
  title: string;
}

const OpenPeople = createContext<(people: PeopleOf) => void>(() => {});

interface WithPeopleProps {
  experience: ShownExperience;
  range: Range;
  children: ReactNode;
}

/** Numbers in here open the list of their people. */
export function WithPeople({ experience, range, children }: WithPeopleProps) {
  const [shown, setShown] = useState<PeopleOf>();
  return (
    <OpenPeople value={setShown}>
      {children}
      {shown && (
        <PeopleDialog
          experience={experience}
          of={{ from: range.from, until: range.until, ...shown }}
          onClose={() => setShown(undefined)}
        />
      )}
    </OpenPeople>
  );
}

/** A number of people that opens their list. */
export function PeopleCount({ value, of, className }: { value: number; of: PeopleOf; className?: string }) {
  const openPeople = useContext(OpenPeople);
  if (value === 0) return <span className={className}>{formatNumber(0)}</span>;
  return (
    <AriaButton
      onPress={() => openPeople(of)}
      aria-label={texts.open(formatNumber(value), of.title)}
      className={cx(
        'rounded-4 tabular-nums underline decoration-edge/50 decoration-dotted underline-offset-4 transition-colors data-hovered:text-accent data-hovered:decoration-accent print:no-underline',
        className,
      )}
    >
      <CompactNumber value={value} />
    </AriaButton>
  );
}

interface PeopleDialogProps {
  experience: ShownExperience;
  of: PeopleOf;
  onClose: () => void;
}

function PeopleDialog({ experience, of: { title, ...of }, onClose }: PeopleDialogProps) {
  const { can } = useSession();
  const [isNaming, setNaming] = useState(false);
  const params = { kind: pathOfKind(experience.kind), id: experience.id, ...of };
  const list = useInfiniteQuery(listQuery(OPERATION, { ...params, limit: PAGE_SIZE } as ParamsOf<typeof OPERATION>));
  const people = list.data?.pages.flatMap((page) => page.people);
  const save = async () => {
    try {
      const file = await download('GET /v3/analyze/{kind}/{id}/people.{format}', {
        ...params,
        format: 'csv',
      } as ParamsOf<'GET /v3/analyze/{kind}/{id}/people.{format}'>);
      saveFile(file, texts.file(experience.name, title));
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={texts.description}
      size="medium"
      buttons={
        <>
          <Button icon={Download} onPress={() => void save()}>
            {texts.download}
          </Button>
          {can('edit') && !isNaming && <Button onPress={() => setNaming(true)}>{texts.save}</Button>}
        </>
      }
    >
      <ErrorNotice error={list.error} />
      {!people && !list.error && <Skeleton height={200} />}
      {isNaming && <SaveForm experience={experience} of={of} title={title} onDone={onClose} />}
      {people?.length === 0 && !list.hasNextPage && <p className="text-14 text-soft">{texts.none}</p>}
      {people && people.length > 0 && (
        <ul aria-label={title} className="rounded-6 border border-line">
          {people.map(({ id, name, email, uid }) => (
            <li
              key={id}
              className="flex min-h-10 flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-3 py-2 last:border-b-0"
            >
              <Link href={`/app/people/${id}`} isQuiet className="min-w-0 truncate text-14 font-medium">
                <bdi>{name ?? email ?? uid}</bdi>
              </Link>
              <bdi className="min-w-0 truncate text-13 text-soft">{name === null ? uid : (email ?? uid)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {people && (
        <div className="flex items-center gap-3">
          {list.hasNextPage && (
            <Button size="small" isPending={list.isFetchingNextPage} onPress={() => list.fetchNextPage()}>
              {texts.more}
            </Button>
          )}
          <p role="status" className="text-13 text-soft">
            {texts.count(formatNumber(people.length), people.length === 1, list.hasNextPage)}
          </p>
        </div>
      )}
    </Dialog>
  );
}

interface SaveFormProps {
  experience: ShownExperience;
  of: Omit<PeopleOf, 'title'>;
  title: string;
  onDone: () => void;
}

/** Names the Segment that the people become. */
function SaveForm({ experience, of, title, onDone }: SaveFormProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState(texts.suggested(experience.name, title).slice(0, 200));
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    setError(undefined);
    try {
      const saved = await api('POST /v3/edit/{kind}/{id}/people', {
        ...{ kind: pathOfKind(experience.kind), id: experience.id, ...of, name },
      } as ParamsOf<'POST /v3/edit/{kind}/{id}/people'>);
      void invalidate(client, 'segments');
      showToast({
        title: texts.saved(formatNumber(saved.people_count ?? 0), saved.people_count === 1),
        action: { label: texts.openSegment, onPress: () => navigate(`/app/segments/${saved.segment.id}`) },
      });
      onDone();
    } catch (error) {
      setError(error);
    }
    setPending(false);
  };
  return (
    <div className="flex flex-col gap-3 rounded-10 border border-line p-3">
      <TextField label={texts.name} value={name} onChange={setName} help={texts.nameHelp} autoFocus />
      <ErrorNotice error={error} />
      <div>
        <Button look="primary" isPending={isPending} isDisabled={name.trim() === ''} onPress={() => void save()}>
          {texts.create}
        </Button>
      </div>
    </div>
  );
}
