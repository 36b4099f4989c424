import * as Dialog from '@radix-ui/react-dialog';
import * as Menu from '@radix-ui/react-dropdown-menu';
import * as Popover from '@radix-ui/react-popover';
import { createRoot } from 'react-dom/client';
import { Filler, overlay, panel } from './filler.jsx';

function Window({ name, modal }) {
  return (
    <Dialog.Root modal={modal}>
      <Dialog.Trigger>Open {name}</Dialog.Trigger>
      <Dialog.Portal>
        {modal && <Dialog.Overlay style={overlay} />}
        <Dialog.Content className="window" style={panel} aria-describedby={undefined}>
          <Dialog.Title>{name}</Dialog.Title>
          <input className="field" placeholder="Name" />
          <Dialog.Close>Close {name}</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Panel({ name, modal }) {
  return (
    <Popover.Root modal={modal}>
      <Popover.Trigger>Open {name}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="window" style={{ background: '#eee', padding: 20 }} side="bottom">
          <input className="field" placeholder="Name" />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

createRoot(document.getElementById('root')).render(
  <main>
    <h1>Radix</h1>
    <Window name="dialog" modal />
    <Window name="non-modal dialog" modal={false} />
    <Panel name="popover" modal={false} />
    <Panel name="modal popover" modal />
    <Menu.Root>
      <Menu.Trigger>Open menu</Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className="window" style={{ background: '#eee', padding: 20 }}>
          <Menu.Item className="field">First item</Menu.Item>
          <Menu.Item>Second item</Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
    <Filler />
  </main>,
);
