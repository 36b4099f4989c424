import type { PageSketch } from '../../../domain/src/picks/page-sketch.ts';

/*
 * Draws the sketch of a customer's page behind the step. Its length is the width of the window, so the sketch is as wide as the window
 * is.
 */

/** The names of the kinds of boxes, in the order of `sketchKinds`. */
const kinds = ['area', 'text', 'button', 'picture', 'field'];
/** In a window that is much narrower than the page was, the sketch would be too small to recognize. */
const MIN_SCALE = 0.4;

/** Checks a sketch, which comes from a page of the customer by way of the server. */
export function readSketch(value: unknown): PageSketch | undefined {
  const { width, height, colors, target, boxes } = (value ?? {}) as Partial<PageSketch>;
  const areNumbers = (list: unknown): list is number[] => Array.isArray(list) && list.every(Number.isFinite);
  const isRead =
    areNumbers([width, height]) &&
    Array.isArray(colors) &&
    colors.every((color) => /^[\da-f]{6}$/.test(color)) &&
    areNumbers(target) &&
    Array.isArray(boxes) &&
    boxes.every(areNumbers);
  return isRead && Number(width) > 0 ? (value as PageSketch) : undefined;
}

/** Creates the sketch, with an element in the place of the picked one. Undefined if the window is too narrow for it. */
export function drawSketchPage(sketch: PageSketch): { page: HTMLElement; target: HTMLElement } | undefined {
  const { width, height, colors, boxes } = sketch;
  const scale = innerWidth / width;
  if (scale < MIN_SCALE) return undefined;
  const toElement = (className: string, [x = 0, y = 0, w = 0, h = 0]: number[], color?: string) => {
    const element = document.createElement('div');
    element.className = className;
    const lengths = { left: x, top: y, width: w, height: h };
    for (const [name, value] of Object.entries(lengths)) element.style.setProperty(name, `${value * scale}px`);
    if (color) element.style.setProperty('background', `#${color}`);
    return element;
  };
  const [, top = 0, , tall = 0] = sketch.target;
  // The element is in view, if the window is lower than the page was.
  const shift = Math.max(0, Math.min((top + tall / 2) * scale - innerHeight / 2, height * scale - innerHeight));
  const page = toElement(
    'sketch',
    [0, -shift / scale, width, Math.max(height, innerHeight / scale + shift / scale)],
    colors[0],
  );
  page.ariaHidden = 'true';
  const target = toElement('sketch-target', sketch.target);
  page.append(
    ...boxes.map(([kind = 0, ...rest]) =>
      toElement(`sketch-${kinds[kind] ?? 'area'}`, rest, rest[4] === undefined ? undefined : colors[rest[4]]),
    ),
    target,
  );
  return { page, target };
}
