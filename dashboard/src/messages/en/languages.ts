import { titles } from './titles.ts';

/** Texts of the page "Languages". */
export const languages = {
  title: titles.languages,
  intro:
    'A person sees an Experience in the language of their browser if you have translated it, otherwise as you wrote it.',
  add: 'Add language',
  addHelp: 'Type its name, or a code such as “de” or “pt-BR”.',
  field: 'Language',
  added: (name: string) => `${name} added`,
  remove: 'Remove',
  removeLanguage: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} removed`,
  default: 'Default',
  defaultHelp: 'As you wrote it',
  always: 'Always there',
  columns: { name: 'Language', code: 'Code', direction: 'Direction', progress: 'Translated', actions: 'Actions' },
  directions: { ltr: 'Left to right', rtl: 'Right to left' },
  progress: (translated: string, all: string) => `${translated} of ${all} texts`,
  noTexts: 'No texts yet',
  empty: {
    title: 'No other languages yet',
    text: 'Everybody sees your Experiences as you wrote them. Add the first language to translate them.',
  },
  confirm: {
    title: (name: string) => `Remove ${name} with its translations?`,
    description: (count: string) =>
      `${count} translated texts are deleted with it. What is published keeps them until you publish again. This cannot be undone.`,
    action: 'Remove language',
  },
};
