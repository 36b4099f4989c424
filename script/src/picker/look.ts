import type { LookPart } from '../../../domain/src/themes/look-parts.ts';
import type { ElementLook } from '../../../domain/src/themes/page-look-schema.ts';
import { isOurs, isVisible } from '../page/find.ts';
import { findScheme } from '../page/scheme.ts';
import { type Rgba, toDigits, toRgba } from './color.ts';
import { privateFields } from './describe.ts';
import { parentOf } from './neighbors.ts';

/* Reads how an element of the page looks. No text of the page is read, only its styles. */

const MAX_FONT = 200;
/** If an element has more texts, only a part of them is compared. */
const MAX_TEXTS = 2000;
/** The names that a theme can have. */
const fontName = /^[\p{L}\p{N}\p{M} ._'"-]+$/u;
/** Texts in a card that do not look like its text. */
const otherTexts = 'h1,h2,h3,h4,h5,h6,a,button,label,[role=button],[role=heading]';
const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];

/** Returns which of the colors of a theme hold on this page. The renderer decides in the same way. */
export function schemeOfPage(): 'light' | 'dark' {
  const scheme = findScheme(getComputedStyle(document.documentElement), getComputedStyle(document.body));
  const isDark = scheme === 'light dark' ? matchMedia('(prefers-color-scheme:dark)').matches : scheme === 'dark';
  return isDark ? 'dark' : 'light';
}

export function readLook(part: LookPart, pointed: Element): ElementLook {
  const element = part === 'card' ? findCard(pointed) : pointed;
  const style = getComputedStyle(element);
  const text = findText(element, part === 'card' ? otherTexts : '');
  const textStyle = getComputedStyle(text);
  const background = backgroundOf(element);
  const behindText = text === element || part === 'card' ? background : backgroundOf(text);
  const size = Number.parseFloat(textStyle.fontSize);
  const line = Number.parseFloat(textStyle.lineHeight) / size;
  const font = fontOf(textStyle);
  const { border, reach } = readShadows(style.boxShadow);
  const borderWidth = Math.min(...[style.borderTopWidth, style.borderBottomWidth].map(Number.parseFloat));
  const ring = borderWidth > 0 ? { width: borderWidth, color: style.borderTopColor } : border;
  return {
    ...(font && { font }),
    font_size: size,
    font_weight: Number(textStyle.fontWeight),
    ...(line && { line_height: round(line) }),
    color: toHexDigits(mix(textColorOf(textStyle), behindText)),
    background: toHexDigits(background),
    border_width: round(ring?.width ?? 0),
    ...(ring && { border_color: toHexDigits(mix(toRgba(ring.color), background)) }),
    radius: radiusOf(element, style),
    shadow: round(reach),
  };
}

/** Returns the closest element around that looks like a card: with a border, a shadow, round corners or another background. */
function findCard(pointed: Element): Element {
  for (let element: Element | undefined = pointed; element && element !== document.body; element = parentOf(element)) {
    const style = getComputedStyle(element);
    const { border, reach } = readShadows(style.boxShadow);
    const hasEdge = Number.parseFloat(style.borderTopWidth) > 0 && Number.parseFloat(style.borderBottomWidth) > 0;
    const differs = toHexDigits(backgroundOf(element)) !== toHexDigits(behind(element));
    if (element.localName !== 'button' && (hasEdge || border || reach || radiusOf(element, style) || differs))
      return element;
  }
  return pointed;
}

/** Returns the element inside that has the longest text, which may have another color or font. */
function findText(element: Element, skipped: string): Element {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let longest = { length: 0, parent: element };
  for (let count = 0; count < MAX_TEXTS && walker.nextNode(); count++) {
    const { nodeValue, parentElement: parent } = walker.currentNode;
    const length = nodeValue?.trim().length ?? 0;
    const other = parent?.closest(`${privateFields},script,style${skipped && `,${skipped}`}`);
    const isInOther = other && other !== element && element.contains(other);
    if (parent && length > longest.length && !isInOther && isVisible(parent)) longest = { length, parent };
  }
  return longest.parent;
}

function textColorOf(style: CSSStyleDeclaration): Rgba {
  const fill = toRgba(style.getPropertyValue('-webkit-text-fill-color') || style.color);
  // A transparent fill shows the background of a text through its letters.
  const [red, green, blue, alpha] = fill[3] > 0 ? fill : toRgba(style.color);
  return [red, green, blue, alpha * Number(style.opacity)];
}

/** Returns the color that people see behind the content of an element: its own, over what is behind it. */
function backgroundOf(element: Element): Rgba {
  return mix(paintOf(element), behind(element));
}

