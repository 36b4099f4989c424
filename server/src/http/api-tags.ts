import { kindPaths } from '@usher/domain';

/** The chapters of the API reference, with the first words of the paths that are in them. */
const chapters: readonly { name: string; description: string; of: readonly string[] }[] = [
  { name: 'Secret', description: 'Whose secret it is.', of: [''] },
  {
    name: 'Experiences',
    description: 'Experiences of every kind, their templates and Tags, and what was changed in them.',
    of: [
      ...['experiences', 'templates', 'tags', 'changes', 'captures', 'paths', 'picks'],
      ...['authoring_guide', 'proposals', 'files', 'apply'],
    ],
  },
  ...kindPaths.map((path) => ({
    name: path.charAt(0).toUpperCase() + path.slice(1),
    description: `Make ${path}, change and publish them, and see their results.`,
    of: [path],
  })),
  { name: 'Themes and pictures', description: 'How Experiences look.', of: ['themes', 'pictures'] },
  {
    name: 'Translations',
    description: 'Languages, and the files with the texts of Experiences.',
    of: ['i18n', 'translations', 'languages'],
  },
  {
    name: 'Users',
    description: 'User profiles, Companies, their properties, and Segments of them.',
    of: [
      ...['profiles', 'profile', 'test_users', 'companies', 'company'],
      ...['properties', 'event_names', 'segments', 'imports'],
    ],
  },
  { name: 'Ingestion', description: 'Send users, Companies and events from your backend.', of: ['hooks'] },
  {
    name: 'Deliveries',
    description: 'Trigger an Experience for one user, limit how many begin, and be alerted when none does.',
    of: ['deliveries', 'delivery', 'survey_links', 'limit_groups', 'alert_groups'],
  },
  {
    name: 'Results',
    description: 'What users did with Experiences and answered to surveys.',
    of: [
      'funnels',
      'goals',
      'experiments',
      'interactions',
      'responses',
      'live',
      'failing_steps',
      'attention',
      'interruptions',
      'news',
      'home_visits',
      'reach',
      'reports',
    ],
  },
  {
    name: 'Webhooks',
    description: 'Where Usher sends what users do, and what it has sent.',
    of: ['webhooks', 'webhook_sending', 'source_addresses'],
  },
  {
    name: 'Domains and Environments',
    description: 'On which domains Experiences show.',
    of: ['urls', 'url_groups', 'installation', 'identity_checks', 'debug_tokens'],
  },
  {
    name: 'Account',
    description: 'Settings, secrets, administrators, the audit log and the state of the server.',
    of: [
      ...['account', 'secrets', 'admins', 'invitations', 'audit_entries', 'health', 'unused', 'backups'],
      ...['move', 'sample_data', 'searches', 'search_items'],
    ],
  },
  {
    name: 'Pages',
    description: 'What the script in your pages calls. It has a public token, and no secret.',
    of: ['visits', 'shows', 'explanations', 'events'],
  },
  {
    name: 'Sign-in',
    description: 'Sessions of persons in the dashboard.',
    of: ['session', 'sessions', 'person', 'links'],
  },
];

/** The chapter of a path. Some paths that pages call begin as others do. */
export function tagOf(path: string, isForPages: boolean): string {
  const word = path.replace(/^\/(v3\/?)?((edit|analyze|observe)\/)?/, '').split(/[/.]/)[0] ?? '';
  // Without kinds in the paths, they all are in one chapter.
  const wanted = isForPages ? 'visits' : word === '{kind}' ? 'experiences' : word;
  const chapter = chapters.find(({ of }) => of.includes(wanted));
  if (!chapter) throw new Error(`No chapter of the API reference has \`${word}\`: add it in api-tags.ts`);
  return chapter.name;
}

/** The chapters that are in use, in the order of the reference. */
export function listTags(used: ReadonlySet<string>): object[] {
  return chapters.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
