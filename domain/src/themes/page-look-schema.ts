import Type, { type Static } from 'typebox';
import { OutputObject } from '../basics/schema.ts';

/*
 * How elements of a customer's page look, as a browser computed it. The page sends this, so everything in it is checked.
 */

const pixels = (max: number) =>
  Type.Unsafe<number>({ type: 'number', minimum: 0, maximum: max, description: `a number of pixels from 0 to ${max}` });
const color = Type.Unsafe<string>({
  ...{ type: 'string', pattern: '^[0-9a-f]{6}$' },
  description: 'a color of six hex digits such as `3b48cc`',
});

/** One element. Its colors are the ones that people see: what is transparent is mixed with what is behind it. */
export const ElementLook = OutputObject({
  /** The names of fonts, in their order. Missing if a theme cannot have them. */
  font: Type.Optional(Type.Unsafe<string>({ type: 'string', maxLength: 200, description: 'the names of fonts' })),
  font_size: pixels(1000),
  font_weight: Type.Unsafe<number>({
    ...{ type: 'number', minimum: 1, maximum: 1000 },
    description: 'a number from 1 to 1000',
  }),
  /** In sizes of the font. Missing if it depends on the font. */
  line_height: Type.Optional(
    Type.Unsafe<number>({ type: 'number', minimum: 0, maximum: 100, description: 'a number from 0 to 100' }),
  ),
  color,
  background: color,
  border_width: pixels(1000),
  border_color: Type.Optional(color),
  radius: pixels(10_000),
  /** How far the shadow reaches. */
  shadow: pixels(10_000),
});
export type ElementLook = Static<typeof ElementLook>;

const Look = OutputObject({
  button: Type.Optional(ElementLook),
  heading: Type.Optional(ElementLook),
  card: Type.Optional(ElementLook),
  link: Type.Optional(ElementLook),
});
export type Look = Static<typeof Look>;

/** How a page looks when it is light, and when it is dark. */
export const PageLooks = OutputObject({ light: Type.Optional(Look), dark: Type.Optional(Look) });
export type PageLooks = Static<typeof PageLooks>;
