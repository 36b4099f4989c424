const MAX_NAME = 40;
/** Fields whose content users type or choose, which is private. */
export const privateFields = 'input,textarea,select,[contenteditable]:not([contenteditable=false])';

const inputNames: Record<string, string> = {
  checkbox: 'checkbox',
  radio: 'radio button',
  submit: 'button',
  button: 'button',
};
const tagNames: Record<string, string> = {
  ...{ a: 'link', img: 'image', svg: 'image', select: 'list', textarea: 'field', iframe: 'frame', nav: 'navigation' },
  ...{
    p: 'paragraph',
    ul: 'list',
    ol: 'list',
    li: 'list item',
    tr: 'row',
    td: 'cell',
    th: 'header cell',
    body: 'page',
  },
  ...{ div: 'area', span: 'text', b: 'text', strong: 'text', em: 'text', i: 'text', small: 'text' },
  ...{ h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading' },
};

/** Describes an element in a few words: `button “Save”`. */
export function describe(element: Element): string {
  const name = nameOf(element);
  return `${kindOf(element)}${name && ` “${name}”`}`;
}

function kindOf(element: Element): string {
  const tag = element.localName;
  const role = element.getAttribute('role');
  if (role && /^\w+$/.test(role) && role !== 'presentation' && role !== 'none') return role;
  if (tag === 'input') return inputNames[(element as HTMLInputElement).type] ?? 'field';
  return tagNames[tag] ?? tag;
}

function nameOf(element: Element): string {
  const named = element.matches(privateFields) ? (element as HTMLInputElement).labels?.[0] : element;
  const text = named && textOf(named);
  const attributes = ['aria-label', 'alt', 'placeholder', 'title', 'name', 'id'];
  const [first = ''] = [
    element.getAttribute('aria-label'),
    text,
    ...attributes.map((name) => element.getAttribute(name)),
  ]
    .map((value) => shorten(value ?? '', MAX_NAME))
    .filter(Boolean);
  return first;
}

/** Returns the text of an element without the text of fields, scripts and styles. A long text is not read to its end. */
function textOf(element: Element): string {
  const skipped = `${privateFields},script,style,noscript`;
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT + NodeFilter.SHOW_ELEMENT);
  let text = '';
  while (text.trim().length <= MAX_NAME && walker.nextNode()) {
    const node = walker.currentNode as Text | HTMLSlotElement;
    if ('assignedNodes' in node) for (const inner of node.assignedNodes()) text += ` ${textOfNode(inner, skipped)}`;
    else if (!node.parentElement?.closest(skipped)) text += ` ${node.nodeValue ?? ''}`;
  }
  return text;
}

/** Returns the text that the page has put into a slot of a shadow root. */
function textOfNode(node: Node, skipped: string): string {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  return (node as Element).matches(skipped) ? '' : textOf(node as Element);
}

export function shorten(text: string, max: number): string {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  return trimmed.length > max ? `${trimmed.slice(0, max - 1).trimEnd()}…` : trimmed;
}
