import { titles } from './titles.ts';

const people = (count: string, number: number) => (number === 1 ? '1 person' : `${count} people`);

/** Texts of the list of Companies, and of the page of one. */
export const companies = {
  title: titles.companies,
  intro: 'The organizations that people belong to, newest first.',
  search: 'Search Companies',
  placeholder: 'Name or uid',
  clear: 'Clear search',
  columns: { name: 'Name', uid: 'uid', people: 'People', changed: 'Last changed' },
  count: (count: string, number: number) => (number === 1 ? '1 Company' : `${count} Companies`),
  moreThan: (count: string) => `More than ${count} Companies`,
  empty: {
    title: 'No Companies yet',
    text: 'Companies are listed here when a page or your backend sends a person with a Company.',
    action: 'Install the script',
  },
  nothingFound: { title: 'No Company found', text: 'Look for the beginning of a uid, or for a part of a name.' },
  one: titles.company,
  gone: {
    title: 'This Company does not exist',
    text: 'It was deleted, or the address is wrong.',
    action: 'Go to Companies',
  },
  properties: {
    title: 'Properties',
    empty: 'Nothing was sent about this Company but its uid.',
    uid: 'uid',
    created: 'First seen',
    changed: 'Last changed',
    yes: 'Yes',
    no: 'No',
  },
  people: {
    title: 'People',
    count: (count: string, number: number) => `${people(count, number)}, without test users`,
    empty: { title: 'No people in this Company', text: 'People join it when they are sent with its uid.' },
  },
  delete: {
    open: 'Delete Company',
    title: (name: string) => `Delete ${name}`,
    what: 'What to delete',
    company: { label: 'Only the Company', help: 'Its people stay, and belong to no Company.' },
    everybody: {
      label: 'The Company and its people',
      help: (count: string, number: number) =>
        number === 0
          ? 'It has no people, test users aside. Test users in it are forgotten.'
          : `${people(count, number)} and any test users in it are forgotten, with everything about them.`,
    },
    final: 'This cannot be undone.',
    actions: { company: 'Delete Company', everybody: 'Delete Company and people' },
  },
  deleted: {
    title: 'Company deleted',
    titleWithPeople: (count: string, number: number) => `Company and ${people(count, number)} deleted`,
    text: 'Keep the IDs of the deletion records if you have to prove this. They contain none of the data.',
    company: 'Deletion record of the Company',
    people: (count: string, number: number) =>
      number === 1 ? 'Deletion record of 1 person' : `Deletion records of ${count} people`,
    more: (count: string) => `${count} more are in the download.`,
    download: 'Download all IDs',
    fileName: (uid: string) => `deletions-${uid}.txt`,
    done: 'Go to Companies',
  },
};
