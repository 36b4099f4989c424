export const preview = {
  title: 'Preview',
  frame: (name: string) => `Preview of ${name}`,
  unnamed: 'this Experience',
  bar: 'Preview settings',
  mode: { label: 'What a click does', edit: 'Edit texts', look: 'Look', try: 'Try it' },
  scheme: { label: 'Colors', light: 'Light', dark: 'Dark' },
  width: { label: 'Width', desktop: 'Desktop', phone: 'Phone' },
  language: { label: 'Language', source: 'Source language' },
  person: { label: 'As user', nobody: 'No particular user', search: 'Email or ID…' },
};
