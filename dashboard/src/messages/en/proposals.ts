import { titles } from './titles.ts';

/** Texts of the pages about proposals: drafts that wait until a person approves them. */
export const proposals = {
  title: titles.proposals,
  intro: 'Drafts that assistants and programs propose. Users see nothing of them until you approve one.',
  columns: { name: 'Experience', state: 'State', by: 'Proposed by', when: 'When' },
  more: 'Show more',
  newKind: (kind: string) => `New ${kind}`,
  changeOf: (kind: string) => `Change of a ${kind}`,
  states: { open: 'Waits for you', outdated: 'Outdated', approved: 'Approved', rejected: 'Rejected' },
  empty: {
    title: 'No proposals',
    text: 'Create an API secret with “Propose”, and give it to an assistant. What it writes waits here.',
    action: 'Open API secrets',
  },
  waiting: {
    open: 'Open proposals',
    text: (count: number, shown: string) =>
      count === 1 ? '1 proposal waits for you.' : `${shown} proposals wait for you.`,
  },
  gone: {
    title: 'There is no such proposal',
    text: 'What was decided more than 90 days ago is deleted.',
    action: 'All proposals',
  },
  by: (secret: string, person: string) => `By “${secret}”, for ${person}`,
  byPerson: (person: string) => `By ${person}`,
  note: 'What it is for',
  outdated: {
    title: 'The draft has changed since',
    text: 'Approving this would overwrite the changes of a colleague. Reject it, and ask for a new proposal.',
  },
  draftChanges: 'What it changes in the draft',
  preview: 'How it looks',
  step: (number: number) => `Step ${number}`,
  approve: 'Approve and publish',
  take: 'Take as draft',
  reject: 'Reject…',
  approved: (name: string) => `Published “${name}”`,
  taken: (name: string) => `“${name}” is a draft now`,
  rejected: (name: string) => `Rejected “${name}”`,
  approvedBy: (name: string) => `Approved by ${name}`,
  rejectedBy: (name: string) => `Rejected by ${name}`,
  openExperience: 'Open the Experience',
  readOnly: 'You may only look. An editor or an owner approves or rejects it.',
  rejectDialog: {
    title: 'Reject proposal',
    reason: 'Why?',
    help: 'The assistant reads this, and can make a better proposal.',
    none: 'Say why, in a sentence.',
    action: 'Reject proposal',
  },
};
