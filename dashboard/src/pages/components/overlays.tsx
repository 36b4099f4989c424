import { House, Plus, Settings } from 'lucide-react';
import { useState } from 'react';
import { Section } from '../../app/page.tsx';
import { Button } from '../../ui/button.tsx';
import { CommandPalette } from '../../ui/command-palette.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { ShortcutsSheet } from '../../ui/shortcuts-sheet.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Examples } from './examples.tsx';

export function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'palette' | 'shortcuts' | undefined>();
  const [last, setLast] = useState('nothing yet');
  const close = () => setOpen(undefined);
  return (
    <Section title="Dialogs and toasts" intro={`Last action: ${last}`}>
      <Examples>
        <Button onPress={() => setOpen('dialog')}>Open dialog</Button>
        <Button onPress={() => setOpen('confirm')}>Open confirmation</Button>
        <Button onPress={() => setOpen('palette')}>Open palette</Button>
        <Button onPress={() => setOpen('shortcuts')}>Open shortcuts</Button>
        <Button onPress={() => showToast({ title: 'Tour archived', onUndo: () => setLast('undone') })}>
          Show toast
        </Button>
        <Button
          onPress={() =>
            showToast({ kind: 'error', title: 'This did not work', description: 'The server cannot be reached.' })
          }
        >
          Show error
        </Button>
      </Examples>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="Rename tour"
        description="Only your team sees the name."
        onSubmit={() => {
          setLast('renamed');
          close();
        }}
        buttons={
          <>
            <Button onPress={close}>Cancel</Button>
            <Button look="primary" type="submit">
              Rename tour
            </Button>
          </>
        }
      >
        <TextField label="Name" defaultValue="Welcome tour" autoFocus />
      </Dialog>
      <ConfirmDialog
        isOpen={open === 'confirm'}
        onClose={close}
        title="Delete secret"
        description="Programs that use it stop working immediately. This cannot be undone."
        phrase="Backend"
        action="Delete secret"
        onConfirm={() => {
          setLast('deleted');
          close();
        }}
      />
      <CommandPalette
        isOpen={open === 'palette'}
        onClose={close}
        groups={[
          {
            title: 'Pages',
            commands: [
              { id: 'home', label: 'Home', icon: House, keys: 'g h', onRun: () => setLast('home') },
              { id: 'settings', label: 'Settings', icon: Settings, keys: 'g s', onRun: () => setLast('settings') },
            ],
          },
          {
            title: 'Actions',
            commands: [
              { id: 'new', label: 'New tour', description: 'From a template', icon: Plus, onRun: () => setLast('new') },
            ],
          },
        ]}
      />
      <ShortcutsSheet
        isOpen={open === 'shortcuts'}
        onClose={close}
        groups={[
          {
            title: 'Anywhere',
            shortcuts: [
              { keys: 'mod+k', label: 'Search' },
              { keys: '?', label: 'Show this sheet' },
            ],
          },
          { title: 'In lists', shortcuts: [{ keys: 'enter', label: 'Open row' }] },
        ]}
      />
    </Section>
  );
}
