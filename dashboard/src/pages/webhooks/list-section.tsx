import type { ReactNode } from 'react';
import { ErrorNotice } from '../../app/error-notice.tsx';

interface ListSectionProps {
  texts: { title: string; intro: string };
  isLoaded: boolean;
  error: Error | null;
  /** The list. It is left out if it could not be loaded. */
  list: ReactNode;
  children?: ReactNode;
}

/** A list on the page of a webhook, below its heading. */
export function ListSection({ texts, isLoaded, error, list, children }: ListSectionProps) {
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="text-16 font-semibold">{texts.title}</h2>
        <p className="text-13 text-soft">{texts.intro}</p>
      </div>
      {!isLoaded && <ErrorNotice error={error} />}
      {(isLoaded || !error) && list}
      {children}
    </section>
  );
}
