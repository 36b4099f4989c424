import type { PageSketch } from '../../../domain/src/picks/page-sketch.ts';
import { isOurs } from '../page/find.ts';
import { rectOf } from '../page/place.ts';
import { toDigits, toRgba } from './color.ts';
import { privateFields } from './describe.ts';
import { intersect, levelOf, type Rect, toRect } from './wireframe.ts';

/*
 * A small sketch of what the window shows, which Usher keeps for the preview: places, sizes, kinds and background colors of boxes. It
 * has no texts, values or pictures.
 */

/** The server accepts 8 KB. The rest is for the colors and the target. */
const MAX_BYTES = 7_500;
const MAX_BOXES = 500;
const MAX_COLORS = 32;
const MAX_ELEMENTS = 20_000;
/** Nothing of a page is farther away than this, for the server. */
const MAX_PIXELS = 20_000;
/** The indexes of `sketchKinds`. */
const [AREA, TEXT, BUTTON, PICTURE, FIELD] = [0, 1, 2, 3, 4];
const pictures = 'img,svg,video,canvas,picture,object,embed,iframe';
const buttons = 'button,[role=button],input[type=submit],input[type=button]';
const skipped = 'script,style,noscript,template,head,option,optgroup';

interface Drawn {
  box: number[];
  level: number;
}

export function drawSketch(target: Element): PageSketch {
  const [width, height] = [Math.max(1, innerWidth), Math.max(1, innerHeight)];
  const view = { x: 0, y: 0, width, height };
  const colors: string[] = [pageColor()];
  const drawn: Drawn[] = [];
  let count = 0;

  /** The indexes of computed colors; undefined for one that is nearly transparent, or one too many. */
  const indexes = new Map<string, number | undefined>();
  const addColor = (color: string): number | undefined => {
    const [red, green, blue, alpha] = toRgba(color);
    const hex = toDigits([red, green, blue]);
    if (alpha < 0.5 || (!colors.includes(hex) && colors.length >= MAX_COLORS)) return undefined;
    if (!colors.includes(hex)) colors.push(hex);
    return colors.indexOf(hex);
  };
  const indexOf = (color: string): number | undefined => {
    if (!indexes.has(color)) indexes.set(color, addColor(color));
    return indexes.get(color);
  };
  const add = (kind: number, rect: Rect | undefined, level: number, color?: number) => {
    if (!rect || rect.width < 3 || rect.height < 3) return;
    drawn.push({ box: [kind, ...toNumbers(rect), ...(color === undefined ? [] : [color])], level });
  };
  const visit = (element: Element, outerClip: Rect, outerLevel: number) => {
    if (count++ > MAX_ELEMENTS || isOurs(element) || element.matches(skipped)) return;
    const style = getComputedStyle(element);
    if (style.display === 'none' || style.opacity === '0') return;
    const rect = toRect(element.getBoundingClientRect());
    const level = Math.max(outerLevel, levelOf(element, style));
    const outer = style.position === 'fixed' ? view : outerClip;
    const isOpen = style.overflow === 'visible' || style.display === 'contents' || element === document.body;
    const clip = isOpen ? outer : intersect(outer, rect);
    if (!clip) return;
    const isSeen = style.visibility === 'visible';
    const kind = kindOf(element);
    const fill = indexOf(style.backgroundColor);
    if (isSeen && (kind !== AREA || fill !== undefined)) add(kind, intersect(outer, rect), level, fill);
    if (kind === PICTURE || kind === FIELD) return;
    if (isSeen) for (const line of linesOf(element)) add(TEXT, intersect(clip, line), level);
    for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) visit(child, clip, level);
  };
  visit(document.body, view, 0);
  drawn.sort((a, b) => a.level - b.level);
  return { width, height, colors, target: toNumbers(toRect(rectOf(target))), boxes: fit(drawn.map(({ box }) => box)) };
}

function kindOf(element: Element): number {
  if (element.matches(pictures)) return PICTURE;
  if (element.matches(buttons)) return BUTTON;
  return element.matches(privateFields) ? FIELD : AREA;
}

/** Returns the background of the page. A page without one is white. */
function pageColor(): string {
  const found = [document.documentElement, document.body]
    .map((element) => toRgba(getComputedStyle(element).backgroundColor))
    .find(([, , , alpha]) => alpha > 0.5);
  return found ? toDigits(found.slice(0, 3)) : 'ffffff';
}

/** Returns where the lines of the texts are that are in the element itself. */
function linesOf(element: Element): Rect[] {
  const range = document.createRange();
  return [...element.childNodes].flatMap((node) => {
    if (node.nodeType !== Node.TEXT_NODE || !node.nodeValue?.trim()) return [];
    range.selectNodeContents(node);
    return [...range.getClientRects()].map(toRect);
  });
}

/** Keeps the largest boxes, in their order, if there are too many. */
function fit(boxes: number[][]): number[][] {
  let bytes = 0;
  const areaOf = ([, , , width = 0, height = 0]: number[]) => width * height;
  const kept = new Set(
    [...boxes]
      .sort((a, b) => areaOf(b) - areaOf(a))
      .slice(0, MAX_BOXES)
      .filter((box) => {
        bytes += JSON.stringify(box).length + 1;
        return bytes <= MAX_BYTES;
      }),
  );
  return boxes.filter((box) => kept.has(box));
}

function toNumbers({ x, y, width, height }: Rect): number[] {
  return [x, y, width, height].map((value) => Math.round(Math.max(-MAX_PIXELS, Math.min(MAX_PIXELS, value))));
}
