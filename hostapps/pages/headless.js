import {
  Dialog,
  DialogPanel,
  Menu,
  MenuButton,
  MenuItem,
  MenuItems,
  Popover,
  PopoverButton,
  PopoverPanel,
} from '@headlessui/vue';
import { createApp } from 'vue';

createApp({
  components: { Dialog, DialogPanel, Menu, MenuButton, MenuItem, MenuItems, Popover, PopoverButton, PopoverPanel },
  data: () => ({ isOpen: false }),
  template: `<main>
    <h1>Headless UI</h1>
    <button @click="isOpen = true">Open dialog</button>
    <Dialog :open="isOpen" @close="isOpen = false">
      <div style="position: fixed; inset: 0; background: #0008" aria-hidden="true"></div>
      <div style="position: fixed; inset: 30%; background: #fff">
        <DialogPanel class="window"><input class="field" placeholder="Name"><button>OK</button></DialogPanel>
      </div>
    </Dialog>
    <Popover>
      <PopoverButton>Open popover</PopoverButton>
      <PopoverPanel class="window" style="position: absolute; background: #eee; padding: 20px">
        <input class="field" placeholder="Name">
      </PopoverPanel>
    </Popover>
    <Menu>
      <MenuButton>Open menu</MenuButton>
      <MenuItems class="window" style="position: absolute; background: #eee; padding: 20px">
        <MenuItem class="field"><button>First item</button></MenuItem>
      </MenuItems>
    </Menu>
    <p v-for="row in 40" class="row">Row {{ row }} of the page</p>
  </main>`,
}).mount('#root');
