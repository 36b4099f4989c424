/** @typedef {import('./create-app.mjs').Item} Item */
/** @typedef {import('./change-app.mjs').Deploy} Deploy */
/** @typedef {import('./styles.mjs').Style} Style */
/** @typedef {ReturnType<typeof import('./random.mjs').createRandom>} Random */

/**
 * An element as the page creates it. The page keeps its key outside of the attributes.
 * @typedef {{ tag: string, attributes: Record<string, string>, text: string, key?: string, hasShadow: boolean, nodes: Element[] }} Element
 */

const semanticTags = {
  ...{
    header: 'header',
    nav: 'nav',
    sidebar: 'aside',
    main: 'main',
    footer: 'footer',
    form: 'form',
    table: 'table',
    row: 'tr',
    cell: 'td',
  },
  ...{
    button: 'button',
    'icon-button': 'button',
    tab: 'button',
    submit: 'button',
    link: 'a',
    logo: 'a',
    'record-link': 'a',
  },
  ...{ title: 'h1', heading: 'h2', 'card-title': 'h3', text: 'p', label: 'label', card: 'article' },
  ...{ input: 'input', search: 'input', checkbox: 'input', select: 'select', textarea: 'textarea' },
};
/** Tags that even careless teams use. */
const usualTags = /^(form|button|submit|link|logo|record-link|input|search|checkbox|select|textarea|title|label)$/;
const bootstrapClasses = {
  ...{
    button: 'btn btn-primary',
    submit: 'btn btn-primary',
    'icon-button': 'btn btn-light',
    tab: 'nav-link',
    link: 'nav-link',
    logo: 'navbar-brand',
  },
  ...{
    card: 'card col-md-4',
    'card-title': 'card-title',
    input: 'form-control',
    search: 'form-control',
    select: 'form-select',
    label: 'form-label',
  },
  ...{
    nav: 'nav',
    header: 'navbar',
    row: 'align-middle',
    text: 'card-text text-muted',
    form: 'row g-3',
    toolbar: 'btn-group',
    footer: 'mt-5 border-top',
  },
};
const utilityClasses =
  'flex items-center p-4 mt-2 text-sm font-medium rounded-lg bg-white text-gray-700 hover:bg-gray-50 w-full gap-3 border shadow-sm px-3 py-2 justify-between md:w-1/2 inline-flex dark:text-white h-10'.split(
    ' ',
  );

/**
 * Renders the application in the style of a team, as a deploy releases it.
 * @param {Item} app
 * @param {Style} style
 * @param {Deploy} deploy
 * @param {Random} random of the page: an element gets the same attributes in every deploy
 * @returns {Element}
 */
export function renderApp(app, style, deploy, random) {
  let count = deploy.firstId;
  const prefix = style.prefix?.replace(/^\/en$/, `/${deploy.language}`) ?? '';
  /** @type {(item: Item, block: string) => Element} */
  const render = (item, block) => {
    const { key, role } = item;
    const name = deploy.renamed.has(key) ? `${item.name}-view` : item.name;
    const inner = item.items.length > 2 || /card|form|panel/.test(role) ? name : block;
    const has = (/** @type {string} */ what, share = 0) => random.at(`${what} ${key}`) < share;
    /** @type {Record<string, string>} */
    const attributes = { ...ownAttributes(item, name, { ...style, prefix }, textOf(item, deploy), has) };
    if (has('made id', style.madeIds))
      attributes.id = madeId(style.idForm ?? '', count++, `${deploy.salt} ${key}`, random);
    else if (has('id', style.ids) && !/^(card|row|cell)/.test(role))
      attributes.id = /^(open|edit)-/.test(name) ? '' : `${block}-${name}`;
    if (has('test id', style.testIds)) attributes[style.testAttribute ?? ''] = name;
    if (has('hook', style.hooks)) attributes['data-action'] = name;
    const classes = classesOf(item, name, block, style, deploy, random);
    if (classes) attributes.class = classes;
    const isField = /^(input|search|checkbox|select|textarea)$/.test(role);
    const hasText = !isField && role !== 'icon-button';
    const nodes = item.items.map((child) => render(child, inner));
    const hasShadow = role === 'widget' && !!style.hasComponents;
    const tag = hasShadow ? item.name : tagOf(role, style);
    const element = {
      tag,
      attributes: withoutEmpty(attributes),
      text: hasText ? textOf(item, deploy) : '',
      key,
      hasShadow,
      nodes,
    };
    if (!deploy.wrapped.has(key) || /^(row|cell|app)$/.test(role)) return element;
    return { tag: 'div', attributes: {}, text: '', hasShadow: false, nodes: [element] };
  };
  return render(app, 'app');
}

