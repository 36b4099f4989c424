import { Link } from '../../ui/link.tsx';

/** The name of an Experience, which leads to it. */
export function NameLink({ id, className, children }: { id: string; className?: string; children: string }) {
  return (
    <Link href={`/app/experiences/${id}`} isQuiet {...(className && { className })}>
      <bdi title={children}>{children}</bdi>
    </Link>
  );
}
