import * as text from '../../messages/text.ts';

const { tabs } = text.themes;

/** The tabs of a theme, in their order. The path of the first one is empty. */
export const themeTabs = [
  { path: '', title: tabs.look },
  { path: 'variations', title: tabs.variations },
  { path: 'history', title: tabs.history },
] as const;
