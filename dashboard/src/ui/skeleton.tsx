/** Takes the place of a text that loads, in its final size. */
export function Skeleton({ width = '100%', height = 12 }: { width?: string | number; height?: number }) {
  return <span aria-hidden className="skeleton block" style={{ width, height }} />;
}

/** Takes the place of a page that loads. */
export function PageSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-6 py-1">
      <Skeleton width={180} height={24} />
      <div className="flex flex-col gap-3">
        <Skeleton width="64%" />
        <Skeleton width="48%" />
        <Skeleton width="56%" />
      </div>
    </div>
  );
}
