import { UserRound } from 'lucide-react';
import { cx } from './cx.ts';
import { initialsOf } from './initials-of.ts';

const sizes = { medium: 'size-7 text-12', large: 'size-12 text-16' };

/** The first letters of a name, in a circle; an icon if the name has no letters. */
export function Avatar({ name, size = 'medium' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden
      className={cx(
        'grid shrink-0 place-items-center rounded-full bg-accent-tint font-semibold text-accent select-none forced-colors:border',
        sizes[size],
      )}
    >
      {initialsOf(name) || <UserRound size={size === 'large' ? 20 : 16} />}
    </span>
  );
}
