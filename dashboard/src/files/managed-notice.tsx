import { useQuery } from '@tanstack/react-query';
import { FileCode } from 'lucide-react';
import { query } from '../api/queries.ts';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';

const texts = text.files;
const managedQuery = query('GET /v3/edit/files/managed');

/** The records that are kept as files, by their IDs. */
export function useManaged() {
  const { data } = useQuery(managedQuery);
  return new Map((data?.managed ?? []).map((one) => [one.id, one]));
}

/** Says that a record is kept as a file, so that a change here is not lost later. */
export function ManagedNotice({ id }: { id: string }) {
  const managed = useManaged().get(id);
  if (!managed) return null;
  const name = `${managed.file}.yaml`;
  return (
    <Notice title={texts.managed}>
      {texts.before} <bdi>{managed.url === null ? name : <Link href={managed.url}>{name}</Link>}</bdi>. {texts.after}
    </Notice>
  );
}

/** Marks a record in a list. */
export function ManagedIcon() {
  return (
    <span className="flex shrink-0 text-faint" title={texts.badge}>
      <FileCode size={14} aria-hidden />
      <span className="sr-only">{texts.badge}</span>
    </span>
  );
}
