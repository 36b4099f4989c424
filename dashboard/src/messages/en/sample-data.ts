/** Texts about sample data that are shown on every page. */
export const sampleData = {
  load: 'Load sample data',
  loaded: 'Sample data is loaded',
  loadedHelp: 'Look around. One click on Home removes it.',
  remove: 'Remove sample data',
};
