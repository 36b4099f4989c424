import { firstDeploy } from '../selectors/change-app.mjs';
import { listItems } from '../selectors/create-app.mjs';
import { renderApp } from '../selectors/render-app.mjs';
import { actions, fields, icons, records, sections } from '../selectors/words.mjs';

/*
 * One change of the front end at a time, around one element. The search and the suggestions were not built with these: the other
 * benchmark has changes of its own.
 */

/** @typedef {import('../selectors/create-app.mjs').Item} Item */
/** @typedef {import('../selectors/render-app.mjs').Element} Element */
/** @typedef {import('../selectors/styles.mjs').Style} Style */
/** @typedef {ReturnType<typeof import('../selectors/random.mjs').createRandom>} Random */

/**
 * What a change does: to the application, to its deploy, or to the HTML.
 * @typedef {object} Change
 * @property {(app: Item, item: Item, parent: Item, random: Random) => void} [app]
 * @property {Partial<typeof firstDeploy>} [deploy]
 * @property {(root: Element, key: string, random: Random) => void} [html]
 * @property {boolean} [isBreak] whether the element is gone afterwards, or no longer the only one
 */

/** @type {Record<string, Change>} */
export const changes = {
  'hashed classes change': { deploy: { salt: 'another build' } },
  'wrapper added': { html: (root, key) => wrap(parentOf(root, key)) },
  'text translated': { html: (root) => eachOf(root, translate) },
  'attribute renamed': { html: (root) => eachOf(root, renameAttributes) },
  'element moved': { app: moveItem },
  'list reordered': {
    app: (_, __, parent, random) => {
      parent.items = random.shuffle(parent.items);
    },
  },
  'ID prefix changed': { html: (root) => eachOf(root, prefixId) },
  'icon replaced': { html: (root, key) => addIcon(nodeOf(root, key)) },
  removed: { isBreak: true, app: (_, item, parent) => void parent.items.splice(parent.items.indexOf(item), 1) },
  replaced: { isBreak: true, app: (_, item, __, random) => renameItem(item, random), html: forgetKey },
  duplicated: {
    isBreak: true,
    html: (root, key) => {
      const { nodes } = parentOf(root, key);
      const at = nodes.findIndex((node) => node.key === key);
      nodes.splice(at + 1, 0, withoutKeys(/** @type {Element} */ (nodes[at])));
    },
  },
};

const harmless = Object.keys(changes).filter((name) => !changes[name]?.isBreak);
const breaks = Object.keys(changes).filter((name) => changes[name]?.isBreak);

/** A release: three changes that keep the element, and in every second one a break. @param {Random} random */
export function chooseRelease(random) {
  return [...random.shuffle(harmless).slice(0, 3), ...(random.next() < 0.5 ? [random.pick(breaks)] : [])];
}

/**
 * The page after these changes around an element.
 * @param {Item} before
 * @param {string} key
 * @param {Style} style
 * @param {readonly string[]} names
 * @param {Random} random
 * @param {Random} pageRandom of the page: an element gets the same attributes in every build
 */
export function renderChanged(before, key, style, names, random, pageRandom) {
  const app = structuredClone(before);
  const chosen = names.map((name) => /** @type {Change} */ (changes[name]));
  for (const { app: change } of chosen) {
    const parent = listItems(app).find(({ items }) => items.some((item) => item.key === key));
    const item = parent?.items.find((item) => item.key === key);
    if (parent && item) change?.(app, item, parent, random);
  }
  const deploy = Object.assign({ ...firstDeploy }, ...chosen.map(({ deploy }) => deploy));
  const root = renderApp(app, style, deploy, pageRandom);
  for (const { html } of chosen) if (nodesOf(root).some((node) => node.key === key)) html?.(root, key, random);
  return { root, isBreak: chosen.some(({ isBreak }) => isBreak) };
}

/** @param {Element} root @returns {Element[]} */
function nodesOf(root) {
  return [root, ...root.nodes.flatMap(nodesOf)];
}

/** @param {Element} root @param {(node: Element) => void} change */
function eachOf(root, change) {
  for (const node of nodesOf(root)) change(node);
}

/** @param {Element} root @param {string} key */
function nodeOf(root, key) {
  return /** @type {Element} */ (nodesOf(root).find((node) => node.key === key));
}

/** @param {Element} root @param {string} key */
function parentOf(root, key) {
  return nodesOf(root).find(({ nodes }) => nodes.some((node) => node.key === key)) ?? root;
}

/** Puts everything in an element into two more. @param {Element} parent */
function wrap(parent) {
  const empty = { tag: 'div', text: '', hasShadow: false };
  const inner = { ...empty, attributes: { class: 'inner' }, nodes: parent.nodes };
  parent.nodes = [{ ...empty, attributes: { class: 'layout-box' }, nodes: [inner] }];
}

/** A language that the search has never seen. @param {Element} node */
function translate(node) {
  const write = (/** @type {string} */ text) => text.replace(/\p{L}+/gu, (word) => `${[...word].reverse().join('')}a`);
  node.text = write(node.text);
  for (const name of ['aria-label', 'placeholder', 'title'])
    if (node.attributes[name]) node.attributes[name] = write(node.attributes[name]);
}

const renamed = { 'data-testid': 'data-test', 'data-cy': 'data-e2e', 'data-qa': 'data-auto', 'data-action': 'data-on' };

/** @param {Element} node */
function renameAttributes(node) {
  node.attributes = Object.fromEntries(
    Object.entries(node.attributes).map(([name, value]) => [
      renamed[/** @type {keyof typeof renamed} */ (name)] ?? name,
      value,
    ]),
  );
}

/** @param {Element} node */
function prefixId(node) {
  if (node.attributes.id) node.attributes.id = `next-${node.attributes.id}`;
}

/** @param {Element} node */
function addIcon(node) {
  const path = { tag: 'path', attributes: { d: 'M4 4h16v16H4z' }, text: '', hasShadow: false, nodes: [] };
  const attributes = { class: 'icon icon--outline', width: '16', height: '16' };
  node.nodes = [{ tag: 'svg', attributes, text: '', hasShadow: false, nodes: [path] }];
}

/** Moves the element to another part of the page. @param {Item} app @param {Item} item @param {Item} parent @param {Random} random */
function moveItem(app, item, parent, random) {
  const inside = new Set(listItems(item));
  const places = listItems(app).filter((place) => place !== parent && place.items.length > 0 && !inside.has(place));
  parent.items.splice(parent.items.indexOf(item), 1);
  random.pick(places.length > 0 ? places : [parent]).items.push(item);
}

/** Makes other elements of the same role of it and of what is in it. @param {Item} item @param {Random} random */
function renameItem(item, random) {
  const lists = [actions, sections, fields, icons, records];
  const words = lists.find((list) => list.some(({ name }) => name === item.name)) ?? actions;
  const { name, texts } = random.pick(words.filter((one) => one.name !== item.name));
  Object.assign(item, { name, ...(item.texts && { texts }) });
  for (const inner of item.items) renameItem(inner, random);
}

/** @param {Element} root @param {string} key */
function forgetKey(root, key) {
  delete nodeOf(root, key).key;
}

/** @param {Element} node @returns {Element} */
function withoutKeys({ key: _, ...node }) {
  return { ...node, nodes: node.nodes.map(withoutKeys) };
}
