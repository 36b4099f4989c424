import { titles } from './titles.ts';

/** Texts of the list of people. */
export const people = {
  title: titles.people,
  intro: 'Everybody whom your pages or your backend have sent, newest first.',
  search: 'Search people',
  placeholder: 'Name, uid or email',
  filter: 'Filter',
  filterCount: (count: number) => `Filter (${count})`,
  filters: 'Filters',
  clear: 'Clear search and filters',
  clearFilters: 'Clear filters',
  badFilters: {
    title: 'The filters in the address cannot be read',
    text: 'The link may be cut off. Everybody is shown.',
  },
  columns: {
    name: 'Name',
    email: 'Email',
    uid: 'uid',
    company: 'Company',
    seen: 'Last seen',
    sessions: 'Sessions',
  },
  test: 'Test user',
  /** For narrow windows. */
  testShort: 'Test',
  neverSeen: 'Never',
  count: (count: string, number: number) => (number === 1 ? '1 person' : `${count} people`),
  moreThan: (count: string) => `More than ${count} people`,
  withoutTestUsers: 'without test users',
  empty: {
    title: 'No people yet',
    text: 'People are listed here when they visit a page with the script, or when your backend sends them.',
    action: 'Install the script',
  },
  nothingFound: {
    title: 'No one found',
    text: 'Look for the beginning of a uid or email, for a part of a name, or with other filters.',
  },
  segment: {
    save: 'Save as Segment',
    withoutWords: 'What is typed into the search is not part of the Segment.',
    saved: (name: string) => `Segment “${name}” saved`,
    open: 'Open Segment',
  },
};
