/*
 * The style sheet that an owner adds to a theme. It is read in full, so that it cannot do more than change the look of a box: no
 * addresses (they would tell others who reads), no imports, no selector that leaves the box, nothing that hides the button to close
 * or moves the box to another layer.
 */

export interface CssProblem {
  line: number;
  column: number;
  message: string;
}

type Rule = { selectors: string[]; declarations: string } | { media: string; rules: Rule[] };

const MAX_DEPTH = 3;
/** Only a list of what is allowed is safe: a browser may read anything else in another way than this reader. */
const allowedCondition = /^@media [\w\s:(),.>=-]+$/i;
/* A compound selector has a tag at its beginning only. If tags could follow each other, there would be 2^n ways to read n letters. */
const tag = '(?:\\*|[a-z][a-z0-9]*)';
/** Classes, and states that have no selector in them. */
const state =
  '(?:\\.[a-z_][\\w-]*|:(?:hover|focus|focus-visible|focus-within|active|disabled|checked|empty|first-child|last-child|only-child|first-of-type|last-of-type|nth-child\\([\\dn+\\s-]+\\))|::?(?:before|after|first-line|first-letter|placeholder|marker))';
const compound = `(?:${tag}${state}*|${state}+)`;
const allowedSelector = new RegExp(`^(?:&${state}*|${compound})(?:(?: ?> ?| )${compound})*$`, 'i');
const allowedFunctions =
  /^(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|calc|min|max|clamp|var|(repeating-)?(linear|radial|conic)-gradient|cubic-bezier|steps|blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|saturate|sepia|opacity|inset|circle|ellipse|polygon|rotate|scale|scalex|scaley|translate|translatex|translatey|skew)$/i;
const forbiddenProperties =
  /^(-.*|position|position-.*|z-index|inset(-.*)?|top|left|right|bottom|behavior|all|zoom|content-visibility|pointer-events|interactivity|animation(-.*)?|view-transition-.*|anchor-.*|clip|contain(-.*)?)$/i;
/** Of the box itself: what does not hide it, and does not change its place or size. */
const allowedForBox =
  /^(background(-color|-image)?|border(-(top|right|bottom|left))?-(color|style)|border-radius|box-shadow|color|font(-.*)?|line-height|letter-spacing|word-spacing|text-(align|transform|decoration(-.*)?|shadow|wrap)|outline-color|accent-color|caret-color)$/i;

