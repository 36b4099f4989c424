import { isOurs } from '../page/find.ts';
import { rectOf } from '../page/place.ts';
import { createToHex } from './color.ts';
import { privateFields, shorten } from './describe.ts';

/*
 * A drawing of what the window shows: boxes, colors and short texts. A page cannot take a picture of itself. The
 * drawing never contains what users type or choose.
 */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface WireframeBox extends Rect {
  fill?: string;
  text?: string;
  color?: string;
  target?: boolean;
}

export interface Wireframe {
  width: number;
  height: number;
  boxes: WireframeBox[];
}

const MAX_BOXES = 1500;
/** The server accepts 100 KB in total. The rest is for the selectors. */
const MAX_BYTES = 80_000;
const MAX_TEXT = 80;
/** If a page has more elements, only a part of them is drawn. */
const MAX_ELEMENTS = 20_000;
const IMAGE_FILL = '#8e96a466';
const images = /^(img|svg|video|canvas|picture|object|embed|iframe)$/;
const skipped = /^(script|style|noscript|template|head|option|optgroup)$/;

/** The level of a box: boxes of a higher level cover boxes of a lower one. */
type Level = 0 | 1 | 2;
interface Drawn {
  box: WireframeBox;
  level: Level;
}

export function drawWireframe(target: Element): Wireframe {
  const [width, height] = [innerWidth, innerHeight];
  const view = { x: 0, y: 0, width, height };
  const toHex = createToHex();
  const drawn: Drawn[] = [];
  let count = 0;

  const add = (rect: Rect | undefined, level: Level, look: Partial<WireframeBox>) => {
    if (rect && rect.width > 1 && rect.height > 1) drawn.push({ box: { ...round(rect), ...look }, level });
  };
  const visit = (element: Element, outerClip: Rect, outerLevel: Level) => {
    if (count++ > MAX_ELEMENTS || isOurs(element) || skipped.test(element.localName)) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.opacity === '0') return;
    const rect = toRect(element.getBoundingClientRect());
    const isFixed = style.position === 'fixed';
    const level = Math.max(outerLevel, levelOf(element, style)) as Level;
    const outer = isFixed ? view : outerClip;
    // The `overflow` of the body is the one of the window.
    const isOpen = style.overflow === 'visible' || style.display === 'contents' || element === document.body;
    const clip = isOpen ? outer : intersect(outer, rect);
    // Nothing inside of this element is visible.
    if (!clip) return;
    const isSeen = style.visibility === 'visible';
    const isImage = images.test(element.localName);
    const isField = element.matches(privateFields);
    const fill =
      (isImage && IMAGE_FILL) ||
      toHex(style.backgroundColor) ||
      fillOfBorder(toHex(style.borderTopColor), style, isField);
    if (isSeen && fill) add(intersect(outer, rect), level, { fill });
    if (isImage || isField) return;
    if (isSeen)
      for (const text of textsOf(element))
        add(intersect(clip, text.rect), level, lookOf(text.value, toHex(style.color)));
    for (const child of [...(element.shadowRoot?.children ?? []), ...element.querySelectorAll(':scope>*')])
      visit(child, clip, level);
  };
  const page = toHex(getComputedStyle(document.documentElement).backgroundColor);
  if (page) add(view, 0, { fill: page });
  visit(document.body, view, 0);
  drawn.sort((a, b) => a.level - b.level);
  const boxes = drawn.map(({ box }) => box);
  return { width, height, boxes: [...fit(boxes), { ...round(toRect(rectOf(target))), target: true }] };
}

/** Keeps the largest boxes, in their order, if there are too many. */
function fit(boxes: WireframeBox[]): WireframeBox[] {
  const encoder = new TextEncoder();
  const areaOf = ({ width, height, text }: WireframeBox) => width * height * (text ? 2 : 1);
  let bytes = 0;
  const kept = new Set(
    [...boxes]
      .sort((a, b) => areaOf(b) - areaOf(a))
      .slice(0, MAX_BOXES - 1)
      .filter((box) => {
        bytes += encoder.encode(JSON.stringify(box)).length + 1;
        return bytes <= MAX_BYTES;
      }),
  );
  return boxes.filter((box) => kept.has(box));
}

function lookOf(text: string, color: string | undefined): Partial<WireframeBox> {
  return color ? { text, color } : { text };
}

/** A border stands for an element without a background: a field, or a card. */
function fillOfBorder(color: string | undefined, style: CSSStyleDeclaration, isField: boolean): string | undefined {
  const widths = [style.borderTopWidth, style.borderBottomWidth].map(Number.parseFloat);
  return color && (isField || widths.every((width) => width > 0)) ? `${color.slice(0, 7)}1a` : undefined;
}

export function levelOf(element: Element, { position, zIndex }: CSSStyleDeclaration): Level {
  if (element.matches('dialog[open],[popover]')) return 2;
  return position === 'fixed' || position === 'sticky' || (position !== 'static' && Number(zIndex) > 0) ? 1 : 0;
}

/** The texts that are in the element itself, and where. */
function textsOf(element: Element): { value: string; rect: Rect }[] {
  const range = document.createRange();
  return [...element.childNodes].flatMap((node) => {
    const value = node.nodeType === Node.TEXT_NODE ? shorten(node.nodeValue ?? '', MAX_TEXT) : '';
    if (!value) return [];
    range.selectNodeContents(node);
    return [{ value, rect: toRect(range.getBoundingClientRect()) }];
  });
}

export function toRect({ x, y, width, height }: DOMRect): Rect {
  return { x, y, width, height };
}

export function intersect(a: Rect, b: Rect): Rect | undefined {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function round({ x, y, width, height }: Rect): Rect {
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width), height: Math.round(height) };
}
