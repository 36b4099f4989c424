import { titles } from './titles.ts';

/** Texts of the page about the people of an account. */
export const team = {
  title: titles.team,
  intro: (account: string) => `Who works in ${account}, and what each of them may do.`,
  columns: { person: 'Person', role: 'Role', active: 'Last active', actions: 'Actions' },
  you: 'You',
  neverActive: 'Not yet',
  changeRole: (name: string, role: string) => `Role of ${name}: ${role}. Change role`,
  roleChanged: (name: string, role: string) => `${name} is now ${role.toLowerCase()}`,
  signsInAgain: 'They have to sign in again.',
  signsInAgainOwner: 'They have to sign in again. Their open invitations were withdrawn.',
  remove: (name: string) => `Remove ${name}`,
  leave: 'Leave account',
  lastOwner: {
    title: 'An account needs an owner',
    you: 'You are the only owner. Make somebody else an owner first: then you can change your role, or leave.',
    other: (name: string) => `${name} is the only owner. Make somebody else an owner first.`,
  },
  ownRole: {
    title: (role: string) => `Become ${role.toLowerCase()}?`,
    description:
      'You will no longer manage the team, secrets and settings. You cannot take this back yourself: another owner has to.',
    action: 'Change my role',
  },
  removal: {
    title: (name: string) => `Remove ${name} from this account?`,
    leaveTitle: (account: string) => `Leave ${account}?`,
    description:
      'They are signed out immediately, and their open invitations are withdrawn. Their name stays in the history.',
    leaveDescription:
      'You are signed out immediately, and your open invitations are withdrawn. Your name stays in the history.',
    noSecrets: 'No API secret belongs to them.',
    noOwnSecrets: 'No API secret belongs to you.',
    secrets: (count: number) =>
      count === 1
        ? 'This API secret stops working immediately:'
        : `These ${count} API secrets stop working immediately:`,
    secretsHelp: 'Programs fail until they get another one.',
    loading: 'Looking for their API secrets…',
    action: 'Remove from account',
    done: (name: string) => `${name} was removed`,
    doneHelp: (count: number) =>
      count === 0 ? 'They are signed out.' : count === 1 ? '1 secret was revoked.' : `${count} secrets were revoked.`,
  },
  invite: {
    open: 'Invite colleague',
    title: 'Invite colleague',
    role: 'What may they do?',
    note: 'Who is it for?',
    notePlaceholder: 'Ann from support',
    noteHelp:
      'Shown in the list of invitations, so that you know which link is for whom. Your colleague does not see it.',
    action: 'Create link',
    link: 'Link for your colleague',
    ready: (role: string) =>
      `Send this link to your colleague: the person who opens it joins as ${role.toLowerCase()}.`,
    once: 'It works once, for 7 days, and is not shown again. Usher sends no email.',
    done: 'Done',
  },
  invitations: {
    title: 'Open invitations',
    none: 'No one is invited at the moment.',
    columns: { role: 'Role', note: 'For', by: 'Invited by', expires: 'Expires', actions: 'Actions' },
    byCommandLine: 'Command line',
    withdraw: 'Withdraw',
    noNote: '–',
    withdrawFor: (role: string, note: string | null, time: string) =>
      `Withdraw the invitation as ${role.toLowerCase()} ${note === null ? `of ${time}` : `for ${note}`}`,
    withdrawn: 'Invitation withdrawn',
    withdrawnHelp: 'Its link does not work any more.',
    again: 'Invite again',
  },
  roleTable: {
    title: 'Who may do what',
    what: 'What',
    yes: 'Yes',
    no: 'No',
    permissions: {
      read: 'Look at everything except team, secrets and audit log',
      translate: 'Change texts in other languages',
      ingest: 'Send users, Companies and events',
      propose: 'Propose drafts, with an API secret',
      edit: 'Create and change Experiences, Segments, domains and webhooks',
      publish: 'Publish, so that users see it',
      own: 'Team, secrets, audit log, settings, code in Experiences',
    },
  },
  publishing: {
    title: 'Who may publish',
    intro: 'Everybody else who edits saves drafts, and an owner publishes them.',
    label: 'Experiences go live when they are published by',
    options: { editors: 'Editors and owners', owners: 'Owners only' },
    saved: { editors: 'Editors and owners publish now', owners: 'Only owners publish now' },
  },
};
