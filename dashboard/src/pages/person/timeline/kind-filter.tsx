import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import * as text from '../../../messages/text.ts';
import { type TimelineKind, timelineKinds } from './timeline-entry.ts';

const texts = text.person.timeline;
const look =
  'flex h-7 items-center rounded-full border border-edge/60 bg-surface px-3 text-13 whitespace-nowrap text-soft transition-colors ' +
  'data-hovered:bg-hover data-selected:border-accent data-selected:bg-accent-tint data-selected:text-accent forced-colors:data-selected:bg-[Highlight]';

interface KindFilterProps {
  kinds: readonly TimelineKind[];
  onChange: (kinds: readonly TimelineKind[]) => void;
}

/** Chooses several kinds. Without a choice everything is shown. */
export function KindFilter({ kinds, onChange }: KindFilterProps) {
  return (
    <div className="flex flex-wrap gap-1.5">
      <ToggleButton isSelected={kinds.length === 0} onChange={() => onChange([])} className={look}>
        {texts.all}
      </ToggleButton>
      <ToggleButtonGroup
        aria-label={texts.filter}
        selectionMode="multiple"
        selectedKeys={kinds}
        onSelectionChange={(keys) => onChange([...keys] as TimelineKind[])}
        className="contents"
      >
        {timelineKinds.map((kind) => (
          <ToggleButton key={kind} id={kind} className={look}>
            {texts.kinds[kind]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </div>
  );
}