/** Returns the color of everything that is painted behind the middle of an element, down to the page. */
function behind(element: Element): Rgba {
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const isAtMiddle = (one: Element) => {
    const rect = one.getBoundingClientRect();
    return rect.left <= x && rect.right >= x && rect.top <= y && rect.bottom >= y;
  };
  const around: Element[] = [];
  for (let one = parentOf(element); one; one = parentOf(one)) around.push(one);
  const stack = (element.getRootNode() as Document).elementsFromPoint?.(x, y).filter((one) => !isOurs(one)) ?? [];
  // An element that scrolled out of the window is in no stack. Then what is around it is behind it.
  const below = stack.includes(element) ? stack.slice(stack.indexOf(element) + 1) : [];
  const { body, documentElement } = element.ownerDocument;
  // The background of the body is the one of the window, below everything else, unless the root element has one.
  const isWindow = (one: Element) => one === documentElement || (one === body && paintOf(documentElement)[3] === 0);
  const between = [...below, ...around.filter(isAtMiddle)].filter((one) => !isWindow(one));
  const layers = new Set([...between, body, documentElement]);
  let color: Rgba = [0, 0, 0, 0];
  for (const layer of layers) if (color[3] < 1) color = mix(color, paintOf(layer));
  const isDark = color[3] < 1 && schemeOfPage() === 'dark';
  return mix(color, isDark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
}

/** Returns the background of an element alone. A gradient is the average of its colors. */
function paintOf(element: Element): Rgba {
  const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
  const flat = toRgba(backgroundColor);
  const isGradient = /^(repeating-)?(linear|radial|conic)-gradient\(/.test(backgroundImage);
  const stops = isGradient ? (backgroundImage.match(/(rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g) ?? []) : [];
  const [red, green, blue, alpha] = stops.length > 0 ? mix(average(stops.map(toRgba)), flat) : flat;
  return [red, green, blue, alpha * Number(opacity)];
}

function average(colors: readonly Rgba[]): Rgba {
  const mean = (at: number) => colors.reduce((sum, color) => sum + (color[at] ?? 0), 0) / colors.length;
  return [mean(0), mean(1), mean(2), mean(3)];
}

/** Returns the color of one layer over another. */
function mix(over: Rgba, under: Rgba): Rgba {
  const alpha = over[3] + under[3] * (1 - over[3]);
  if (alpha === 0) return over;
  const part = (at: 0 | 1 | 2) => (over[at] * over[3] + under[at] * under[3] * (1 - over[3])) / alpha;
  return [part(0), part(1), part(2), alpha];
}

/**
 * Reads a computed `box-shadow`, such as `rgba(0, 0, 0, 0.1) 0px 4px 6px -1px`. A layer without a blur around the
 * element is a border.
 */
function readShadows(shadow: string): { border?: { width: number; color: string }; reach: number } {
  let border: { width: number; color: string } | undefined;
  let reach = 0;
  for (const layer of shadow.split(/,(?![^(]*\))/)) {
    const [color = ''] = /\S+\([^)]*\)/.exec(layer) ?? [];
    const lengths = layer.replace(color, '').match(/-?[\d.]+(?=px)/g);
    if (!lengths || toRgba(color)[3] < 0.02) continue;
    const [x = 0, y = 0, blur = 0, spread = 0] = lengths.map(Number);
    if (!x && !y && !blur) border ??= spread > 0 && spread <= 8 ? { width: spread, color } : undefined;
    else if (!layer.includes('inset')) reach = Math.max(reach, blur + Math.abs(y));
  }
  return { ...(border && { border }), reach };
}

/** Returns the largest radius of the corners, as it is painted. */
function radiusOf(element: Element, style: CSSStyleDeclaration): number {
  const { width, height } = element.getBoundingClientRect();
  const radii = corners.map((corner) => {
    const value = style.getPropertyValue(`border-${corner}-radius`);
    return Number.parseFloat(value) * (/^[\d.]+%/.test(value) ? width / 100 : 1);
  });
  return round(Math.min(Math.max(...radii) || 0, width / 2, height / 2));
}

/** Returns the names of the fonts that a theme can have, in their order. */
function fontOf({ fontFamily }: CSSStyleDeclaration): string {
  const names = (fontFamily.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? []).map((name) => name.trim());
  return names
    .filter((name) => fontName.test(name))
    .reduce((list, name) => (list.length + name.length + 2 > MAX_FONT ? list : list ? `${list}, ${name}` : name), '');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function toHexDigits([red, green, blue]: Rgba): string {
  return toDigits([red, green, blue]);
}
