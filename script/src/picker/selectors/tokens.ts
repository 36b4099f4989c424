import { authoredPartOf, isCounted, isUtilityOrState, originOf } from './authored.ts';

/** A part of a selector that describes one element, and how likely it is to describe the same element after the next deploy. */
export interface Token {
  css: string;
  /** A score from 0 to 100. */
  score: number;
  /** Whether the token contains words that users read, so that it differs in another language. */
  isText?: boolean;
  /** Whether the token names a place, which another element may take. */
  isPosition?: boolean;
  /** Whether the token names a record of the page's data. A grid with fixed columns shows a record in several rows. */
  isKey?: boolean;
}

const testAttribute =
  /^data-(usher|test|test-?id|tests?|cy|qa|qa-?id|e2e|pw|automation|automation-?id|auto-?id|selenium|spec|hook)$/i;
/** Other attributes in which developers name what an element is. */
const namingAttribute =
  /^(data-.*(action|name|section|component|widget|nav|menu|tab|page|track|analytic|event|feature|field|column|area|tour|intro|controller|view)|col(umn)?-id$)/i;
/** Attributes with the key of a record. It stays with the record when rows are sorted. */
const keyAttribute = /^(row|data)-((row|item|record|node|entity|list)-?)?(id|key)$/i;
/** Attributes that users read or hear. */
const textAttributes = { 'aria-label': 50, placeholder: 44, alt: 42, title: 42 };
const landmarks = /^(header|nav|main|aside|footer|form|dialog|search|table|h1)$/;
const landmarkRoles = /^(banner|navigation|main|complementary|contentinfo|search|dialog|toolbar|tablist|menubar|grid)$/;
/** Elements that a region of a page usually has only one of. */
const controls = /^(input|select|textarea|form|table|h1|video|canvas|iframe)$/;
/** From this score on, a token describes an element alone. */
const MIN_OWN_SCORE = 40;
export const MAX_SELECTOR_LENGTH = 200;

/** Lists the tokens that describe the element, the most durable first. The last one is its tag. */
export function tokensOf(element: Element): Token[] {
  const tag = CSS.escape(element.localName);
  // `element.attributes` cannot be used: in a form with a field of the name `attributes`, it is that field.
  const attributes = element
    .getAttributeNames()
    .flatMap((name) => tokenOfAttribute(element, tag, name, element.getAttribute(name) ?? ''));
  const names = [...element.classList];
  // Beside a class of styled-components, a class of letters only is a hash too.
  const isStyled = names.some((name) => name.startsWith('sc-'));
  const classes = names.filter((name) => !isStyled || /[-_]/.test(name)).flatMap(tokenOfClass);
  const type = typeOf(element);
  const isCustom = tag.includes('-');
  const weak = [
    ...(type && type !== 'button' ? [{ css: tag + attribute('type', type), score: 30 }] : []),
    { css: tag, score: isCustom ? 46 : controls.test(tag) ? 28 : 15 },
  ];
  return [...attributes, ...classes, ...weak]
    .filter(({ css }) => css.length <= MAX_SELECTOR_LENGTH)
    .sort((a, b) => b.score - a.score);
}

/** Lists the tokens that describe an ancestor well enough to search for an element inside of it. */
export function anchorsOf(element: Element): Token[] {
  const tag = element.localName;
  const role = element.getAttribute('role') ?? '';
  const anchors = tokensOf(element).filter(({ score, isPosition }) => score >= MIN_OWN_SCORE && !isPosition);
  if (landmarks.test(tag)) anchors.push({ css: tag, score: 38 });
  if (landmarkRoles.test(role)) anchors.push({ css: attribute('role', role), score: 38 });
  return anchors;
}

