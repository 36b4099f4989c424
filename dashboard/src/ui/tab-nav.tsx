import { Link } from 'react-aria-components/Link';

interface TabNavProps {
  label: string;
  tabs: readonly { href: string; title: string; isCurrent: boolean }[];
}

/** Tabs that have addresses, so they are links. */
export function TabNav({ label, tabs }: TabNavProps) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-4 overflow-x-auto overflow-y-hidden">
      {tabs.map(({ href, title, isCurrent }) => (
        <Link
          key={href}
          href={href}
          {...(isCurrent && { 'aria-current': 'page' })}
          className="border-b-2 border-transparent px-0.5 pt-1 pb-2 text-14 whitespace-nowrap text-soft transition-colors aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink data-focus-visible:-outline-offset-2 data-hovered:text-ink"
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
