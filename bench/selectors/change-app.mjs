import { listItems } from './create-app.mjs';
import { actions, icons, records, sections } from './words.mjs';

/** @typedef {import('./create-app.mjs').Item} Item */
/** @typedef {ReturnType<typeof import('./random.mjs').createRandom>} Random */

/**
 * What a build and its release decide.
 * @typedef {object} Deploy
 * @property {string} salt of all hashes
 * @property {number} firstId of the IDs that are counted
 * @property {'en' | 'de'} language
 * @property {ReadonlySet<string>} reworded the keys of the items whose text has changed
 * @property {ReadonlySet<string>} renamed the keys of the items that have another name in the code now
 * @property {ReadonlySet<string>} wrapped the keys of the items with a further element around them
 */

/** @type {Deploy} */
export const firstDeploy = {
  ...{ salt: 'first', firstId: 1, language: 'en' },
  ...{ reworded: new Set(), renamed: new Set(), wrapped: new Set() },
};

/** How likely a deploy makes each change. Hashes and counted IDs always change. */
const likelihood = { insert: 0.7, remove: 0.4, reorder: 0.5, wrap: 0.6, reword: 0.5, rename: 0.4, language: 0.25 };

/**
 * The application after a deploy.
 * @param {Item} before
 * @param {Random} random
 * @returns {{ app: Item, deploy: Deploy, changes: string[] }}
 */
export function changeApp(before, random) {
  const app = structuredClone(before);
  const changes = Object.entries(likelihood).flatMap(([name, chance]) => (random.next() < chance ? [name] : []));
  const has = (/** @type {string} */ change) => changes.includes(change);
  if (has('insert')) insertItems(app, random);
  if (has('remove')) removeItems(app, random);
  if (has('reorder'))
    for (const list of listItems(app)) if (list.isList && random.next() < 0.6) list.items = random.shuffle(list.items);
  const sample = (/** @type {string} */ change, /** @type {number} */ share) =>
    new Set(has(change) ? listItems(app).flatMap(({ key }) => (random.next() < share ? [key] : [])) : []);
  /** @type {Deploy} */
  const deploy = {
    ...{ salt: 'second', firstId: random.between(2, 60), language: has('language') ? 'de' : 'en' },
    ...{ reworded: sample('reword', 0.25), renamed: sample('rename', 0.1), wrapped: sample('wrap', 0.15) },
  };
  return { app, deploy, changes };
}

/** Adds siblings of the same kind to lists, a button beside other elements, and a banner above everything. @param {Item} app @param {Random} random */
function insertItems(app, random) {
  const words = { link: sections, tab: sections, button: actions, 'icon-button': icons, card: records, row: records };
  for (const parent of listItems(app)) {
    const model = random.pick(parent.items.length > 0 ? parent.items : [app]);
    const taken = parent.items.map(({ name }) => name);
    const list =
      words[/** @type {keyof typeof words} */ (model.role)]?.filter(({ name }) => !taken.includes(name)) ?? [];
    if (list.length === 0 || random.next() > 0.35) continue;
    const { name, texts } = random.pick(list);
    // A row or a card comes with everything that is inside of the others.
    const added = structuredClone({ ...model, name, ...(model.texts && { texts }) });
    for (const item of listItems(added)) item.key = `added ${item.key}`;
    for (const item of listItems(added)) if (/title|record/.test(item.role)) Object.assign(item, { name, texts });
    parent.items.splice(random.between(0, parent.items.length), 0, added);
  }
  if (random.next() < 0.5)
    app.items.unshift({
      key: 'added banner',
      role: 'banner',
      name: 'announcement',
      items: [{ ...bannerButton, items: [] }],
    });
}

const bannerButton = {
  ...{ key: 'added banner button', role: 'button', name: 'read-news' },
  texts: { en: 'Read more', changed: 'Read more', de: 'Mehr lesen' },
};

/** @param {Item} app @param {Random} random */
function removeItems(app, random) {
  for (const parent of listItems(app))
    if (parent !== app && parent.items.length > 2 && random.next() < 0.25)
      parent.items.splice(random.between(0, parent.items.length - 1), 1);
}
