import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const kinds = {
  info: { icon: Info, look: 'bg-accent-tint', iconLook: 'text-accent' },
  done: { icon: CircleCheck, look: 'bg-good-tint', iconLook: 'text-good' },
  warning: { icon: TriangleAlert, look: 'bg-warn-tint', iconLook: 'text-warn' },
  error: { icon: CircleAlert, look: 'bg-bad-tint', iconLook: 'text-bad' },
};

interface NoticeProps {
  kind?: keyof typeof kinds;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Says what happened, what it means, and what to do. Screen readers announce an error. */
export function Notice({ kind = 'info', title, children, action }: NoticeProps) {
  const { icon: Icon, look, iconLook } = kinds[kind];
  return (
    <div
      {...(kind === 'error' && { role: 'alert' })}
      className={cx('flex items-start gap-2.5 rounded-6 px-3 py-2.5 text-14 text-ink forced-colors:border', look)}
    >
      <Icon size={20} aria-hidden className={cx('shrink-0', iconLook)} />
      {/* On a phone, the action takes a line of its own. */}
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-2.5 gap-y-2">
        <div className="flex min-w-0 grow basis-40 flex-col gap-0.5 wrap-anywhere">
          {title !== undefined && <p className="font-medium">{title}</p>}
          {children !== undefined && <div className={cx(title !== undefined && 'text-soft')}>{children}</div>}
        </div>
        {action}
      </div>
    </div>
  );
}
