/** The first letters of a name, in a circle. */
export function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-7 place-items-center rounded-full bg-accent-tint text-12 font-semibold text-accent select-none forced-colors:border"
    >
      {initialsOf(name)}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word = '') => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}
