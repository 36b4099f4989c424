import Type, { type Static } from 'typebox';
import { OneOf, OutputObject, Text } from '../basics/schema.ts';
import { findSelectorProblem, findShadowSelectorProblem } from '../content/selector.ts';
import { listSketchProblems, PageSketch } from './page-sketch.ts';

/** The maximum size of a result as JSON, in bytes. */
export const MAX_PICK_RESULT = 100 * 1024;
const MAX_STRING = 200;
/** The same limit as for the elements of a step. */
const MAX_SELECTOR = 1000;
/** No element of a page is farther away than this, in pixels. */
const MAX_LENGTH = 1_000_000;

const length = Type.Unsafe<number>({
  type: 'number',
  minimum: -MAX_LENGTH,
  maximum: MAX_LENGTH,
  description: 'a number of pixels',
});
const size = Type.Unsafe<number>({
  type: 'number',
  minimum: 0,
  maximum: MAX_LENGTH,
  description: 'a number of pixels from 0',
});
/** Only plain colors: the editor paints with what a page sent. */
const color = Type.Optional(
  Type.Unsafe<string>({
    type: 'string',
    pattern: '^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$',
    description: 'a color such as `#1f6feb` or `#1f6febcc`',
  }),
);
const label = (description: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: MAX_STRING, description }));

const elementFields = {
  selector: Type.Optional(Text('a CSS selector', MAX_SELECTOR)),
  text: Type.Optional(Text('a text that the element holds', MAX_STRING)),
  shadow_selector: Type.Optional(Text('a CSS selector within the shadow root of the first', MAX_SELECTOR)),
};
const PickedElement = OutputObject(elementFields);
type PickedElement = Static<typeof PickedElement>;

const PickCandidate = OutputObject({
  ...elementFields,
  score: Type.Unsafe<number>({ type: 'number', minimum: 0, maximum: 100, description: 'a number from 0 to 100' }),
  kind: OneOf(['token', 'text', 'positional']),
  /** How many elements of the page it finds. */
  matches: Type.Unsafe<number>({
    type: 'integer',
    minimum: 0,
    maximum: MAX_LENGTH,
    description: 'a whole number from 0',
  }),
});

const boxFields = { x: length, y: length, width: size, height: size };
const WireframeBox = OutputObject({
  ...boxFields,
  fill: color,
  text: label('a short text'),
  color,
  target: Type.Optional(Type.Boolean()),
});

/** What was picked on a page: how to find the element, and a drawing of the place around it. */
export const PickResult = OutputObject({
  elements: Type.Array(PickedElement, { minItems: 1, maxItems: 10, description: 'a list of elements' }),
  candidates: Type.Array(PickCandidate, { maxItems: 10, description: 'a list of candidates' }),
  /** The attribute that a developer can add to the element. */
  attribute: label('an attribute'),
  /** The language of the element's text, as the page declares it. */
  language: Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      pattern: '^[A-Za-z0-9-]{2,35}$',
      description: 'a language tag such as `en`',
    }),
  ),
  box: OutputObject(boxFields),
  wireframe: OutputObject({
    width: size,
    height: size,
    boxes: Type.Array(WireframeBox, { maxItems: 1500, description: 'a list of boxes' }),
  }),
  /** What the editor keeps of the page, if the administrator uses the element. */
  sketch: Type.Optional(PageSketch),
});
export type PickResult = Static<typeof PickResult>;

/** The attribute that Usher suggests. Its value has no characters that end an attribute or that are invisible. */
const usherAttribute = /^data-usher="[^"&<>\p{C}]+"$/u;

/** Leaves out an attribute that Usher did not suggest, because developers paste it into the source of their page. */
export function withoutForeignAttribute({ attribute, ...result }: PickResult): PickResult {
  return attribute !== undefined && usherAttribute.test(attribute) ? { ...result, attribute } : result;
}

/** Describes what the schema cannot say about elements, candidates and the sketch. */
export function listResultProblems({
  elements,
  candidates,
  sketch,
}: Pick<PickResult, 'elements' | 'candidates' | 'sketch'>): string[] {
  return [
    ...(sketch ? listSketchProblems(sketch, 'result.sketch') : []),
    ...elements.flatMap((element, at) => listElementProblems(element, `result.elements[${at}]`)),
    ...candidates.flatMap((element, at) => listElementProblems(element, `result.candidates[${at}]`)),
  ];
}

function listElementProblems({ selector, text, shadow_selector }: PickedElement, path: string): string[] {
  if (selector === undefined && text === undefined) return [`\`${path}\` needs a \`selector\` or a \`text\``];
  if (selector === undefined && shadow_selector !== undefined)
    return [`\`${path}\` has a \`shadow_selector\`, so it needs a \`selector\` for the element with the shadow root`];
  const problems = {
    selector: selector === undefined ? undefined : findSelectorProblem(selector),
    shadow_selector: shadow_selector === undefined ? undefined : findShadowSelectorProblem(shadow_selector),
  };
  return Object.entries(problems).flatMap(([name, problem]) =>
    problem === undefined ? [] : [`\`${path}.${name}\` ${problem}`],
  );
}
