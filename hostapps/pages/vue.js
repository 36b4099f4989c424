import { Dialog, DialogPanel, Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/vue';
import { createApp, h, ref } from 'vue';
import { createRouter, createWebHashHistory, RouterLink, RouterView } from 'vue-router';
import './vue.css';

/*
 * An application with a router in the hash. It has functions instead of templates, because a strict policy forbids to compile a
 * template in the page.
 */

/** The routes that the router has seen, and what the application was used for. */
window.routes = [];
window.actions = [];
const act = (name) => window.actions.push(name);
const isOpen = ref(false);

const menu = () =>
  h(Menu, { as: 'div' }, () => [
    h(MenuButton, () => 'Actions'),
    h(MenuItems, { class: 'panel' }, () =>
      ['Export', 'Archive'].map((name) => h(MenuItem, () => h('button', { onClick: () => act(name) }, name))),
    ),
  ]);
const trap = () =>
  h(Dialog, { open: isOpen.value, onClose: () => (isOpen.value = false) }, () => [
    h('div', { class: 'cover', 'aria-hidden': 'true' }),
    h(DialogPanel, { class: 'window' }, () => [
      h('input', { name: 'customer', placeholder: 'Customer' }),
      h('button', { onClick: () => act('create') }, 'Create'),
    ]),
  ]);
const modal = () =>
  h('dialog', { id: 'confirm' }, [
    h('p', 'Delete all orders?'),
    h('button', { onClick: () => act('delete') }, 'Delete all'),
  ]);
const popover = () =>
  h('div', { id: 'columns', popover: 'auto' }, [h('button', { onClick: () => act('columns') }, 'Show columns')]);

const Orders = () =>
  h('main', [
    h('h1', 'Orders'),
    menu(),
    h('button', { onClick: () => (isOpen.value = true) }, 'New order'),
    h('button', { onClick: () => document.querySelector('#confirm').showModal() }, 'Delete'),
    h('button', { popovertarget: 'columns' }, 'Columns'),
    h(
      'ul',
      { class: 'orders' },
      Array.from({ length: 60 }, (_, index) => h('li', { onClick: () => act('order') }, [h('b', `${index}`)])),
    ),
    ...[trap(), modal(), popover()],
  ]);
const Settings = () =>
  h('main', [h('h1', 'Settings'), h('button', { class: 'save-settings', onClick: () => act('save') }, 'Save')]);
const Frames = () => {
  const { origin, port } = location;
  return h('main', [
    h('h1', 'Frames'),
    h('iframe', { title: 'Own', src: `${origin}/turbo/one` }),
    h('iframe', { title: 'Payment', src: `http://localhost:${port}/radix/` }),
  ]);
};
const NotFound = () => h('h1', 'Not found');

const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', component: { render: Orders } },
    { path: '/settings', component: { render: Settings } },
    { path: '/frames', component: { render: Frames } },
    { path: '/:path(.*)', component: { render: NotFound } },
  ],
});
router.afterEach(({ fullPath }) => window.routes.push(fullPath));
const links = { Orders: '/', Settings: '/settings' };
const App = () => [
  h(
    'nav',
    Object.entries(links).flatMap(([name, to]) => [h(RouterLink, { to }, () => name), ' ']),
  ),
  h(RouterView),
];
createApp(App).use(router).mount('#root');
