import * as text from '../messages/text.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** Takes the place of the sections of a form while they load, in their final heights. */
export function FormSkeleton({ label, heights }: { label: string; heights: readonly number[] }) {
  return (
    <div role="status" aria-label={text.ui.loading(label)} className="flex flex-col gap-6">
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className="rounded-10 border border-line bg-surface p-5" style={{ height }}>
          <div className="flex flex-col gap-4">
            <Skeleton width={160} height={16} />
            <Skeleton width="72%" />
            <Skeleton width="40%" />
          </div>
        </div>
      ))}
    </div>
  );
}
