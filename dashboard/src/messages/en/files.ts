/** The texts about records that are kept as files. */
export const files = {
  managed: 'Managed by code',
  before: 'This is kept in the file',
  after: 'Change it there. A change that you make here must be pulled into the file before the next apply.',
  badge: 'Managed by code',
  download: 'Download as a file',
  upload: 'Replace with a file',
  fromFile: 'From a file',
  replaced: (name: string) => `Replaced “${name}” with the file`,
};
