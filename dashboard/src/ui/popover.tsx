import type { ReactElement, ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover';
import { cx } from './cx.ts';

/** The look of menus, lists and everything else that opens beside a control. */
export const popoverLook = 'float-in rounded-10 bg-raised text-ink shadow-float outline-none';

interface PopoverProps extends Omit<AriaPopoverProps, 'children' | 'className' | 'trigger'> {
  /** The button that opens it. */
  trigger: ReactElement;
  /** The accessible name of the popover. */
  label: string;
  children: ReactNode | ((props: { close: () => void }) => ReactNode);
  className?: string;
}

export function Popover({ trigger, label, children, className, ...props }: PopoverProps) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover offset={6} {...props} className={popoverLook}>
        <Dialog aria-label={label} className={cx('p-4 outline-none', className)}>
          {children}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
