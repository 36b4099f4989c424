/** The names of pages. The frame lists them before the other texts of a page are loaded. */
export const titles = {
  home: 'Home',
  experiences: 'Experiences',
  experience: 'Experience',
  person: 'Person',
  domains: 'Domains',
  account: 'Account',
  install: 'Install',
  languages: 'Languages',
  limits: 'Limit groups',
  webhooks: 'Webhooks',
  webhook: 'Webhook',
  team: 'Team',
  auditLog: 'Audit log',
  secrets: 'API secrets',
  health: 'Version and health',
};
