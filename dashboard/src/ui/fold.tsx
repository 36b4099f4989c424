import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

/** Hides what most people do not need behind one word. It opens when somebody goes to a field inside it. */
export function Fold({ title, children, isOpen = false }: { title: ReactNode; children: ReactNode; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="group/fold border-t border-line pt-3">
      <summary className="flex cursor-default list-none items-center gap-1 rounded-4 text-13 font-medium text-soft hover:text-ink">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 transition-[rotate] group-open/fold:rotate-90 motion-reduce:transition-none"
        />
        {title}
      </summary>
      <div className="flex flex-col gap-3 pt-3">{children}</div>
    </details>
  );
}
