export const browserFamilies = ['chrome', 'edge', 'firefox', 'safari', 'other'] as const;
export type BrowserFamily = (typeof browserFamilies)[number];

/** The first pattern that matches counts: almost every browser claims to be Safari, and many claim to be Chrome. */
const patterns: readonly [pattern: RegExp, family: BrowserFamily][] = [
  [/\b(OPR|OPT|Opera|YaBrowser|Vivaldi|SamsungBrowser|UCBrowser|MiuiBrowser|DuckDuckGo)\//, 'other'],
  [/\bEdg(e|A|iOS)?\//, 'edge'],
  [/\b(Firefox|FxiOS)\//, 'firefox'],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, 'chrome'],
  [/\bVersion\/[\d.]+ (Mobile\/\w+ )?Safari\//, 'safari'],
];

/** Which of the common browsers a page was open in, by its `User-Agent`. Others, and none, are `other`. */
export function browserFamilyOf(userAgent: string | undefined): BrowserFamily {
  return patterns.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? 'other';
}
