import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Keys } from './keys.tsx';

export interface TooltipProps {
  text: string;
  keys?: string;
  /** The side where the tooltip opens. In lists it opens sideways, so that it does not cover the row above. */
  placement?: 'top' | 'left' | 'right';
  children: ReactElement;
}

/** Names a control, or explains it. The child must be focusable. */
export function Tooltip({ text, keys, placement = 'top', children }: TooltipProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {children}
      <AriaTooltip
        placement={placement}
        offset={6}
        className="float-in flex max-w-72 items-center gap-2 rounded-6 bg-raised px-2 py-1 text-12 text-ink shadow-float"
      >
        {text}
        {keys !== undefined && <Keys keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
