import { type ExperienceKind, experienceKinds } from '@usher/domain/kinds';
import { Plus, UserPlus } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import type { Command } from '../ui/command-palette.tsx';

const { create: words } = text.frame;

/** The commands that create a record from every page, as far as the person may. */
export function useCreateCommands(): Command[] {
  const { can, user } = useSession();
  const [, navigate] = useLocation();
  if (user.role === 'translator') return [];
  const command = (label: string, path: string, icon = Plus): Command => ({
    ...{ id: path, label, icon, words: words.otherWords },
    onRun: () => navigate(path),
  });
  const newKind = (kind: ExperienceKind) => command(words.kind(kind), `/app/experiences?kind=${kind}&dialog=new`);
  return [
    ...(can('edit')
      ? [
          ...experienceKinds.map(newKind),
          command(words.segment, '/app/segments/new'),
          command(words.theme, '/app/themes?dialog=new'),
          command(words.domain, '/app/domains?dialog=new'),
          command(words.webhook, '/app/settings/webhooks?dialog=new'),
        ]
      : []),
    ...(can('own')
      ? [
          command(words.invitation, '/app/settings/team?dialog=new', UserPlus),
          command(words.secret, '/app/settings/secrets?dialog=new'),
        ]
      : []),
  ];
}
