// Shows one chapter of the document of this server. The viewer resolves all references first, which takes seconds for the whole document.
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
  const components = {};
  const addReferences = (part) => {
    for (const [, kind, key] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      components[kind] ??= {};
      if (key in components[kind]) continue;
      components[kind][key] = api.components[kind][key];
      addReferences(components[kind][key]);
    }
  };
  addReferences(paths);
  components.securitySchemes = { header: api.components.securitySchemes.header };
  return {
    // What the viewer does with a document of 3.1 takes seven times as long, and gives exactly the same for this one.
    openapi: '3.0.3',
    info: { title: name, version: api.info.version, description: `${tag.description}\n\n${api.info.description}` },
    servers: [{ url: location.origin }],
    security: [{ header: [] }],
    tags: [{ name }],
    components,
    paths,
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
