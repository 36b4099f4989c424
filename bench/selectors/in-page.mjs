/* Runs in the browser: renders a page twice, and lets each generator describe the targets before and find them after. */

/** @typedef {{ selector?: string, text?: string, shadow_selector?: string }} Description */
/** @typedef {{ name: string, describe: (element: Element) => Description[], find: (all: Description[]) => Element | undefined }} Generator */

/**
 * @param {Generator[]} generators
 * @param {import('./render-app.mjs').Element} before
 * @param {import('./render-app.mjs').Element} after
 * @param {string[]} targets the keys
 */
export function runContest(generators, before, after, targets) {
  const old = render(before);
  const described = targets.map((key) => {
    const element = /** @type {Element} */ (old.get(key));
    return generators.map(({ describe }) => describe(element));
  });
  const current = render(after);
  return targets.map((key, index) =>
    generators.map(({ find }, at) => {
      const descriptions = described[index]?.[at] ?? [];
      const found = descriptions.length > 0 ? find(descriptions) : undefined;
      const expected = current.get(key);
      const outcome = found === expected ? 'right' : found ? 'wrong' : 'missing';
      return { outcome, descriptions, isGone: !expected };
    }),
  );
}

/** Replaces the content of the page. Returns the elements by their keys, which the page itself does not contain. @param {import('./render-app.mjs').Element} root */
export function render(root) {
  /** @type {Map<string, Element>} */
  const elements = new Map();
  /** @type {(node: import('./render-app.mjs').Element) => Element} */
  const create = ({ tag, attributes, text, key, hasShadow, nodes }) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(text);
    const parent = hasShadow ? element.attachShadow({ mode: 'open' }) : element;
    parent.append(...nodes.map(create));
    if (key) elements.set(key, element);
    return element;
  };
  document.body.replaceChildren(create(root));
  return elements;
}

/** How browsers' developer tools copy a path: the place at each level. @param {Element} element @returns {string} */
function nthChildPath(element) {
  const parent = element.parentElement;
  if (!parent || element === document.body) return element.localName;
  return `${nthChildPath(parent)} > :nth-child(${[...parent.children].indexOf(element) + 1})`;
}

/** The first ID or class that is unique, written by a developer or made by a tool; else that of the parent, and the place in it. @param {Element} element @returns {string} */
function shortestSelector(element) {
  const root = /** @type {ParentNode} */ (/** @type {unknown} */ (element.getRootNode()));
  const names = [
    ...(element.id ? [`#${CSS.escape(element.id)}`] : []),
    ...[...element.classList].map((name) => `.${CSS.escape(name)}`),
  ];
  const unique = [...names, element.localName].find((css) => root.querySelectorAll(css).length === 1);
  const parent = element.parentElement;
  if (unique || !parent) return unique ?? element.localName;
  return `${shortestSelector(parent)} > :nth-child(${[...parent.children].indexOf(element) + 1})`;
}

/** @type {(name: string, selectorOf: (element: Element) => string) => Generator} */
function referenceGenerator(name, selectorOf) {
  return {
    name,
    describe: (element) => {
      const root = element.getRootNode();
      if (!(root instanceof ShadowRoot)) return [{ selector: selectorOf(element) }];
      return [{ selector: selectorOf(root.host), shadow_selector: selectorOf(element) }];
    },
    find: ([{ selector = '', shadow_selector } = {}]) => {
      const element = document.querySelector(selector);
      return (shadow_selector ? element?.shadowRoot?.querySelector(shadow_selector) : element) ?? undefined;
    },
  };
}

export const references = [
  referenceGenerator('nth-child path', nthChildPath),
  referenceGenerator('shortest unique', shortestSelector),
];

/**
 * @typedef {object} Version the generator and the search of one version of the script
 * @property {string} name
 * @property {(element: Element) => { candidates: (Description & { kind: string })[] }} suggest
 * @property {(all: Description[]) => { element?: Element }} find
 */

/** @param {Version} version @returns {Generator[]} */
export function generatorsOf({ name, suggest, find }) {
  /** @type {(what: string, choose: (all: (Description & { kind: string })[]) => Description[]) => Generator} */
  const generator = (what, choose) => ({
    name: `${name}, ${what}`,
    describe: (element) => choose(suggest(element).candidates).map(toDescription),
    find: (all) => find(all).element,
  });
  const isDurable = (/** @type {{ kind: string }} */ { kind }) => kind !== 'positional';
  return [
    generator('first candidate', (all) => all.slice(0, 1)),
    generator('without positional', (all) => all.filter(isDurable)),
    generator('positional if nothing else', (all) => (all.some(isDurable) ? all.filter(isDurable) : all)),
    generator('all candidates', (all) => all),
  ];
}

/** @param {Description} candidate @returns {Description} */
function toDescription({ selector, text, shadow_selector }) {
  return { ...(selector && { selector }), ...(text && { text }), ...(shadow_selector && { shadow_selector }) };
}