function tokenOfAttribute(element: Element, tag: string, name: string, value: string): Token[] {
  if (!value || value.length > 120 || /[\n\r\f]/.test(value)) return [];
  const token = (score: number, css = tag + attribute(name, value)): Token[] => {
    const origin = originOf(value);
    if (origin === 'generated') return [];
    return origin === 'indexed' ? [{ css, score: 35, isPosition: true }] : [{ css, score }];
  };
  if (testAttribute.test(name)) return token(100, attribute(name, value));
  if (name === 'id') return token(90, `#${CSS.escape(value)}`);
  if (name === 'name') return tokenOfName(element, tag, value);
  if (name === 'href' || name === 'action') return tokenOfLink(tag, name, value);
  if (/^(for|aria-controls)$/.test(name)) return token(52);
  if (name === 'autocomplete' && !/^(on|off)$/.test(value)) return token(48);
  if (keyAttribute.test(name)) return tokenOfKey(element, name, value);
  if (namingAttribute.test(name)) return token(54, attribute(name, value));
  const score = textAttributes[name as keyof typeof textAttributes];
  // A number in a text counts something, or is a date.
  return score && !/\d/.test(value) ? [{ css: tag + attribute(name, value), score, isText: true }] : [];
}

/** Keys are numbers or hashes, but keys that a library counts up are different after the next page load. */
function tokenOfKey(element: Element, name: string, value: string): Token[] {
  const css = attribute(name, value);
  if (originOf(value) === 'authored') return [{ css, score: 54 }];
  if (countsSiblings(element, name)) return [{ css, score: 35, isPosition: true }];
  return isCounted(value) ? [] : [{ css, score: 43, isKey: true }];
}

/** Returns whether an attribute numbers an element and its siblings: with small numbers, without a gap, in any order. */
function countsSiblings(element: Element, name: string): boolean {
  const siblings = element.parentElement?.querySelectorAll(`:scope>[${CSS.escape(name)}]`) ?? [];
  const numbers = new Set(
    [...siblings].map((sibling) => Number(/^\D*(\d{1,3})$/.exec(sibling.getAttribute(name) ?? '')?.[1])),
  );
  return numbers.size > 1 && Math.max(...numbers) - Math.min(...numbers) === numbers.size - 1;
}

/** The fields of a group have one name and different values. Only these values are read: what users type is private. */
function tokenOfName(element: Element, tag: string, name: string): Token[] {
  if (originOf(name) === 'generated') return [];
  const value = /^(radio|checkbox)$/.test(typeOf(element)) && element.getAttribute('value');
  const css = tag + attribute('name', name);
  const isPosition = originOf(name) === 'indexed';
  return [
    { css, score: isPosition ? 35 : 60, isPosition },
    ...(value && originOf(value) === 'authored'
      ? [{ css: css + attribute('value', value), score: 61, isPosition }]
      : []),
  ];
}

/** Addresses of records, with a number or a hash in them, belong to the data. Their language and query change. */
function tokenOfLink(tag: string, name: string, value: string): Token[] {
  const [address = '', query] = value.split('?');
  const path = address.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const css = (operator: string, text: string) => tag + attribute(name, text, operator);
  if (value === '/') return [{ css: css('=', value), score: 50 }];
  const words = path.split(/[/#]/).filter(Boolean);
  const isAuthored = (word: string) => originOf(word.replace(/\.\w+$/, '')) === 'authored' || /^[a-z]\w?$/i.test(word);
  if (words.length === 0 || /:/.test(path) || !words.every(isAuthored)) return [];
  const [, afterLanguage] = /^\/[a-z]{2}(?:-[a-z]{2})?(\/.+)/i.exec(path) ?? [];
  if (afterLanguage && query === undefined) return [{ css: css('$=', afterLanguage), score: 54 }];
  return [{ css: query === undefined ? css('=', value) : css('^=', `${address}?`), score: 55 }];
}

function tokenOfClass(name: string): Token[] {
  if (isUtilityOrState(name)) return [];
  const origin = originOf(name);
  if (origin === 'authored') return [{ css: `.${CSS.escape(name)}`, score: 45 }];
  const part = authoredPartOf(name);
  return part ? [{ css: attribute('class', part, '*='), score: 42 }] : [];
}

/** Reads the attribute, because a form may have a field of the name `type`. */
function typeOf(element: Element): string {
  return element.getAttribute('type') ?? '';
}

function attribute(name: string, value: string, operator = '='): string {
  return `[${CSS.escape(name)}${operator}"${value.replace(/["\\]/g, '\\$&')}"]`;
}
