import { UserRound } from 'lucide-react';
import { initialsOf } from './initials-of.ts';

/** The first letters of a name, in a circle; an icon if the name has no letters. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-tint text-12 font-semibold text-accent select-none forced-colors:border"
    >
      {initialsOf(name) || <UserRound size={16} />}
    </span>
  );
}
