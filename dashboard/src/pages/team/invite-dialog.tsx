import { roles as allRoles } from '@usher/domain';
import { useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choice.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog, FormDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Admin } from './queries.ts';

const { invite } = text.team;
const roles = text.roles;

/** The API takes at most this many characters. */
const MAX_NOTE = 200;

/** First asks for the role and a note, then shows the link once. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [role, setRole] = useState<Admin['role']>('viewer');
  const [note, setNote] = useState('');
  const create = useSend('POST /v3/edit/invitations');
  const url = create.data?.invitation.url ?? undefined;
  const close = () => {
    create.reset();
    setRole('viewer');
    setNote('');
    onClose();
  };
  if (url !== undefined)
    return (
      <Dialog
        isOpen={isOpen}
        onClose={close}
        keepsOpen
        size="medium"
        title={invite.title}
        description={invite.ready(roles[role].name)}
        buttons={
          <Button look="primary" onPress={close}>
            {invite.done}
          </Button>
        }
      >
        <CodeBlock label={invite.link} code={url} autoFocus />
        <p className="text-13 text-soft">{invite.once}</p>
      </Dialog>
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title={invite.title}
      onSubmit={() => !create.isPending && create.mutate({ role, ...(note.trim() !== '' && { note: note.trim() }) })}
      action={invite.action}
      isPending={create.isPending}
      focusesAction
    >
      <ErrorNotice error={create.error} />
      <RadioGroup
        label={invite.role}
        value={role}
        onChange={setRole}
        options={allRoles.toReversed().map((value) => ({ value, label: roles[value].name, help: roles[value].help }))}
      />
      <TextField
        label={invite.note}
        placeholder={invite.notePlaceholder}
        help={invite.noteHelp}
        value={note}
        onChange={setNote}
        maxLength={MAX_NOTE}
        isOptional
        autoComplete="off"
      />
    </FormDialog>
  );
}
