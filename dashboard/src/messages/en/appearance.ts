import { titles } from './titles.ts';

/** The texts of the page about how the dashboard looks. */
export const appearance = {
  title: titles.appearance,
  intro: 'How the dashboard looks in this browser. Your users see none of it.',
  theme: 'Theme',
  themeHelp: { system: 'Follows the setting of your computer', light: '', dark: '' },
  navigation: 'Navigation',
  collapse: 'Show only the icons of the navigation',
  collapseHelp: 'More room for the page. The names show when you point at an icon.',
};
