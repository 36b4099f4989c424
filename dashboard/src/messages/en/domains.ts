import { kindNames } from './kinds.ts';
import { titles } from './titles.ts';

const experiences = (count: number) => (count === 1 ? '1 Experience' : `${count} Experiences`);
const liveExperiences = (count: number) => (count === 1 ? '1 live Experience' : `${count} live Experiences`);
const domainsCount = (count: number) => (count === 1 ? '1 domain' : `${count} domains`);

export const domains = {
  title: titles.domains,
  intro: 'Where your product runs. Experiences show only on domains that are on.',
  tabs: { label: 'Domains and Environments', domains: 'Domains', environments: 'Environments' },
  add: 'Add domain',
  search: 'Search domains',
  stateFilter: 'State',
  environmentFilter: 'Environment',
  any: { state: 'All states', current: 'Not archived', environment: 'All Environments' },
  states: { on: 'On', off: 'Off', new: 'Newly seen', archived: 'Archived' },
  withSubdomains: 'and new subdomains',
  columns: {
    host: 'Domain',
    state: 'State',
    environment: 'Environment',
    live: 'Live',
    first: 'First seen',
    last: 'Last seen',
    changed: 'Changed',
    actions: 'Actions',
  },
  never: 'Never',
  byPage: 'Recorded by a page',
  liveHere: (count: number) => (count === 0 ? 'Nothing is live here' : `${liveExperiences(count)} can show here`),
  actionsOf: (host: string) => `Actions for ${host}`,
  details: 'What shows here',
  turnOn: 'Turn on',
  turnOnMore: 'Turn on…',
  turnOff: 'Turn off',
  move: 'Move to another Environment…',
  assign: 'Assign to Environment…',
  archive: 'Archive domain',
  archiveMany: 'Archive',
  restore: 'Restore domain',
  restoreMany: 'Restore',
  selected: (count: number) => `${domainsCount(count)} selected`,
  clearSelection: 'Clear selection',
  count: domainsCount,
  done: {
    on: (what: string) => `Turned on ${what}`,
    off: (what: string) => `Turned off ${what}`,
    archived: (what: string) => `Archived ${what}`,
    ignored: (what: string) => `Ignored ${what}`,
    restored: (what: string) => `Restored ${what}`,
    assigned: (what: string, environment: string) => `Moved ${what} to ${environment}`,
    added: (what: string) => `Added ${what}`,
    undone: 'Undone',
  },
  offHelp: 'Nothing shows there now.',
  empty: {
    title: 'No domains yet',
    description: 'Add the domain of your product, or install the snippet: domains that load it appear here.',
  },
  noMatch: {
    title: 'No domain matches',
    description: 'Change the search or the filters to see other domains.',
    action: 'Clear filters',
  },
  newly: {
    title: 'Newly seen',
    intro: 'Pages on these domains load the snippet. Nothing shows there until you turn them on.',
    seen: 'Seen',
    turnOn: (host: string) => `Turn on ${host}`,
    ignore: 'Ignore',
    ignoreHost: (host: string) => `Ignore ${host}`,
    showAll: (count: number) => `Show all ${count}`,
  },
  addDialog: {
    title: 'Add domain',
    description: 'Paste an address of your product, or type its host.',
    host: 'Domain',
    placeholder: 'app.example.com',
    help: 'All ports and both http and https are included.',
    added: (host: string) => `Will be added as ${host}`,
    localhost: 'localhost is on only until you add the first domain. Add it here to keep it on.',
    subdomains: 'Also turn on new subdomains',
    subdomainsHelp: (host: string) => `Such as eu.${host}, as soon as a page loads the snippet there.`,
    action: 'Add domain',
    invalid: 'Type a host such as app.example.com, or paste a whole address.',
    exists: 'This domain is in the list already.',
    show: 'Show domain',
  },
  effect: {
    on: (count: number) =>
      count === 0
        ? 'Nothing is live for it, so users see no change.'
        : `${liveExperiences(count)} can show there right away.`,
    noEnvironment: 'Without an Environment, every live Experience can show there, also those for one Environment only.',
  },
  proposal: {
    create: (name: string) => `Create the Environment “${name}” for it`,
    createHelp: (name: string) =>
      `An Experience that you publish for ${name} shows there and not in your live product.`,
  },
  turnOnDialog: {
    title: (host: string) => `Turn on ${host}`,
    environment: 'Environment',
  },
  assignDialog: {
    title: (count: number) => `Move ${domainsCount(count)} to an Environment`,
    environment: 'Environment',
    action: (count: number) => `Move ${domainsCount(count)}`,
    effect: (starts: number, stops: number) =>
      starts === 0 && stops === 0
        ? 'The same live Experiences show there as before.'
        : `${experiences(starts)} can start to show on at least one of them, ${experiences(stops)} will stop on at least one.`,
  },
  moveDialog: {
    title: (host: string) => `Move ${host}`,
    from: 'It belongs to',
    environment: 'Move to',
    isOff: 'This domain is off, so nothing shows there before and after.',
    changed: 'Somebody changed this domain meanwhile',
    changedHelp: 'You see it now as it is. Check what the move means, then move it again.',
    now: 'Live on this domain',
    stops: (environment: string) => `Only for ${environment}: these stop unless you take them along`,
    stopsWithout: 'They show here because the domain has no Environment: these stop unless you take them along',
    takeAll: 'Take all along',
    spread: (environment: string, hosts: string) =>
      `What you take along also shows on the other domains of ${environment}: ${hosts}.`,
    mayNotPublish:
      'Only owners publish in this account, so you cannot take live Experiences along. Ask an owner to move this domain.',
    starts: 'Start to show',
    stays: 'Show as before',
    stopsWord: 'Stops',
    staysWord: 'Stays',
    startsWord: 'Starts',
    draftWord: 'Not live yet',
    before: (count: number) => `${liveExperiences(count)} now`,
    after: (count: number) => `${count} after the move`,
    nothing: 'Nothing is live on this domain, before and after.',
    action: (environment: string) => `Move domain to ${environment}`,
    stopping: (count: number) => `(${experiences(count)} ${count === 1 ? 'stops' : 'stop'})`,
    takenAlong: (count: number) =>
      count === 0 ? '' : `${experiences(count)} now also ${count === 1 ? 'shows' : 'show'} there.`,
    other: (count: number) => `and ${count} more`,
  },
  detailsDialog: {
    live: 'Live on this domain',
    none: 'Nothing is live here.',
    off: 'The domain is off, so nothing shows. These would show if it were on:',
    archived: 'The domain is archived, so nothing shows.',
    installed: 'Snippet first loaded',
  },
  kinds: kindNames,
};
