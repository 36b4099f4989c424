import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useLocation } from 'wouter';
import type { ResponseOf } from '../api/api.ts';
import { invalidate } from '../api/nouns.ts';
import { useSession } from '../api/session.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import { saveFile } from '../app/save-file.ts';
import { showError } from '../app/show-error.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { CompactNumber } from '../ui/compact-number.tsx';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Link } from '../ui/link.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.tsx';

const texts = text.results.peopleOf;

type PeoplePage = ResponseOf<'GET /v3/analyze/{kind}/{id}/people'>;
type Saved = ResponseOf<'POST /v3/edit/{kind}/{id}/people'>;

/** The people whom a number counts, and what can be done with them. */
export interface CountedPeople {
  /** What the number counts. */
  title: string;
  /** Of what it is, for the names of files and Segments. */
  of: string;
  /** The key of the query, which begins with a noun. */
  key: readonly unknown[];
  /** Loads a page: the first one, or the one with people before an ID. */
  load: (before: string | null) => Promise<PeoplePage>;
  download: () => Promise<Blob>;
  save: (name: string) => Promise<Saved>;
}

interface CountButtonProps {
  value: number;
  title: string;
  onOpen: () => void;
  className?: string | undefined;
}

/** A number of people that opens their list. */
export function CountButton({ value, title, onOpen, className }: CountButtonProps) {
  if (value === 0) return <span className={className}>{formatNumber(0)}</span>;
  return (
    <AriaButton
      onPress={onOpen}
      aria-label={texts.open(formatNumber(value), title)}
      className={cx(
        'rounded-4 tabular-nums underline decoration-edge/50 decoration-dotted underline-offset-4 transition-colors data-hovered:text-accent data-hovered:decoration-accent print:no-underline',
        className,
      )}
    >
      <CompactNumber value={value} />
    </AriaButton>
  );
}

interface CountedPeopleDialogProps {
  counted: CountedPeople;
  onClose: () => void;
}

/** Lists the people of a number, downloads them, and saves them as a Segment. */
export function CountedPeopleDialog({ counted, onClose }: CountedPeopleDialogProps) {
  const { title, of, download } = counted;
  const { can } = useSession();
  const [isNaming, setNaming] = useState(false);
  const list = useInfiniteQuery({
    queryKey: counted.key,
    queryFn: ({ pageParam }) => counted.load(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor.before,
  });
  const people = list.data?.pages.flatMap((page) => page.people);
  const saveAsFile = async () => {
    try {
      saveFile(await download(), texts.file(of, title));
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
          <Button icon={Download} onPress={() => void saveAsFile()}>
            {texts.download}
          </Button>
          {can('edit') && !isNaming && <Button onPress={() => setNaming(true)}>{texts.save}</Button>}
        </>
      }
    >
      <ErrorNotice error={list.error} />
      {!people && !list.error && <Skeleton height={200} />}
      {isNaming && <SaveForm counted={counted} onDone={onClose} />}
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
  counted: CountedPeople;
  onDone: () => void;
}

/** Names the Segment that the people become. */
function SaveForm({ counted: { title, of, save }, onDone }: SaveFormProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState(texts.suggested(of, title).slice(0, 200));
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const create = async () => {
    setPending(true);
    setError(undefined);
    try {
      const saved = await save(name);
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
        <Button look="primary" isPending={isPending} isDisabled={name.trim() === ''} onPress={() => void create()}>
          {texts.create}
        </Button>
      </div>
    </div>
  );
}
