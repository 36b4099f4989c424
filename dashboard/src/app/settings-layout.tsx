import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-aria-components/Link';
import * as text from '../messages/text.ts';
import { cx } from '../ui/cx.ts';
import { FirstSetting } from './first-setting.ts';
import { listSettings } from './list-settings.ts';
import { useAllowedRoutes } from './shortcuts.ts';

/** The pages of the settings, listed beside the current one. */
export function SettingsLayout({ path, children }: { path: string; children: ReactNode }) {
  const entries = listSettings(useAllowedRoutes());
  const list = useRef<HTMLDivElement>(null);
  // On phones the list is one long line, where the current page could be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current page follows from the path
  useEffect(() => showCurrent(list.current), [path]);
  const headings = Object.values(text.settings.sections).filter((one) =>
    entries.some(({ heading }) => heading === one),
  );
  return (
    <div className="flex flex-col gap-6 @3xl:flex-row @3xl:gap-10">
      <nav aria-label={text.settings.title} className="shrink-0 @3xl:sticky @3xl:top-18 @3xl:w-44 @3xl:self-start">
        <div ref={list} className="relative flex gap-4 overflow-x-auto [scrollbar-width:none] @3xl:flex-col">
          {headings.map((heading) => (
            <div key={heading} className="flex shrink-0 flex-col gap-1">
              <h2 className="px-2 text-12 font-medium text-soft @max-3xl:sr-only">{heading}</h2>
              <ul className="flex gap-0.5 @3xl:flex-col">
                {entries
                  .filter((entry) => entry.heading === heading)
                  .map((entry) => (
                    <li key={entry.path}>
                      <Link
                        href={entry.path}
                        {...(isCurrent(entry.path, path) && { 'aria-current': 'page' as const })}
                        className={cx(
                          'block rounded-6 px-2 py-1.5 text-13 whitespace-nowrap transition-colors',
                          isCurrent(entry.path, path)
                            ? 'bg-hover font-medium text-ink forced-colors:outline'
                            : 'text-soft data-hovered:bg-hover data-hovered:text-ink',
                        )}
                      >
                        {entry.title}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
        </div>
      </nav>
      <FirstSetting value={entries[0]?.path ?? '/app'}>
        <div className="@container max-w-3xl min-w-0 flex-1">{children}</div>
      </FirstSetting>
    </div>
  );
}

function showCurrent(list: HTMLElement | null): void {
  const current = list?.querySelector<HTMLElement>('[aria-current]');
  if (list && current) list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2;
}

/** The page of a single webhook counts as the list of webhooks. */
function isCurrent(entry: string, path: string): boolean {
  return path === entry || path.startsWith(`${entry}/`);
}
