import { exclusiveLists } from './exclusive-kinds.ts';
import { members } from './members.ts';
import { titles } from './titles.ts';

const days = (count: string) => (count === '1' ? '1 day' : `${count} days`);

/** Texts of the page "Alert groups". */
export const alerts = {
  title: titles.alerts,
  intro: `An alert group watches live ${exclusiveLists}. When no one sees or completes one for some days, Home shows it, and webhooks with the topic “alert.triggered” are called.`,
  new: 'New alert group',
  create: 'Create alert group',
  editGroup: (name: string) => `Edit ${name}`,
  editTitle: 'Edit alert group',
  save: 'Save alert group',
  removeGroup: (name: string) => `Delete ${name}`,
  created: (name: string) => `${name} created`,
  removed: (name: string) => `${name} deleted`,
  restored: (name: string) => `${name} is back`,
  columns: {
    name: 'Name',
    rule: 'Alerts after',
    experiences: members.fields.kind,
    state: 'State',
    notified: 'Last alert sent',
    actions: 'Actions',
  },
  fields: { name: 'Name', style: 'Alert when', interval: 'How many days', isOn: 'On', ...members.fields },
  intervalHelp: 'After as many days it alerts again, if that is still so.',
  isOnHelp: 'While it is off, nothing is watched.',
  styles: {
    unseen: { label: 'No one sees it', help: 'Counted from when it was last seen, or published.' },
    uncompleted: {
      label: 'People start it, but no one completes it',
      help: 'Counted from when it was last completed, or published.',
    },
  },
  rules: {
    unseen: (count: string) => `${days(count)} unseen`,
    uncompleted: (count: string) => `${days(count)} uncompleted`,
  },
  on: 'On',
  off: 'Off',
  never: 'Never',
  empty: {
    title: 'No alerts yet',
    text: `You learn from Home and from your webhooks when ${exclusiveLists} that are live reach no one any more.`,
  },
};
