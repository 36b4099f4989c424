import { titles } from './titles.ts';

/** Texts of the page "Account". */
export const account = {
  title: titles.account,
  intro: 'Your product, as this account knows it.',
  readOnly: 'Only owners can change these settings.',
  save: 'Save account',
  fields: {
    name: 'Account name',
    delivery_ids_limit: 'Pending Deliveries per person',
    allow_scripts: 'Allow code in Experiences',
    allow_globals: 'Allow values of the page in texts',
    allow_percent: 'Pages may read the percent of their user',
    require_uid_hash: 'Pages must prove who their user is',
    trust_pages: 'Trust everything that pages send',
    time_zone: 'Time zone',
    test_emails: 'Emails of test users',
  },
  identity: {
    title: 'Name and token',
    nameHelp: 'Shown here in the dashboard, never to your users.',
    token: 'Account token',
    tokenHelp: 'Public: it names this account in the snippet on your pages, and gives access to nothing.',
  },
  results: {
    title: 'Results',
    help: 'Where the days of results begin. What people did before a change stays on its day.',
  },
  delivery: {
    title: 'Delivery limit',
    help: 'From 1 to 100. How many Experiences that your backend triggers can wait for one person at the same time; one more is rejected.',
  },
  code: {
    title: 'Code actions',
    help: 'Owners can then write JavaScript into buttons, triggers and steps. It runs on your pages with everything your product may do there.',
    riskTitle: 'People who can write this code can do everything as your users',
    risk: 'Turn it on only if every owner is somebody you would let deploy your product. Saving asks for your password.',
    offTitle: 'Code that is published stays',
    off: 'No one can add new code, but Experiences that have some keep running it until you remove it there.',
  },
  pageValues: {
    help: 'Texts can then show values of your pages with {{global "app.user.plan"}}. Only plain values of `window` are read; nothing is called.',
    riskTitle: 'Editors can then show every value that your pages keep in `window`',
    risk: 'A value in the address of a link is sent there when somebody clicks the link. Saving asks for your password.',
  },
  pages: {
    title: 'What pages may do',
    intro:
      'The account token is public, so anybody can send data in the name of a page. These settings say what Usher believes and tells.',
    requireHelp:
      'Page loads without a valid proof (uid_hash) are rejected. Turn it on after your product sends the proof everywhere.',
    requireRisk: 'Users on pages that do not send the proof see nothing from now on.',
    percentHelp:
      'The stable number from 0 to 100 that divides your users for experiments, as usher.data.profile.get(“percent”), also without proof. Anybody with the public token can then read it for any user. Saving asks for your password.',
    trustHelp: 'Pages can then change every property, the email and the Company of their user without proof.',
    trustRiskTitle: 'Anybody with the public token can change the data of any user',
    trustRisk: 'A backend or a proof (identity_hash) is the safe way. Saving asks for your password.',
    ignored: (count: string) => `${count} values from pages were not stored in the last 30 days`,
    reasons: {
      property_set: 'a property that your backend has written',
      page_share: 'too much data of one user without proof',
      disabled: 'an attempt to disable a user without proof',
      email_set: 'the user has an email already',
      email_unproven: 'an email without proof',
      email_removed: 'an email that a page tried to remove',
      email_taken: 'an email that somebody else has',
      company_set: 'the user is in another Company already',
      company_unproven: 'a Company without proof',
      company_removed: 'a page tried to take the user out of a Company',
      company_properties: 'properties of a Company without proof',
      profiles_quota: 'too many new users in a day',
      hosts_quota: 'too many new domains in a day',
      events_quota: 'too many events in a day',
      reports_quota: 'too many reports in a day',
      problems_quota: 'too many problems in a day',
      responses_quota: 'too many survey answers in a day',
      properties_limit: 'too many different properties',
    } as Record<string, string>,
  },
  testUsers: {
    title: 'Test users',
    intro:
      'Your own team. Test users see everything that your users see, but no number counts them, also not what they did before.',
    help: 'One email or pattern per line, 20 at most. * stands for any text: *@acme.com is everybody with that domain.',
    placeholder: '*@acme.com',
    count: (count: string, number: number) =>
      number === 0 ? 'No test users' : number === 1 ? '1 test user' : `${count} test users`,
    marking: (count: string) => `Looking through your users: ${count} test users so far`,
    sample: 'Newest test users',
    more: (count: string) => `and ${count} more`,
    badge: 'Test user',
  },
  retention: {
    title: 'Retention',
    intro:
      'What is removed automatically, every hour. The person who runs the server sets the days for events (USHER_EVENTS_DAYS).',
    what: 'What',
    kept: 'Kept for',
    stays: 'What stays',
    days: (days: string) => `${days} days`,
    forever: 'until you delete it',
    rows: {
      events: { what: 'Single events of users', stays: 'Counts and times per user, which Segments use' },
      webhooks: { what: 'Sent and given up webhook items, all attempts', stays: 'Items that still wait' },
      counts: { what: 'Counts of ignored page writes', stays: 'Nothing' },
      sessions: { what: 'Ended sign-ins and used links', stays: 'The audit log' },
      rest: { what: 'Users, Companies, Experiences, Responses, results', stays: '' },
    },
  },
};
