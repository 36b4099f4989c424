import type { ReactNode } from 'react';
import { Link as AriaLink, type LinkProps as AriaLinkProps } from 'react-aria-components/Link';
import { cx } from './cx.ts';

interface LinkProps extends Omit<AriaLinkProps, 'children' | 'className'> {
  children: ReactNode;
  className?: string;
  /** For lists where many names are links: the link has the color of the text around it, and is underlined on hover. */
  isQuiet?: boolean;
}

/** A link within the dashboard, or to another site if its address has an origin. */
export function Link({ children, className, isQuiet = false, ...props }: LinkProps) {
  const isExternal = /^https?:/.test(props.href ?? '');
  return (
    <AriaLink
      {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
      {...props}
      className={cx(
        'rounded-4 underline underline-offset-2',
        isQuiet
          ? 'decoration-transparent data-hovered:decoration-current'
          : 'text-accent decoration-accent/40 data-hovered:decoration-accent',
        className,
      )}
    >
      {children}
    </AriaLink>
  );
}
