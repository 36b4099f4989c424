import * as text from '../messages/text.ts';
import { cx } from '../ui/cx.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** Takes the place of a tab while its code is loading. */
export function TabSkeleton({ className }: { className?: string }) {
  return (
    <div role="status" aria-label={text.frame.loadingPage} className={cx('flex flex-col gap-3', className)}>
      <Skeleton width="40%" />
      <Skeleton width="64%" />
      <Skeleton width="52%" />
    </div>
  );
}