/** Thrown inside of the reader, with its place in the text. */
class Problem extends Error {
  readonly at: number;
  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads a style sheet. `scope` is the class of the outermost elements of an Experience with the theme. */
export function scopeCss(css: string, scope: string): { css: string } | { problem: CssProblem } {
  try {
    return {
      css: new Reader(css)
        .read()
        .map((rule) => write(rule, scope))
        .join(''),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const before = css.slice(0, error.at).split('\n');
    return { problem: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message: error.message } };
  }
}

function write(rule: Rule, scope: string): string {
  if ('media' in rule) return `${rule.media}{${rule.rules.map((inner) => write(inner, scope)).join('')}}`;
  // The outermost element itself, and what is in it.
  const selectors = rule.selectors
    .map(keepOffClose)
    .map((selector) => (selector.startsWith('&') ? `.${scope}${selector.slice(1)}` : `.${scope} ${selector}`));
  return `${selectors.join(',')}{${rule.declarations}}`;
}

/** No rule finds the button to close, nor what is in it. `:where` keeps the rule as specific as it was. */
export const NOT_CLOSE = ':not(:where(.x,.x *))';
const pseudoElement = /::?(?:before|after|first-line|first-letter|placeholder|marker)/i;

function keepOffClose(selector: string): string {
  if (isBox(selector)) return selector;
  // `checkSelector` knows no space inside of the last compound, except for `nth-child`.
  const last = /(?:\([^)]*\)|[^ >])*$/.exec(selector)?.index ?? 0;
  const compound = selector.slice(last);
  const end = pseudoElement.exec(compound)?.index ?? compound.length;
  return selector.slice(0, last) + compound.slice(0, end) + NOT_CLOSE + compound.slice(end);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    // Control characters have no meaning in a style sheet, except for spaces.
    this.#text = text.replace(/[^\P{Cc}\t\n\r\f]/gu, '\uFFFD');
  }

  read(depth = 0): Rule[] {
    const rules: Rule[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) {
        if (depth > 0) throw new Problem(this.#at, 'a `}` is missing at the end');
        return rules;
      }
      if (this.#text[this.#at] === '}') {
        if (depth === 0) throw new Problem(this.#at, 'this `}` closes nothing');
        this.#at++;
        return rules;
      }
      rules.push(this.#readRule(depth));
    }
  }

  #readRule(depth: number): Rule {
    const start = this.#at;
    const head = this.#readUntil('{', ';}').trim();
    if (this.#text[this.#at] !== '{')
      throw new Problem(
        start,
        head.startsWith('@') ? `\`${nameOf(head)}\` cannot be used here` : 'a `{` is missing after this',
      );
    this.#at++;
    if (head.startsWith('@')) {
      if (!allowedCondition.test(head)) throw new Problem(start, `\`${nameOf(head)}\` cannot be used here`);
      if (depth >= MAX_DEPTH) throw new Problem(start, 'too many conditions are inside of each other');
      return { media: head, rules: this.read(depth + 1) };
    }
    const selectors = splitSelectors(head).map((selector) => checkSelector(selector, start));
    return { selectors, declarations: this.#readDeclarations(selectors.some(isBox)) };
  }

  #readDeclarations(ofBox: boolean): string {
    const kept: string[] = [];
    for (;;) {
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char === undefined) throw new Problem(this.#at, 'a `}` is missing at the end');
      if (char === '}') {
        this.#at++;
        return kept.join(';');
      }
      if (char === ';') {
        this.#at++;
        continue;
      }
      const start = this.#at;
      const declaration = this.#readUntil(';}', '{').trim();
      if (this.#text[this.#at] === '{') throw new Problem(this.#at, 'rules inside of rules cannot be used here');
      kept.push(checkDeclaration(declaration, start, ofBox));
    }
  }

  /** Reads up to one of the characters, but not in strings, brackets and comments. Comments are left out. */
  #readUntil(ends: string, rejected: string): string {
    let read = '';
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] as string;
      if (char === '\\') throw new Problem(this.#at, 'a backslash cannot be used here: write the character itself');
      if (this.#text.startsWith('/*', this.#at)) {
        this.#skipComment();
        read += ' ';
        continue;
      }
      if (char === '"' || char === "'") {
        read += this.#readString(char);
        continue;
      }
      if (depth === 0 && (ends.includes(char) || rejected.includes(char))) return read;
      if (char === '{' || char === '}' || (char === ';' && depth > 0))
        throw new Problem(this.#at, `this \`${char}\` is inside of brackets that are not closed`);
      if (char === '[' || char === ']') throw new Problem(this.#at, `\`${char}\` cannot be used here`);
      if (char === '(') depth++;
      if (char === ')') depth--;
      if (depth < 0) throw new Problem(this.#at, `this \`${char}\` closes nothing`);
      if (char === '<') throw new Problem(this.#at, '`<` cannot be used here');
      read += char;
      this.#at++;
    }
    return read;
  }

  #readString(quote: string): string {
    const start = this.#at;
    const end = this.#text.indexOf(quote, start + 1);
    const content = end < 0 ? '' : this.#text.slice(start, end + 1);
    if (end < 0 || /[\n\r\f]/.test(content)) throw new Problem(start, 'this text is not closed by a quote');
    if (content.includes('\\')) throw new Problem(start, 'a backslash cannot be used here: write the character itself');
    if (content.includes('<')) throw new Problem(start, '`<` cannot be used here');
    this.#at = end + 1;
    return content;
  }

  #skipSpace(): void {
    for (;;) {
      while (/\s/.test(this.#text[this.#at] ?? '')) this.#at++;
      if (!this.#text.startsWith('/*', this.#at)) return;
      this.#skipComment();
    }
  }

  #skipComment(): void {
    const end = this.#text.indexOf('*/', this.#at + 2);
    if (end < 0) throw new Problem(this.#at, 'this comment is not closed by `*/`');
    this.#at = end + 2;
  }
}

const nameOf = (head: string) => /^@[\w-]*/.exec(head)?.[0] ?? head;

function splitSelectors(head: string): string[] {
  // `nth-child` is the only one with brackets, and has no comma in them.
  return head.split(',').map((selector) => selector.trim().replace(/\s+/g, ' '));
}

function checkSelector(selector: string, at: number): string {
  if (selector === '') throw new Problem(at, 'a selector is missing before `{`');
  if (/\.x(?![\w-])/i.test(selector)) throw new Problem(at, 'the button to close cannot be changed');
  if (!allowedSelector.test(selector))
    throw new Problem(
      at,
      `\`${selector}\` cannot be used: a selector has tags, classes and states such as \`:hover\`, and \`&\` at its beginning for the box itself`,
    );
  return selector;
}

/** Whether a selector finds the outermost element itself. */
function isBox(selector: string): boolean {
  return /^&[^ >]*$/.test(selector);
}

function checkDeclaration(declaration: string, at: number, ofBox: boolean): string {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, colon).trim();
  const value = declaration.slice(colon + 1).trim();
  if (colon < 0 || !/^(--|-)?[a-z][\w-]*$/i.test(property) || value === '')
    throw new Problem(at, `\`${declaration.slice(0, 40)}\` is not a declaration: write \`property: value\``);
  if (ofBox && !allowedForBox.test(property))
    throw new Problem(at, `\`${property}\` of the box itself cannot be changed here`);
  if (forbiddenProperties.test(property)) throw new Problem(at, `\`${property}\` cannot be used here`);
  if (/!\s*important/i.test(value)) throw new Problem(at, '`!important` cannot be used here');
  checkFunctions(value, at);
  return `${property}:${value.replace(/\s+/g, ' ')}`;
}

function checkFunctions(value: string, at: number): void {
  const words = value.replace(/"[^"]*"|'[^']*'/g, '""');
  // Split, because a regular expression would begin again at every letter of a long word.
  for (const before of words.split('(').slice(0, -1)) {
    const name = before.split(/[\s),/*+]/).at(-1) ?? '';
    if (name !== '' && !allowedFunctions.test(name)) throw new Problem(at, `\`${name}(…)\` cannot be used here`);
  }
}

/** What holds whatever the style sheet of a theme says: the button to close can be seen and used. */
export function guardCss(scope: string): string {
  const look = {
    ...{ display: 'block', visibility: 'visible', opacity: '1', filter: 'none', 'clip-path': 'none', mask: 'none' },
    ...{
      transform: 'none',
      translate: 'none',
      scale: 'none',
      rotate: 'none',
      'max-width': 'none',
      'max-height': 'none',
    },
    ...{ 'min-width': '0', 'min-height': '0', margin: '0', border: '0', 'box-sizing': 'border-box', clip: 'auto' },
    ...{
      color: 'var(--t-dismiss,var(--soft))',
      'stroke-opacity': '1',
      'stroke-dasharray': 'none',
      overflow: 'visible',
    },
  };
  const place = { ...{ position: 'absolute', 'inset-block': '8px auto', 'inset-inline': 'auto 8px' }, 'z-index': '1' };
  const size = (pixels: number, padding: string) => ({ width: `${pixels}px`, height: `${pixels}px`, padding });
  // The box may have been given the color of the icon: then its outline in the color of the background shows it.
  const outline = Array(2).fill('drop-shadow(0 0 1px var(--bg))').join(' ');
  const icon = { ...look, ...size(20, '0'), filter: outline, stroke: 'currentColor', 'stroke-width': '2' };
  const rule = (declarations: object) =>
    Object.entries(declarations)
      .map(([property, value]) => `${property}:${value}!important`)
      .join(';');
  const line = { ...look, display: 'inline', stroke: 'currentColor', 'stroke-width': '2' };
  const button = { ...look, ...place, ...size(44, '12px') };
  // Without content, the box would be smaller than the button, which then is seen on the backdrop.
  const room = `.${scope}:not(.banner,.inline):has(>.x){min-height:60px!important}`;
  // In a low window the box scrolls, and a round one would cut the button off.
  const corners = `@media (max-height:400px){.${scope}:has(>.x){border-radius:var(--radius)!important}}`;
  return `${room}${corners}.${scope}>.x{${rule(button)}}.${scope}>.x svg{${rule(icon)}}.${scope}>.x path{${rule(line)}}`;
}
