export { type Contrast, contrastRatio, listContrasts, type Scheme, shownColor } from './contrast.ts';
export {
  DARK,
  describeThemeValue,
  LIGHT,
  readThemeValue,
  stylesOf,
  type ThemeField,
  type ThemeGroup,
  type ThemeStyles,
  themeFields,
  themeGroups,
} from './theme-fields.ts';
export { type ThemeStart, themeStarts } from './theme-starts.ts';
