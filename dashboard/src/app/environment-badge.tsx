import * as text from '../messages/text.ts';
import { ColorDot } from '../ui/badge.tsx';
import { cx } from '../ui/cx.ts';
import { readableOn } from '../ui/readable-on.ts';
import { type Environment, environmentColor } from './environment.ts';

type Shown = Pick<Environment, 'name' | 'short_name' | 'style_short_name_color'>;

/** The short name on the color of an Environment, or only its color. Null is no Environment, or all of them. */
export function EnvironmentMark({ environment }: { environment: Omit<Shown, 'name'> | null }) {
  const color = environment && environmentColor(environment);
  if (!environment?.short_name) return <ColorDot color={color ?? 'transparent'} />;
  return (
    <span
      aria-hidden
      className={cx(
        'inline-grid h-4.5 min-w-5 shrink-0 place-items-center rounded-4 border px-1 text-12 leading-none font-semibold whitespace-pre forced-color-adjust-none',
        color ? 'border-ink/20' : 'border-edge text-soft',
      )}
      style={color ? { background: color, color: readableOn(color) } : {}}
    >
      <bdi>{environment.short_name}</bdi>
    </span>
  );
}

/**
 * An Environment with its color and its name. The color never stands alone, so that two Environments are not confused.
 */
export function EnvironmentBadge({ environment }: { environment: Shown | null }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle">
      <EnvironmentMark environment={environment} />
      <span className={cx('truncate', !environment && 'text-soft')}>
        {environment ? <bdi>{environment.name}</bdi> : text.environments.none}
      </span>
    </span>
  );
}