/** @param {string} role @param {Style} style */
function tagOf(role, style) {
  const tag = semanticTags[/** @type {keyof typeof semanticTags} */ (role)] ?? 'div';
  return style.isSemantic || usualTags.test(role) ? tag : role === 'text' ? 'span' : 'div';
}

/** @param {Item} item @param {Deploy} deploy */
function textOf({ key, texts, count }, { language, reworded }) {
  const text = texts?.[language === 'de' ? 'de' : reworded.has(key) ? 'changed' : 'en'] ?? '';
  // Numbers in the data change each day.
  return count === undefined ? text : `${text} (${count + (language === 'de' || reworded.size > 0 ? 3 : 0)})`;
}

/** @type {(item: Item, name: string, style: Style, text: string, has: (what: string, share?: number) => boolean) => Record<string, string>} */
function ownAttributes({ role }, name, { names, labels, prefix = '' }, text, has) {
  if (role === 'link') return { href: `${prefix}/${name}` };
  if (role === 'logo') return { href: '/' };
  if (role === 'record-link') return { href: `${prefix}/customers/${1000 + name.length * 37}` };
  if (role === 'submit') return { type: 'submit' };
  if (role === 'icon-button') return has('label', labels) ? { 'aria-label': text, type: 'button' } : { type: 'button' };
  if (!/^(input|search|checkbox|select|textarea)$/.test(role)) return {};
  return {
    ...(has('name', names) && { name: name.replaceAll('-', '_') }),
    ...(/input|search/.test(role) && { type: role === 'search' ? 'search' : 'text' }),
    ...(role === 'checkbox' ? { type: 'checkbox' } : has('placeholder', 0.5) ? { placeholder: text } : {}),
  };
}

/** @type {(item: Item, name: string, block: string, style: Style, deploy: Deploy, random: Random) => string} */
function classesOf({ key, role }, name, block, style, { salt }, random) {
  const hash = (/** @type {number} */ length, extra = '') => random.letters(`${salt} ${role}${extra}`, length);
  const state = random.at(`${salt} state ${key}`) < 0.15 ? ' is-active' : '';
  if (style.classes === 'bem') {
    const isNamed = random.at(`named ${key}`) < 0.4;
    return `${block}__${role}${isNamed ? ` ${block}__${role}--${name}` : ''}${state}`;
  }
  if (style.classes === 'bootstrap') {
    const classes = bootstrapClasses[/** @type {keyof typeof bootstrapClasses} */ (role)] ?? '';
    return `${classes}${random.at(`js ${key}`) < 0.2 ? ` js-${name}` : ''}${state.replace('is-', '')}`.trim();
  }
  // A deploy changes the look of some elements.
  if (style.classes === 'utility')
    return utilityClasses
      .filter((one) => random.at(`${random.at(`${salt} ${key}`) < 0.2 ? salt : ''} ${key} ${one}`) < 0.3)
      .join(' ');
  if (style.classes === 'modules') return `${camel(block)}_${camel(role)}__${hash(5)}`;
  if (style.classes === 'scoped')
    return `_${camel(role)}_${hash(5).toLowerCase()}_${Math.floor(random.at(`${salt} line ${role}`) * 300)}`;
  return style.classes === 'hashed' ? `sc-${hash(6)} ${hash(6, 'second')}` : '';
}

/** @param {string} form @param {number} count @param {string} name @param {Random} random */
function madeId(form, count, name, random) {
  return form.replace('#', String(count)).replace('*', random.letters(name, 8).toLowerCase());
}

/** @param {string} name */
function camel(name) {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

/** @param {Record<string, string>} attributes */
function withoutEmpty(attributes) {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}
