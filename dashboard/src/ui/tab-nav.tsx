import { useEffect, useRef } from 'react';
import { Link } from 'react-aria-components/Link';

interface TabNavProps {
  label: string;
  tabs: readonly { href: string; title: string; isCurrent: boolean }[];
}

/** Tabs that have addresses, so they are links. */
export function TabNav({ label, tabs }: TabNavProps) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the current one
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className="-mb-px flex gap-4 overflow-x-auto overflow-y-hidden max-sm:gap-2">
      {tabs.map(({ href, title, isCurrent }) => (
        <Link
          key={href}
          href={href}
          {...(isCurrent && { 'aria-current': 'page' })}
          className="border-b-2 border-transparent px-0.5 pt-1 pb-2 text-14 whitespace-nowrap max-sm:px-0 max-sm:text-13 text-soft transition-colors aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink data-focus-visible:-outline-offset-2 data-hovered:text-ink"
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
