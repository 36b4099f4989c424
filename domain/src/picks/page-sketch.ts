import Type, { type Static } from 'typebox';
import { Id, OutputObject, Timestamp } from '../basics/schema.ts';

/*
 * A sketch of a page around a picked element, which the editor keeps and shows behind the step. It has places, sizes and background
 * colors, and nothing that can be read: no texts, values or pictures.
 */

/** The maximum size of a sketch as JSON, in bytes. */
export const MAX_PAGE_SKETCH = 8 * 1024;
/** What a box stands for. A box begins with the index of its kind. */
export const sketchKinds = ['area', 'text', 'button', 'picture', 'field'] as const;
const MAX_PIXELS = 20_000;
const MAX_COLORS = 32;
const MAX_BOXES = 500;

const pixels = (minimum: number) =>
  Type.Unsafe<number>({
    ...{ type: 'integer', minimum, maximum: MAX_PIXELS },
    description: `a whole number of pixels from ${minimum} to ${MAX_PIXELS}`,
  });
const numbers = (minItems: number, maxItems: number, description: string) =>
  Type.Array(pixels(-MAX_PIXELS), { minItems, maxItems, description });

export const PageSketch = OutputObject({
  width: pixels(1),
  height: pixels(1),
  /** The first one is the background of the page. */
  colors: Type.Array(
    Type.Unsafe<string>({
      ...{ type: 'string', pattern: '^[0-9a-f]{6}$' },
      description: 'a color of six hex digits such as `3b48cc`',
    }),
    { minItems: 1, maxItems: MAX_COLORS, description: 'a list of colors' },
  ),
  /** The place of the picked element: x, y, width and height. */
  target: numbers(4, 4, 'a list of x, y, width and height'),
  /** Each has its kind, x, y, width and height, and the index of its color if it has one. */
  boxes: Type.Array(numbers(5, 6, 'a list of 5 or 6 whole numbers'), {
    ...{ maxItems: MAX_BOXES, description: 'a list of boxes' },
  }),
});
export type PageSketch = Static<typeof PageSketch>;

/** Describes what the schema cannot say about a sketch. */
export function listSketchProblems(sketch: PageSketch, path: string): string[] {
  const { colors, target, boxes } = sketch;
  const isWrong = ([kind = 0, , , width = 0, height = 0, color = 0]: number[]) =>
    kind < 0 || kind >= sketchKinds.length || width < 0 || height < 0 || color < 0 || color >= colors.length;
  const wrong = boxes.findIndex(isWrong);
  if (wrong >= 0) return [`\`${path}.boxes[${wrong}]\` must have a known kind, a size from 0, and one of the colors`];
  if ((target[2] ?? 0) < 0 || (target[3] ?? 0) < 0) return [`\`${path}.target\` must have a size from 0`];
  // All characters of a sketch are ASCII.
  if (JSON.stringify(sketch).length > MAX_PAGE_SKETCH)
    return [`\`${path}\` must be at most ${MAX_PAGE_SKETCH / 1024} KB of JSON`];
  return [];
}

/** The sketch that is kept for a step. */
export const StepSketch = OutputObject({
  step_id: Id,
  updated_at: Timestamp,
  /** The ways to find the element that was picked. */
  elements: Type.Array(Type.Record(Type.String(), Type.String())),
  sketch: PageSketch,
});
export type StepSketch = Static<typeof StepSketch>;
