import { cx } from './cx.ts';
import { displayKeys } from './display-keys.ts';

/** The keys of a shortcut, as they are named on the reader's keyboard: `mod+k` is ⌘K or Ctrl K. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={cx('inline-flex gap-0.5', className)}>
      {displayKeys(keys).map((key) => (
        <kbd
          key={key}
          className="inline-grid h-4.5 min-w-4.5 place-items-center rounded-4 border border-line bg-ground px-1 text-12 leading-none text-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
