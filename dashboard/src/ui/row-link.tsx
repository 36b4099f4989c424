import type { ReactNode, SyntheticEvent } from 'react';
import { Link } from 'wouter';

/**
 * The name in a row as a real link, which can be opened in a new tab or copied. It is not a tab stop of its own,
 * because Enter on the row does the same. The click does not reach the row, which would open the page a second time.
 */
export function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return <span className="truncate">{children}</span>;
  return (
    // The link itself does not call its handler when a key is held for a new tab.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the events of the link from the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the row opens the same page
    <span className="contents" onPointerDown={stopPropagation} onClick={stopPropagation}>
      <Link href={href} tabIndex={-1} draggable={false} className="min-w-0 flex-1 truncate">
        {children}
      </Link>
    </span>
  );
}

function stopPropagation(event: SyntheticEvent): void {
  event.stopPropagation();
}
