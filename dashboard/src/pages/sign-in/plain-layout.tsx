import type { ReactNode } from 'react';
import { PageHeading } from '../../app/page.tsx';
import { Logo } from '../../ui/logo.tsx';

/** The layout of pages before the sign-in: one column in the middle. */
export function PlainLayout({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh flex-col items-center bg-surface px-4 py-10 sm:bg-ground sm:pt-[12vh]">
      <div className="flex w-full max-w-100 flex-col gap-6">
        <Logo size={28} />
        <div className="flex flex-col gap-5 sm:rounded-10 sm:border sm:border-line sm:bg-surface sm:p-6">
          <div className="flex flex-col gap-1">
            <PageHeading title={title} className="text-20" />
            {intro !== undefined && <p className="text-soft">{intro}</p>}
          </div>
          {children}
        </div>
      </div>
    </main>
  );
}
