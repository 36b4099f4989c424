import type { ExperienceKind } from '@usher/domain/kinds';
import { kindWords } from './en/kinds.ts';

/*
 * All texts of the dashboard. Sentence case; buttons are verbs with their object; an error says what happened, what it means and what
 * to do. A text with values is a function.
 */

export const ui = {
  optional: 'optional',
  choose: 'Choose…',
  typeToSearch: 'Type to search…',
  nothingFound: 'Nothing found',
  nothingFoundFor: (query: string) => `Nothing found for “${query}”. Try another word.`,
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  notifications: 'Notifications',
  showPassword: 'Show password',
  passwordStrength: {
    empty: (min: number) => `At least ${min} characters`,
    short: (missing: number) => (missing === 1 ? '1 more character' : `${missing} more characters`),
    common: 'Too common: choose another',
    personal: 'Not your email or name',
    levels: ['Weak: make it longer', 'Fair: longer is better', 'Good', 'Very good'],
  },
  typeToConfirm: (phrase: string) => `Type “${phrase}” to confirm`,
  selectAll: 'Select all',
  order: 'Order',
  actions: 'Actions',
  orderHelp:
    'Press Enter to pick up this row, move it with the arrow keys, and press Enter again to drop it. Esc puts it back.',
  select: (name: string) => `Select ${name}`,
  loading: (what: string) => `Loading ${what}…`,
  copyOf: (name: string) => `Copy of ${name}`,
  copyStates: { ready: 'Copy', copied: 'Copied', failed: 'Select and copy it yourself' },
  commandPalette: 'Search and commands',
  searchCommands: 'Search pages, Experiences, people and actions…',
  searching: 'Searching…',
  commands: 'Commands',
  shortcuts: 'Keyboard shortcuts',
};

export const states = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  scheduledFor: (time: string) => `Scheduled for ${time}`,
  live: 'Live',
  changed: 'Live, with unpublished changes',
  changedShort: 'Live, changed',
  nowhere: 'Live, but shows nowhere',
  nowhereShort: 'Shows nowhere',
  paused: 'Paused',
  ended: 'Ended',
  archived: 'Archived',
};

export const roles = {
  owner: { name: 'Owner', plural: 'Owners', help: 'Does everything, with team, secrets and settings' },
  editor: { name: 'Editor', plural: 'Editors', help: 'Creates and publishes Experiences' },
  translator: { name: 'Translator', plural: 'Translators', help: 'Changes texts in other languages only' },
  viewer: { name: 'Viewer', plural: 'Viewers', help: 'Looks, changes nothing' },
};

export const frame = {
  skip: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  collapse: 'Collapse sidebar',
  expand: 'Expand sidebar',
  search: 'Search',
  accounts: 'Accounts',
  switchAccount: (name: string) => `Account: ${name}. Switch account`,
  environments: 'Environments',
  allEnvironments: 'All Environments',
  switchEnvironment: (name: string) => `Environment: ${name}. Switch Environment`,
  you: (name: string) => `You: ${name}`,
  yourAccount: 'You',
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  profile: 'Your profile',
  devices: 'Your devices',
  shortcuts: 'Keyboard shortcuts',
  signOut: 'Sign out',
  switched: (name: string) => `Switched to ${name}`,
  loadingPage: 'Loading page…',
  goTo: (page: string) => `Go to ${page}`,
  pages: 'Pages',
  actions: 'Actions',
  create: {
    title: 'Create',
    otherWords: 'create add make',
    kind: (kind: ExperienceKind) => `New ${kindWords[kind]}`,
    segment: 'New Segment',
    theme: 'New theme',
    domain: 'Add domain',
    webhook: 'New webhook',
    invitation: 'Invite colleague',
    secret: 'New API secret',
  },
  help: { title: 'Help', guide: (page: string) => `Guide: ${page}`, all: 'All guides' },
  chooseTheme: (theme: string) => `Use theme: ${theme}`,
  shortcutGroups: { anywhere: 'Anywhere', page: 'On this page', lists: 'In lists' },
  shortcutLabels: {
    search: 'Search pages and actions',
    sheet: 'Show this sheet',
    sidebar: 'Collapse or expand sidebar',
    move: 'Move between rows',
    select: 'Select row',
    open: 'Open row',
  },
};

