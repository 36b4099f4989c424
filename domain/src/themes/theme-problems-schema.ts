import Type from 'typebox';
import { Nullable, OutputObject } from '../basics/schema.ts';

const ThemeProblem = OutputObject({
  path: Type.String(),
  message: Type.String(),
  suggestion: Nullable(OutputObject({ field: Type.String(), value: Type.String() })),
  line: Nullable(Type.Integer()),
  column: Nullable(Type.Integer()),
});

/** What an administrator should know before publishing a theme. */
export const ThemePublishCheck = OutputObject({ problems: Type.Array(ThemeProblem) });
