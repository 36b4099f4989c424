import { titles } from './titles.ts';

/** Texts of the page about API secrets. */
export const secrets = {
  title: titles.secrets,
  intro: 'Programs use them to call the API in the name of the person who created them.',
  columns: {
    secret: 'Secret',
    networks: 'Networks',
    expires: 'Expires',
    used: 'Last used',
    actions: 'Actions',
  },
  scopes: {
    read: { name: 'Read', help: 'Reads everything except team, secrets and audit log' },
    ingest: { name: 'Send data', help: 'Sends users, Companies and events, and reads nothing' },
    propose: {
      name: 'Propose',
      help: 'For assistants: reads, and makes drafts that wait until a person approves them',
    },
    edit: { name: 'Edit', help: 'Does what an editor may' },
    all: { name: 'Everything', help: 'Does everything that you may' },
  },
  /** The text for a secret that somebody else created. */
  allOf: (name: string) => `Does everything that ${name} may`,
  withPeople: (may: string) => `${may}, and lets assistants read people’s data`,
  everywhere: 'All',
  moreNetworks: (count: number) => `and ${count} more`,
  by: (name: string) => `By ${name}`,
  never: 'Never',
  neverUsed: 'Not yet',
  expired: 'Expired',
  empty: {
    title: 'No program uses the API yet',
    description: 'Create a secret for your backend, an import or an export.',
  },
  create: {
    open: 'New API secret',
    title: 'New API secret',
    name: 'Name',
    namePlaceholder: 'Nightly import',
    nameHelp: 'What it is for, so that others know what stops when they revoke it.',
    scope: 'What may it do?',
    peopleOption: 'Assistants may read people’s data',
    peopleHelp:
      'Profiles, Companies, answers, timelines and Deliveries. Without it, an assistant gets counts only. Programs that use the API read them with “Read”, “Edit” or “Everything” anyway.',
    expires: 'Expires',
    date: 'Date',
    dateHelp: 'It works until the end of this day.',
    presets: { '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year', date: 'On a date', never: 'Never' },
    neverHelp: 'A secret that leaks works until somebody notices.',
    networks: 'Networks',
    networksHelp: 'Addresses it may be used from, such as 192.0.2.0/24, one per line. Leave it empty for all.',
    wrongNetwork: (network: string) => `“${network}” is no address and no network. Write 192.0.2.7 or 192.0.2.0/24.`,
    wrongDate: 'Choose a day in the future.',
    noName: 'Say what it is for.',
    action: 'Create secret',
  },
  shown: {
    title: 'Store this secret now',
    description: 'It is shown this once. Keep it where your program reads it, and never in the code of a page.',
    label: (name: string) => `Secret “${name}”`,
    header: 'Send it in the header X-Account-Secret.',
    done: 'I have stored it',
    warning: 'No one can show this secret again. Copy it first, then say that you have stored it.',
  },
  revoke: {
    open: (name: string) => `Revoke ${name}`,
    title: 'Revoke API secret',
    description: (name: string) =>
      `“${name}” stops working immediately, and programs that use it fail. This cannot be undone.`,
    children: (names: string) => `It has made others, which stop with it: ${names}.`,
    keep: 'Keep the secrets that it has made',
    keepHelp: 'Only if you know who uses them.',
    lastUsed: 'Last used',
    action: 'Revoke secret',
    done: (name: string) => `${name} was revoked`,
  },
};
