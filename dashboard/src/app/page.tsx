import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../ui/cx.ts';
import { Link } from '../ui/link.tsx';
import { takeFocusRequest } from './heading-focus.ts';

/**
 * The heading of a page. It is also the title of the browser tab, and has the focus after a navigation so that screen
 * readers start here.
 */
export function PageHeading({ title, className = 'text-20 sm:text-28' }: { title: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A name may contain direction marks, which would reverse the rest of the title.
    document.title = `${title.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')} · Usher`;
    if (takeFocusRequest()) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <h1 ref={heading} tabIndex={-1} className={cx('font-semibold tracking-tight', className)}>
      {title}
    </h1>
  );
}

interface PageProps {
  title: string;
  /** The list that the record of this page belongs to. */
  parent?: { href: string; label: string };
  /** One sentence under the heading. */
  intro?: ReactNode;
  /** Buttons beside the heading, the main one last. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, parent, intro, actions, children }: PageProps) {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        {/* Buttons are beside a long intro, and below it only where both do not fit. */}
        <div className={cx('flex min-w-0 flex-col gap-1', intro !== undefined && 'flex-1 basis-72')}>
          {parent && (
            <Link href={parent.href} isQuiet className="self-start text-13 text-soft">
              {parent.label}
            </Link>
          )}
          <PageHeading title={title} />
          {intro !== undefined && <p className="max-w-prose text-soft">{intro}</p>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

/** A part of a page with its own heading, such as one form of the settings. */
export function Section({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 rounded-10 border border-line bg-surface p-5">
      <div className="flex flex-col gap-0.5">
        <h2 className="text-16 font-semibold">{title}</h2>
        {intro !== undefined && <p className="text-13 text-soft">{intro}</p>}
      </div>
      {children}
    </section>
  );
}
