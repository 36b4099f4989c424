// Shows one chapter of the document of this server. The viewer resolves all references first: 20 seconds for the whole document.
const status = document.getElementById('status');
const viewer = document.querySelector('rapi-doc');
const dark = matchMedia('(prefers-color-scheme: dark)');
const narrow = matchMedia('(max-width: 767px)');
const looks = {
  light: {
    theme: 'light',
    'bg-color': '#ffffff',
    'text-color': '#1d1a2b',
    'primary-color': '#3a4bd0',
    'nav-bg-color': '#f8f6f2',
    'nav-text-color': '#4c4759',
  },
  dark: {
    theme: 'dark',
    'bg-color': '#15131c',
    'text-color': '#f4f2f9',
    'primary-color': '#a3b1ff',
    'nav-bg-color': '#1c1a25',
    'nav-text-color': '#c9c4d6',
  },
};

function setLook() {
  for (const [name, value] of Object.entries(dark.matches ? looks.dark : looks.light)) viewer.setAttribute(name, value);
  viewer.setAttribute('render-style', narrow.matches ? 'view' : 'focused');
}

/**
 * Puts what is referred to in the place of each reference, except within itself: the viewer takes milliseconds for each reference, and a
 * chapter has thousands. What is referred to twice is the same object.
 */
function inline(api, paths) {
  const components = {};
  const done = new Map();
  const open = new Set();
  const refer = ($ref) => {
    const [, , kind, key] = $ref.split('/');
    if (open.has($ref)) {
      components[kind] ??= {};
      components[kind][key] = api.components[kind][key];
      return { $ref };
    }
    if (done.has($ref)) return done.get($ref);
    open.add($ref);
    const value = copy(api.components[kind][key]);
    open.delete($ref);
    done.set($ref, value);
    return value;
  };
  const copy = (part) => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part.$ref === 'string') return refer(part.$ref);
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, copy(value)]));
  };
  return { paths: copy(paths), components };
}

/** The operations of a chapter with what they refer to. PUT does the same as PATCH, and POST as GET where a path has both. */
function chapterOf(api, name) {
  const tag = api.tags.find((one) => one.name === name);
  const paths = {};
  for (const [path, item] of Object.entries(api.paths)) {
    const isShown = ({ tags, operationId }) => tags.includes(name) && !/By(Put|Post)$/.test(operationId);
    const shown = Object.entries(item).filter(([, operation]) => isShown(operation));
    if (shown.length > 0) paths[path] = Object.fromEntries(shown);
  }
  // The viewer ignores `example` where the value is an object, and makes up one of its own.
  for (const operation of Object.values(paths).flatMap(Object.values))
    for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)])
      for (const media of Object.values(content))
        if (media.example !== undefined) media.examples = { Example: { value: media.example } };
  const { paths: inlined, components } = inline(api, paths);
  components.securitySchemes = { header: api.components.securitySchemes.header };
  return {
    openapi: api.openapi,
    info: { title: name, version: api.info.version, description: `${tag.description}\n\n${api.info.description}` },
    servers: [{ url: location.origin }],
    security: [{ header: [] }],
    tags: [{ name }],
    components,
    paths: inlined,
  };
}

function listChapters({ tags }, current) {
  const list = document.getElementById('chapters');
  for (const { name, description } of tags) {
    const link = document.createElement('a');
    link.href = `/docs/reference?chapter=${encodeURIComponent(name)}`;
    link.textContent = name;
    link.title = description;
    if (name === current) link.setAttribute('aria-current', 'page');
    list.append(link);
  }
}

try {
  const [response] = await Promise.all([
    fetch('/openapi.json', { credentials: 'omit' }),
    import('/docs/reference/viewer.js'),
  ]);
  if (!response.ok) throw new Error('The operator of this server does not publish the description of the API here.');
  const api = await response.json();
  const wanted = new URLSearchParams(location.search).get('chapter');
  const { name } = api.tags.find((tag) => tag.name === wanted) ?? api.tags[0];
  listChapters(api, name);
  setLook();
  dark.addEventListener('change', setLook);
  narrow.addEventListener('change', setLook);
  viewer.hidden = false;
  await viewer.loadSpec(chapterOf(api, name));
  viewer.shadowRoot.querySelector('nav')?.setAttribute('aria-label', 'Operations');
  status.remove();
} catch (error) {
  status.textContent = error.message;
}
