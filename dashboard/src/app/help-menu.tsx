import { BookOpen, CircleHelp, Keyboard, Library } from 'lucide-react';
import { useLocation } from 'wouter';
import * as text from '../messages/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { findAppRoute } from './find-route.ts';
import { guideOf } from './guide-of.ts';
import { SHORTCUTS } from './shortcuts.ts';

const { help } = text.frame;

/** The guide of this page, all guides, and the shortcuts. The guides come from the same server. */
export function HelpMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const [path] = useLocation();
  const found = findAppRoute(path);
  const guide = found && guideOf(found.route, found.params);
  return (
    <Menu
      label={help.title}
      placement="bottom end"
      trigger={<IconButton icon={CircleHelp} label={help.title} data-tour="help" />}
      groups={[
        {
          entries: [
            ...(guide === undefined
              ? []
              : [
                  {
                    id: 'guide',
                    label: help.guide(found?.route.title ?? ''),
                    icon: BookOpen,
                    href: `/docs/${guide}`,
                    opensTab: true,
                  },
                ]),
            { id: 'guides', label: help.all, icon: Library, href: '/docs', opensTab: true },
          ],
        },
        {
          entries: [
            {
              id: 'shortcuts',
              label: text.frame.shortcuts,
              icon: Keyboard,
              keys: SHORTCUTS.sheet.keys,
              onAction: onShortcuts,
            },
          ],
        },
      ]}
    />
  );
}