export const errors = {
  notFound: {
    title: 'This page does not exist',
    description: 'The address is wrong, or what was here is gone.',
    action: 'Go to Home',
  },
  notAllowed: {
    description: (allowed: string, role: string) =>
      `${allowed} see this page, and you are ${/^[AEIO]/.test(role) ? 'an' : 'a'} ${role.toLowerCase()} in this account. An owner can change your role.`,
    action: 'Go to Home',
  },
  crashed: {
    title: 'This page has stopped working',
    description: 'The error is ours. Load the page again; what was saved is safe.',
    action: 'Load page again',
  },
  notLoaded: {
    title: 'This page could not be loaded',
    description: 'The connection is lost, or the dashboard was updated meanwhile. Load the page again to go on.',
    action: 'Load page again',
  },
  session: {
    title: 'The dashboard could not start',
    description: 'The server did not say who you are.',
    action: 'Try again',
  },
  lost: 'No connection to the server. What you typed is still here; changes are not saved until it is back.',
  unavailable: 'The server cannot reach its database. What you typed is still here; try again in a moment.',
  back: 'The connection is back',
  tryNow: 'Try now',
  titles: {
    connection: 'The server cannot be reached',
    unavailable: 'The server cannot reach its database',
    full: 'The disk of the server is nearly full',
    forbidden: 'You may not do this',
    gone: 'This is gone',
    conflict: 'This conflicts with what is there now',
    invalid: 'Something is not right yet',
    limited: 'Too many requests',
    unknown: 'This did not work',
  },
  descriptions: {
    connection: 'Check your connection and try again. What you typed is still here.',
    unavailable: 'Nothing was changed. Try again in a moment.',
    full: 'Nothing was saved, and what you typed is still here. The person who runs the server has to free some space; then try again.',
    gone: 'It was deleted meanwhile. Load the page again to see what is there.',
    unknown: 'The error is ours and was logged. Try again.',
  },
  wait: (seconds: number) => (seconds > 0 ? `Try again in ${seconds} s.` : 'You can try again now.'),
};

export const signIn = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  action: 'Sign in',
  wrong: 'Email or password is wrong',
  wrongHelp: 'Check both and try again.',
  forgotten: 'Forgot your password?',
  forgottenLabel: 'The person who runs the server can create a link',
  forgottenCommand: (email: string) => `npx usher admin reset-link --email ${email || 'you@example.com'}`,
  insecure: {
    title: 'This connection is not encrypted',
    description:
      'Anybody on the network could read your password, so signing in works only over HTTPS or on this machine. Set up TLS (USHER_TLS_CERT and USHER_TLS_KEY, or a proxy), or open a tunnel from your machine.',
    tunnel: 'On your machine',
    openThen: (url: string) => `Then open ${url} and sign in there.`,
  },
};

export const passwordPrompt = {
  ended: {
    title: 'Your session has ended',
    description: 'Sign in again to go on. What you typed is still here.',
    action: 'Sign in',
    other: 'Use another account',
  },
  confirm: {
    title: 'Confirm that it is you',
    description: 'This needs your password. You will not be asked again for 10 minutes.',
    action: 'Confirm',
  },
  wrong: 'This password is wrong. Try again.',
};

export const accountPrompt = {
  title: (account: string) => `This tab shows ${account}`,
  switched: (account: string) =>
    `You have switched to ${account} in another tab. Nothing from this tab is saved there.`,
  switchBack: 'Switch back',
  goOn: 'Go on in the other account',
  otherPerson: (name: string) =>
    `${name} has signed in to this browser in another tab. Nothing from this tab is saved.`,
  signedOut: 'You have signed out in another tab.',
  reload: 'Load page again',
};

export const setup = {
  title: 'Set up Usher',
  intro: 'You are the first here, so you become the owner. It takes a minute.',
  you: 'You',
  product: 'Your product',
  name: 'Your name',
  namePlaceholder: 'Ann Lee',
  nameHelp: 'Colleagues see it beside what you change.',
  email: 'Email',
  emailHelp: 'You sign in with it. Usher sends no email.',
  password: 'Password',
  productName: 'Product name',
  productPlaceholder: 'Acme',
  domain: 'Product domain',
  domainPlaceholder: 'app.example.com',
  domainHelp: 'Where your users are when they see a tour or a survey. You can add more later.',
  action: 'Create account',
};

export const join = {
  title: (account: string) => `Join ${account}`,
  intro: (role: string) => `You are invited as ${role.toLowerCase()}.`,
  introOther: (name: string) => `You are signed in as ${name}.`,
  asYou: (name: string) => `Join as ${name}`,
  isNew: 'I am new here',
  isKnown: 'I have a password here',
  who: 'Who are you?',
  action: 'Join account',
  someoneElse: 'Join as somebody else',
};

