import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Keys } from './keys.tsx';

/** Names a control, or explains it. The child must be focusable. */
export function Tooltip({ text, keys, children }: { text: string; keys?: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {children}
      <AriaTooltip
        offset={6}
        className="float-in flex max-w-72 items-center gap-2 rounded-6 bg-raised px-2 py-1 text-12 text-ink shadow-float"
      >
        {text}
        {keys !== undefined && <Keys keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}
