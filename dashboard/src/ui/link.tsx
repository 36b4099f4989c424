import type { ReactNode } from 'react';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import { cx } from './cx.ts';

interface LinkProps extends Omit<AriaLinkProps, 'children' | 'className'> {
  children: ReactNode;
  className?: string;
}

/** A link within the dashboard, or to another site if its address has an origin. */
export function Link({ children, className, ...props }: LinkProps) {
  const isExternal = /^https?:/.test(props.href ?? '');
  return (
    <AriaLink
      {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
      {...props}
      className={cx(
        'rounded-4 text-accent underline decoration-accent/40 underline-offset-2 data-hovered:decoration-accent',
        className,
      )}
    >
      {children}
    </AriaLink>
  );
}
