import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { invalidate } from '../api/nouns.ts';
import { useSession } from '../api/session.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import { saveFile } from '../app/save-file.ts';
import { showError } from '../app/show-error.ts';
import { formatNumber } from '../messages/format.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Link } from '../ui/link.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.tsx';

const texts = text.results.peopleOf;

interface CountedPerson {
  id: string;
  uid: string;
  name: string | null;
  email: string | null;
}

interface CountedPeopleDialogProps {
  title: string;
  /** What the number belongs to, for the names of the file and the Segment. */
  of: string;
  list: {
    data: { pages: { people: readonly CountedPerson[] }[] } | undefined;
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
  };
  download(): Promise<Blob>;
  save(name: string): Promise<{ segment: { id: string }; people_count: number | null }>;
  onClose: () => void;
}

/** The people whom a number counts, with what can be done with them. */
export function CountedPeopleDialog({ title, of, list, download, save, onClose }: CountedPeopleDialogProps) {
  const { can } = useSession();
  const [isNaming, setNaming] = useState(false);
  const people = list.data?.pages.flatMap((page) => page.people);
  const saveCsv = async () => {
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
          <Button icon={Download} onPress={() => void saveCsv()}>
            {texts.download}
          </Button>
          {can('edit') && !isNaming && <Button onPress={() => setNaming(true)}>{texts.save}</Button>}
        </>
      }
    >
      <ErrorNotice error={list.error} />
      {!people && !list.error && <Skeleton height={200} />}
      {isNaming && <SaveForm suggested={texts.suggested(of, title)} save={save} onDone={onClose} />}
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
  suggested: string;
  save: CountedPeopleDialogProps['save'];
  onDone: () => void;
}

/** Names the Segment that the people become. */
function SaveForm({ suggested, save, onDone }: SaveFormProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState(suggested.slice(0, 200));
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const submit = async () => {
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
        <Button look="primary" isPending={isPending} isDisabled={name.trim() === ''} onPress={() => void submit()}>
          {texts.create}
        </Button>
      </div>
    </div>
  );
}
