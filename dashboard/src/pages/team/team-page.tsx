import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import { useNewDialogState } from '../../app/use-new-dialog.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { Publishing } from './publishing.tsx';
import { adminsQuery } from './queries.ts';
import { RoleTable } from './role-table.tsx';
import { TeamTable } from './team-table.tsx';

const team = text.team;

export default function TeamPage() {
  const { account } = useSession();
  const [isInviting, setInviting] = useNewDialogState();
  const { data, error } = useQuery(adminsQuery);
  const invite = () => setInviting(true);
  useShortcuts([{ keys: 'c', label: team.invite.open, onPress: invite }]);
  return (
    <Page
      title={team.title}
      intro={team.intro(account.name)}
      actions={
        <Button look="primary" icon={UserPlus} onPress={invite}>
          {team.invite.open}
        </Button>
      }
    >
      <ErrorNotice error={error} />
      {(data || !error) && <TeamTable admins={data?.admins} />}
      <Invitations onInvite={invite} />
      <Publishing />
      <RoleTable />
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}
