/* A small single-page application, as it might be without Usher. The lines that use Usher are marked. */

const projects = [
  { id: 'atlas', name: 'Atlas redesign', lead: 'Robin Meyer', status: 'In review', done: 82 },
  { id: 'checkout', name: 'Checkout', lead: 'Tomasz Lis', status: 'On track', done: 64 },
  { id: 'pricing', name: 'Pricing page', lead: 'Ines Duarte', status: 'On track', done: 100 },
  { id: 'mobile', name: 'Mobile app', lead: 'Ines Duarte', status: 'At risk', done: 31 },
  { id: 'search', name: 'Search that finds', lead: 'Robin Meyer', status: 'On track', done: 47 },
  { id: 'docs', name: 'New documentation', lead: 'Tomasz Lis', status: 'At risk', done: 18 },
];
const people = [
  { name: 'Robin Meyer', email: 'robin@harbor.example', role: 'Owner' },
  { name: 'Ines Duarte', email: 'ines@harbor.example', role: 'Editor' },
  { name: 'Tomasz Lis', email: 'tomasz@harbor.example', role: 'Editor' },
  { name: 'Priya Nair', email: 'priya@harbor.example', role: 'Editor' },
  { name: 'Jonas Bakke', email: 'jonas@harbor.example', role: 'Viewer' },
  { name: 'Mei Tanaka', email: 'mei@harbor.example', role: 'Viewer' },
  { name: 'Sam Okoro', email: 'sam@harbor.example', role: 'Viewer' },
];
const one = (selector, within = document) => within.querySelector(selector);
const page = one('#page');
let filter = '';

/** `make('b', {class: 'x'}, 'text')` */
function make(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

/* Pages */

const pages = {
  '': { name: 'dashboard', title: 'Dashboard', fill: () => one('#active', page).replaceChildren(projects.length) },
  projects: { name: 'projects', title: 'Projects', fill: fillProjects },
  team: { name: 'team', title: 'Team', fill: fillTeam },
  settings: {
    ...{ name: 'settings', title: 'Settings' },
    fill: () => one('#save', page).addEventListener('click', () => say('Saved.')),
  },
};

function show() {
  const [, first = '', id] = /^\/demo\/?([^/]*)\/?([^/]*)/.exec(location.pathname) ?? [];
  const project = first === 'projects' && projects.find((one) => one.id === id);
  const found = project
    ? { name: 'project', title: project.name, fill: () => fillProject(project) }
    : (pages[first] ?? pages['']);
  page.replaceChildren(one(`#${found.name}`).content.cloneNode(true));
  found.fill();
  document.title = `${found.title} · Harbor`;
  for (const link of document.querySelectorAll('[data-nav]'))
    link.toggleAttribute('aria-current', link.dataset.nav === (project ? 'projects' : found.name));
}

function fillProjects() {
  for (const button of page.querySelectorAll('[data-filter]'))
    button.addEventListener('click', () => {
      filter = button.dataset.filter;
      list();
    });
  list();
}

function list() {
  const words = one('#search').value.trim().toLowerCase();
  const fits = ({ name, status }) => (filter === '' || status === filter) && name.toLowerCase().includes(words);
  for (const button of page.querySelectorAll('[data-filter]'))
    button.setAttribute('aria-pressed', String(button.dataset.filter === filter));
  const rows = projects.filter(fits).map(({ id, name, lead, status, done }) => {
    const bar = make('progress', { max: '100', value: String(done), 'aria-label': `${done} %` });
    const pill = make('span', { class: `pill ${status.toLowerCase().replace(' ', '-')}` }, status);
    const link = make('a', { href: `/demo/projects/${id}` }, name);
    return make('li', {}, link, make('span', { class: 'lead' }, lead), pill, bar);
  });
  one('#list', page).replaceChildren(...rows);
  one('#empty', page).hidden = rows.length > 0;
}

function fillProject({ name, lead, status, done }) {
  for (const place of page.querySelectorAll('[data-name]')) place.textContent = name;
  one('[data-lead]', page).textContent = lead;
  one('[data-status]', page).textContent = status.toLowerCase();
  one('[data-done]', page).value = done;
  one('[data-done]', page).setAttribute('aria-label', `${done} %`);
}

function fillTeam() {
  one('#open-invite', page).addEventListener('click', () => one('#invite').showModal());
  const rows = people.map(({ name, email, role }, index) => {
    const initials = name.replace(/(\w)\w* ?/g, '$1');
    const face = make(
      'span',
      { class: `face small ${['', 'two', 'three'][index % 3]}`, 'aria-hidden': 'true' },
      initials,
    );
    const who = make('span', { class: 'who' }, make('b', {}, name), make('span', { class: 'hint' }, email));
    return make('li', {}, face, who, make('span', { class: 'pill in-review' }, role));
  });
  one('#people', page).replaceChildren(...rows);
}

/* Going from page to page without loading one */

function go(address) {
  history.pushState(null, '', address);
  show();
  scrollTo(0, 0);
  page.focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/demo"]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
addEventListener('popstate', show);

/* Making things */

let silence;
function say(text) {
  const toast = one('#toast');
  toast.textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => toast.replaceChildren(), 4000);
}

one('#new-project').addEventListener('click', () => one('#create').showModal());
one('#search').addEventListener('input', ({ target }) => {
  if (location.pathname === '/demo/projects') return list();
  go('/demo/projects');
  target.focus();
});
for (const button of document.querySelectorAll('[data-close]'))
  button.addEventListener('click', () => button.closest('dialog').close('cancel'));

one('#create form').addEventListener('submit', (event) => {
  const { name, lead } = Object.fromEntries(new FormData(event.target));
  projects.unshift({ id: `new-${projects.length}`, name, lead, status: 'On track', done: 0 });
  event.target.reset();
  go('/demo/projects');
  say(`“${name}” is there.`);
  // Usher: what the user did. It meets the goal of the tour.
  usher.track('project_created', { lead });
});
one('#invite form').addEventListener('submit', (event) => {
  const { email, role } = Object.fromEntries(new FormData(event.target));
  people.push({ name: email.split('@')[0], email, role });
  event.target.reset();
  show();
  say('The invitation is on its way.');
  usher.track('person_invited', { role });
});

show();

/* Usher: who the user is. A product takes this from its session. */

const key = 'harbor-user';
const newUid = () => `demo-${Math.random().toString(36).slice(2, 8)}`;
const kept = {
  get: () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set: (uid) => {
    try {
      localStorage.setItem(key, uid);
    } catch {
      // Without storage, the next page load has another user.
    }
  },
};
const uid = kept.get() ?? newUid();
kept.set(uid);
one('#who').textContent = uid;
// Nothing here is signed, so this page can add to what is known of the user, but change nothing that a backend sent.
// A product signs the user on its server and sends `identity_hash` too: see docs/guides/install-the-snippet.md.
usher.identify(uid, {
  first_name: 'Robin',
  plan: 'trial',
  role: 'owner',
  company: { uid: 'harbor-studio' },
});
one('#restart').addEventListener('click', () => {
  kept.set(newUid());
  location.assign('/demo/');
});
