/** Texts are cut to this length, because the first words of a long text are enough. */
const MAX_TEXT_LENGTH = 40;
const MIN_LETTERS = 3;

/**
 * Lists texts by which an element can be found: its first words or those of its heading, and all of its text if it is short. The text of
 * an element with others inside of it is less durable as a whole.
 */
export function textsOf(element: Element): string[] {
  const { type, value } = element as HTMLInputElement;
  const whole = (/^(submit|button|reset)$/.test(type) && value) || (element.textContent ?? '');
  const source =
    whole.length > 120 ? element.querySelector('h1,h2,h3,h4,h5,h6,legend,caption,summary,strong') : element;
  const texts = [source ? firstTextOf(source) : '', whole.length > 60 ? '' : whole];
  return [...new Set(texts.map(stableWordsOf))].filter((text) => (text.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS);
}

/** Returns the longest piece of a text without numbers, because numbers count something. It ends with a whole word. */
export function stableWordsOf(text: string): string {
  const pieces = text.replace(/\s+/g, ' ').split(/\s*[([:]?\d[\d.,:/%)\]]*\s*/);
  const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a), '').trim();
  if (longest.length <= MAX_TEXT_LENGTH) return longest;
  const cut = longest.slice(0, MAX_TEXT_LENGTH + 1).replace(/\s+\S*$/, '');
  return cut.slice(0, MAX_TEXT_LENGTH);
}

function firstTextOf(element: Element): string {
  const nodes = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode()) {
    const { data, parentElement } = nodes.currentNode as Text;
    if (/\p{L}{2}/u.test(data) && !/^(SCRIPT|STYLE)$/.test(parentElement?.tagName ?? '')) return data;
  }
  return '';
}
