import { Download, Ellipsis, Eraser, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { download } from '../../api/api.ts';
import { saveFile } from '../../app/save-file.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ClearDialog } from './clear-dialog.tsx';
import { ForgetDialog } from './forget-dialog.tsx';

const texts = text.person.actions;

interface PersonActionsProps {
  person: PersonDetails;
  onForgotten: (deletionId: string) => void;
}

/** The actions for all data about a person. */
export function PersonActions({ person, onForgotten }: PersonActionsProps) {
  const [open, setOpen] = useState<'clear' | 'forget'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={texts.label}
        placement="bottom end"
        trigger={<Button icon={Ellipsis}>{texts.label}</Button>}
        groups={[
          {
            entries: [
              {
                id: 'export',
                label: texts.export,
                description: texts.exportHelp,
                icon: Download,
                onAction: () => void exportPerson(person.id).catch(showError),
              },
            ],
          },
          {
            entries: [
              {
                id: 'clear',
                label: texts.clear,
                description: texts.clearHelp,
                icon: Eraser,
                onAction: () => setOpen('clear'),
              },
              {
                id: 'forget',
                label: texts.forget,
                description: texts.forgetHelp,
                icon: UserRoundX,
                isDanger: true,
                onAction: () => setOpen('forget'),
              },
            ],
          },
        ]}
      />
      {open === 'clear' && <ClearDialog id={person.id} onClose={close} />}
      {open === 'forget' && <ForgetDialog person={person} onClose={close} onForgotten={onForgotten} />}
    </>
  );
}

async function exportPerson(id: string): Promise<void> {
  saveFile(await download('GET /v3/edit/profiles/{id}/export', { id }), `person-${id}.json`);
  showToast({ title: texts.exported });
}