export const reset = {
  title: 'Choose a new password',
  intro: (email: string) => `For ${email}. All other devices are signed out.`,
  password: 'New password',
  action: 'Save password',
};

export const links = {
  title: 'Your invitation',
  checking: 'Checking your link…',
  invalid: {
    title: 'This link does not work',
    setup:
      'It was used, or is older than 24 hours. If somebody has set up Usher already, sign in. Otherwise start the server again: it prints a new link.',
    invite: 'It was used, taken back, or is older than 7 days. Ask the person who invited you for a new one.',
    reset: 'It was used or is too old. Ask an owner of this installation for a new one.',
  },
  toSignIn: 'Go to sign in',
};

export const settings = {
  title: 'Settings',
  /** In the order of the page. */
  sections: {
    account: 'Account',
    team: 'Team',
    appearance: 'Appearance',
    integrations: 'Integrations',
    operations: 'Operations',
  },
};

export const profile = {
  title: 'Your profile',
  intro: 'The same in every account that you work in.',
  detailsTitle: 'Name and email',
  name: 'Name',
  email: 'Email',
  save: 'Save profile',
  saved: 'Profile saved',
  passwordTitle: 'Password',
  passwordIntro: 'Changing it signs out all your other devices.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  savePassword: 'Change password',
  passwordSaved: 'Password changed',
  passwordSavedHelp: 'Your other devices are signed out.',
};

export const devices = {
  title: 'Your devices',
  intro: 'Where you are signed in. A session ends after 7 days without use, and after 30 days in any case.',
  columns: { device: 'Device', network: 'Network', used: 'Last used', started: 'Signed in', actions: 'Actions' },
  thisDevice: 'This device',
  end: 'Sign out',
  endDevice: (device: string) => `Sign out ${device}`,
  ended: (device: string) => `Signed out ${device}`,
  endOthers: 'Sign out all other devices',
  endAll: 'Sign out everywhere',
  othersEnded: 'All other devices are signed out',
  onlyThis: 'You are signed in on this device only.',
  unknownDevice: 'Unknown device',
  on: (browser: string, system: string) => `${browser} on ${system}`,
};

/* Each page has its texts in a file of its own, which is loaded with the page. */
export { account } from './en/account.ts';
export { alerts } from './en/alerts.ts';
export { analytics } from './en/analytics.ts';
export { appearance } from './en/appearance.ts';
export { auditLog } from './en/audit-log.ts';
export { backups } from './en/backups.ts';
export { chart } from './en/chart.ts';
export { cleanUp } from './en/clean-up.ts';
export { companies } from './en/companies.ts';
export { content } from './en/content.ts';
export { deliveries, queue } from './en/deliveries.ts';
export { domains } from './en/domains.ts';
export { editor } from './en/editor.ts';
export { environments } from './en/environments.ts';
export { events } from './en/events.ts';
export { experiences } from './en/experiences.ts';
export { experiments } from './en/experiments.ts';
export { failingSteps } from './en/failing-steps.ts';
export { files } from './en/files.ts';
export { filters } from './en/filters.ts';
export { forms } from './en/forms.ts';
export { funnel } from './en/funnel.ts';
export { goals } from './en/goals.ts';
export { health } from './en/health.ts';
export { history } from './en/history.ts';
export { home } from './en/home.ts';
export { imports } from './en/imports.ts';
export { install } from './en/install.ts';
export { interruptions } from './en/interruptions.ts';
export { languages } from './en/languages.ts';
export { experiencePicker, limits } from './en/limits.ts';
export { lists } from './en/lists.ts';
export { media } from './en/media.ts';
export { members } from './en/members.ts';
export { moves } from './en/moves.ts';
export { news } from './en/news.ts';
export { people } from './en/people.ts';
export { person } from './en/person.ts';
export { pick } from './en/pick.ts';
export { preview } from './en/preview.ts';
export { proposals } from './en/proposals.ts';
export { publish } from './en/publish.ts';
export { questions } from './en/questions.ts';
export { responses } from './en/responses.ts';
export { results } from './en/results.ts';
export { sampleData } from './en/sample-data.ts';
export { secrets } from './en/secrets.ts';
export { segments } from './en/segments.ts';
export { takeFromPage } from './en/take-from-page.ts';
export { targeting } from './en/targeting.ts';
export { team } from './en/team.ts';
export { themes } from './en/themes.ts';
export { titles } from './en/titles.ts';
export { translations } from './en/translations.ts';
export { tryOnSite } from './en/try.ts';
export { webhooks } from './en/webhooks.ts';
