import { Ellipsis } from 'lucide-react';
import * as text from '../messages/text.ts';
import { IconButton } from './button.tsx';
import { Menu, type MenuGroup } from './menu.tsx';

/** The menu at the end of a row. Its label names the row; its tooltip opens sideways, where it covers no other row. */
export function ActionsMenu({ label, groups }: { label: string; groups: readonly MenuGroup[] }) {
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={
        <IconButton
          icon={Ellipsis}
          size="small"
          label={label}
          tooltip={{ text: text.ui.actions, placement: 'right' }}
        />
      }
      groups={groups}
    />
  );
}
