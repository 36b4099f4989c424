import { actions, fields, icons, records, sections } from './words.mjs';

/*
 * An application as its developers think of it: elements with a role, a name in the code and words. How it becomes HTML is a matter of
 * its style (render-app.mjs); what a deploy does to it is in change-app.mjs.
 */

/**
 * @typedef {object} Item
 * @property {string} key names it before and after a deploy; pages do not contain it
 * @property {string} role
 * @property {string} name
 * @property {string} [block] the component that it belongs to
 * @property {import('./words.mjs').Words['texts']} [texts]
 * @property {number} [count] a number in its text
 * @property {boolean} [isTarget]
 * @property {boolean} [isList] its items can be reordered, and there can be more of them
 * @property {Item[]} items
 */

/** @param {ReturnType<typeof import('./random.mjs').createRandom>} random @returns {Item} */
export function createApp(random) {
  let count = 0;
  /** @type {(role: string, words: { name: string, texts?: Item['texts'] }, items?: Item[], more?: Partial<Item>) => Item} */
  const item = (role, { name, texts }, items = [], more = {}) => ({
    ...{ key: `${role} ${name} ${count++}`, role, name, items, isTarget: true },
    ...(texts && { texts }),
    ...more,
  });
  const box = (/** @type {string} */ role, /** @type {string} */ name, /** @type {Item[]} */ items, more = {}) =>
    item(role, { name }, items, { isTarget: false, ...more });
  const some = (
    /** @type {readonly import('./words.mjs').Words[]} */ list,
    /** @type {number} */ min,
    /** @type {number} */ max,
  ) => random.shuffle(list).slice(0, random.between(min, max));
  const links = (/** @type {number} */ min, /** @type {number} */ max) =>
    some(sections, min, max).map((words) =>
      item('link', words, [], random.next() < 0.2 ? { count: random.between(1, 40) } : {}),
    );

  const parts = {
    toolbar: () =>
      box(
        'toolbar',
        'toolbar',
        some(actions, 3, 5).map((words) => item('button', words)),
        { isList: true },
      ),
    tabs: () =>
      box(
        'tabs',
        'tabs',
        some(sections, 3, 4).map((words) => item('tab', words)),
        { isList: true },
      ),
    cards: () =>
      box(
        'cards',
        'card-list',
        some(records, 3, 5).map((words) => {
          const parts = [
            item('card-title', words),
            item('text', { name: 'summary', texts: texts('Last change by a colleague') }),
          ];
          const open = item('button', { name: 'open-card', texts: texts('Open', 'View', 'Öffnen') });
          return item('card', { name: words.name }, [...parts, open]);
        }),
        { isList: true },
      ),
    table: () =>
      box(
        'table',
        'customer-table',
        some(records, 3, 5).map((words) => {
          const cells = [
            box('cell', 'name-cell', [item('record-link', words)]),
            box('cell', 'total-cell', [
              item('text', { name: 'total', texts: texts('Total') }, [], {
                count: random.between(100, 999),
                isTarget: false,
              }),
            ]),
          ];
          return box('row', words.name, [
            ...cells,
            box('cell', 'action-cell', [
              item('button', { name: 'edit-row', texts: texts('Edit', 'Change', 'Bearbeiten') }),
            ]),
          ]);
        }),
        { isList: true },
      ),
    form: () =>
      box('form', random.pick(['profile-form', 'account-form', 'signup-form']), [
        ...some(fields, 3, 6).map((words) =>
          box('field', words.name, [
            item('label', words, [], { isTarget: random.next() < 0.3 }),
            item(inputRoleOf(words.name), words),
          ]),
        ),
        box(
          'form-actions',
          'form-actions',
          [
            item('submit', random.pick(actions)),
            item('button', { name: 'cancel', texts: texts('Cancel', 'Never mind', 'Abbrechen') }),
          ],
          { isList: true },
        ),
      ]),
    panel: () =>
      box('panel', 'side-panel', [
        item('heading', random.pick(sections)),
        ...some(icons, 1, 2).map((words) => item('icon-button', words)),
        item('text', {
          name: 'hint',
          texts: texts('Everything you need is here', 'All you need, in one place', 'Alles Wichtige an einem Ort'),
        }),
      ]),
    widget: () =>
      box('widget', random.pick(['chat-widget', 'rating-box', 'date-field']), [
        item('button', random.pick(actions)),
        item('input', random.pick(fields.slice(0, 5))),
      ]),
  };
  const chosen = random.shuffle(Object.keys(parts)).slice(0, random.between(3, 5));
  const main = chosen.map((name) => parts[/** @type {keyof typeof parts} */ (name)]());
  const header = [
    item('logo', { name: 'logo', texts: texts('Northwind', 'Northwind', 'Northwind') }),
    box('nav', 'main-nav', links(3, 5), { isList: true }),
    item('search', { name: 'search', texts: texts('Search', 'Find anything', 'Suchen') }),
    ...some(icons, 1, 3).map((words) => item('icon-button', words)),
  ];
  const sidebar =
    random.next() < 0.6 ? [box('sidebar', 'sidebar', [box('nav', 'side-nav', links(4, 7), { isList: true })])] : [];
  const title = item('title', random.pick(sections));
  const footer =
    random.next() < 0.7 ? [box('footer', 'footer', [box('nav', 'footer-nav', links(3, 4), { isList: true })])] : [];
  return box('app', 'app', [
    box('header', 'header', header),
    ...sidebar,
    box('main', 'main', [title, ...main]),
    ...footer,
  ]);
}

function texts(en = '', changed = en, de = `${en} (de)`) {
  return { en, changed, de };
}

/** @param {string} name */
function inputRoleOf(name) {
  if (/country|zone/.test(name)) return 'select';
  return name === 'description' ? 'textarea' : name === 'newsletter' ? 'checkbox' : 'input';
}

/** @param {Item} root @returns {Item[]} */
export function listItems(root) {
  return [root, ...root.items.flatMap(listItems)];
}
