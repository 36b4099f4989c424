import type { ReactNode, SyntheticEvent } from 'react';
import { Link } from 'wouter';

/**
 * The name in a row as a real link: for a new tab, or to copy its address. It is not a stop of its own, since Enter on the row does
 * the same. The row does not learn of the click, which would open the page a second time.
 */
export function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <span className="truncate">{children}</span>;
  return (
    <Link
      href={href}
      tabIndex={-1}
      draggable={false}
      onPointerDown={stopPropagation}
      onClick={stopPropagation}
      className="min-w-0 flex-1 truncate"
    >
      {children}
    </Link>
  );
}

function stopPropagation(event: SyntheticEvent): void {
  event.stopPropagation();
}
