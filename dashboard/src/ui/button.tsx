import type { LucideIcon } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { cx } from './cx.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip, type TooltipProps } from './tooltip.tsx';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

const base =
  'relative inline-flex items-center justify-center gap-1.5 rounded-6 font-medium whitespace-nowrap select-none transition-colors ' +
  'disabled:opacity-45 forced-colors:border';

const looks: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent data-hovered:bg-accent-strong data-pressed:bg-accent-strong',
  plain: 'border border-edge/60 bg-surface text-ink data-hovered:bg-hover data-pressed:bg-pressed',
  quiet: 'text-soft data-hovered:bg-hover data-hovered:text-ink data-pressed:bg-pressed',
  danger: 'bg-bad text-on-bad data-hovered:bg-bad-strong data-pressed:bg-bad-strong',
};

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className'> {
  children: ReactNode;
  look?: ButtonLook;
  size?: 'small' | 'medium';
  icon?: LucideIcon;
  className?: string;
}

/** A verb with its object: "Publish tour". While it is pending, it keeps its width and cannot be pressed again. */
export function Button({ children, look = 'plain', size = 'medium', icon: Icon, className, ...props }: ButtonProps) {
  const height = size === 'small' ? 'h-7 px-2 text-13' : 'h-8 px-3 text-14';
  return (
    <AriaButton {...props} className={cx(base, height, looks[look], className)}>
      {({ isPending }) => (
        <>
          {isPending && (
            <span className="absolute inset-0 grid place-items-center">
              <Spinner />
            </span>
          )}
          <span className={cx('inline-flex items-center gap-1.5', isPending && 'opacity-0')}>
            {Icon && <Icon size={16} aria-hidden />}
            {children}
          </span>
        </>
      )}
    </AriaButton>
  );
}

export interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'aria-label'> {
  ref?: Ref<HTMLButtonElement>;
  icon: LucideIcon;
  /** The accessible name of the button. It is also the tooltip, unless there is another one. */
  label: string;
  tooltip?: Pick<TooltipProps, 'text' | 'placement'>;
  /** The keys that do the same, shown in the tooltip. */
  keys?: string;
  size?: 'small' | 'medium';
  look?: 'plain' | 'quiet';
  className?: string;
}

/** An icon with its word in a tooltip. */
export function IconButton({
  icon: Icon,
  label,
  tooltip = { text: label },
  keys,
  size = 'medium',
  look = 'quiet',
  className,
  ...props
}: IconButtonProps) {
  return (
    <Tooltip {...tooltip} {...(keys !== undefined && { keys })}>
      <AriaButton
        {...props}
        aria-label={label}
        className={cx(base, size === 'small' ? 'size-7' : 'size-8', looks[look], className)}
      >
        <Icon size={16} aria-hidden />
      </AriaButton>
    </Tooltip>
  );
}
