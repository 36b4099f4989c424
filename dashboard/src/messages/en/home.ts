import { formatNumber } from '../format.ts';
import { kindNames } from './kinds.ts';
import { sampleData } from './sample-data.ts';
import { titles } from './titles.ts';

const number = (value: number) => formatNumber(value);
const daysOf = (count: number) => (count === 1 ? '1 day' : `${number(count)} days`);
const people = (count: number) => (count === 1 ? '1 person' : `${number(count)} people`);

export const home = {
  title: titles.home,
  kinds: kindNames,

  start: {
    title: 'Get started',
    intro: 'Four steps until your users see their first Experience.',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    dismiss: 'Dismiss',
    dismissed: 'Get started is hidden in this browser',
    isDone: 'Done',
    isOpen: 'To do',
    demo: 'Open the demo site',
    steps: {
      install: {
        title: 'Install the script',
        done: (host: string) => `A page loaded on ${host}`,
        open: 'Waiting for the first page load',
        onDemoOnly: 'It works on the demo site. Now add it to your product',
        action: 'Show how to install',
      },
      domain: {
        title: 'Turn on a domain',
        done: (host: string, others: number) =>
          others === 0 ? `${host} is on` : `${host} and ${number(others)} more are on`,
        open: 'No domain is on, so nothing shows anywhere',
        found: (host: string) => `${host} was seen and is off`,
        action: 'Open domains',
      },
      create: {
        title: 'Create your first Experience',
        done: (count: number) => (count === 1 ? '1 Experience' : `${number(count)} Experiences`),
        open: 'Choose a template and change its texts',
        action: 'Choose a template',
      },
      publish: {
        title: 'Publish it',
        done: (count: number) => `${number(count)} live`,
        open: 'Users see it with their next page',
        action: 'Open the draft',
      },
    },
  },

  tiles: {
    title: 'The last 7 days',
    measures: { shown: 'Experiences seen', completed: 'Experiences completed', exited: 'Experiences dismissed' },
    live: 'Live now',
    showLive: 'Show them',
    noneBefore: 'No data before',
    same: 'As in the 7 days before',
    from: (before: string) => `from ${before}`,
    more: (share: string, before: string) => `${share} more than the ${before} of the 7 days before`,
    less: (share: string, before: string) => `${share} less than the ${before} of the 7 days before`,
    allEnvironments: 'These numbers are of all Environments.',
  },

  live: {
    title: 'Live now',
    period: 'People in the last 7 days',
    columns: {
      name: 'Experience',
      environments: 'Environments',
      since: 'Live since',
      shown: 'Saw it',
      completed: 'Completed',
    },
    allEnvironments: 'All Environments',
    changed: 'Unpublished changes',
    nowhere: 'Shows nowhere',
    sample: 'Sample',
    shown: (count: number) => `${people(count)} saw it`,
    share: (share: string) => `${share} completed`,
    more: (count: number) => `and ${number(count)} more`,
    since: 'Since',
    empty: 'Nothing is live',
    emptyHelp: 'What you publish shows here, with how many people saw it.',
    emptyIn: (environment: string) => `Nothing is live in ${environment}`,
  },

  attention: {
    title: 'Needs attention',
    empty: 'Nothing needs attention',
    watched: 'We watch the elements that steps point at, domains, alert groups, webhooks and quotas.',
    watchedByOwner: 'We watch the elements that steps point at, domains, alert groups, webhooks, secrets and quotas.',
    error: 'Error',
    warning: 'Warning',
    titles: {
      target_failing: (name: string) => `A step of “${name}” does not show`,
      shows_nowhere: (name: string) => `“${name}” is live, but shows nowhere`,
      experience_unseen: (name: string) => `No one sees “${name}”`,
      experience_uncompleted: (name: string) => `No one completes “${name}”`,
      webhook_failing: (name: string) => `The webhook “${name}” fails`,
      webhook_disabled: (name: string) => `The webhook “${name}” was turned off`,
      secret_expiring: (name: string) => `The secret “${name}” expires soon`,
      secret_expired: (name: string) => `The secret “${name}” has expired`,
      proposal_waiting: (name: string) => `A proposal waits for you: “${name}”`,
      quota_reached: (name: string) => `Pages may not add more ${name} today`,
      sending_paused: (reason: string) => `Webhooks are paused (${reason})`,
      disk_nearly_full: () => 'The disk of the server is nearly full',
    },
    details: {
      shows_nowhere: () => 'No domain that is on is in its Environments and has its pages.',
      experience_unseen: (days: number) =>
        `Not seen for ${daysOf(days)}. Check who sees it and on which pages, or unpublish it.`,
      experience_uncompleted: (days: number) =>
        `People start it, but it was not completed for ${daysOf(days)}. See in its results at which step they leave.`,
      webhook_failing: () => 'Every request has failed. What is not sent yet is kept and tried again.',
      webhook_disabled: () => 'It failed for too long. Nothing is sent until you turn it on again.',
      secret_expiring: () => 'Create a new one and replace it where it is used.',
      secret_expired: () => 'Requests with it are rejected. Replace it, or revoke it.',
      proposal_waiting: (count: number) =>
        count === 1
          ? 'Look at what it changes, then approve or reject it.'
          : `${number(count)} wait. Look at what they change, then approve or reject them.`,
      quota_reached: (count: number) => `${number(count)} were ignored in the last 7 days.`,
      sending_paused: () => 'Nothing is sent until the operator of this server runs “usher webhooks resume”.',
      disk_nearly_full: () => 'Most changes are rejected until the operator of this server frees some space.',
    },
    quotas: { profiles: 'people', hosts: 'domains', events: 'events', properties: 'Properties' },
    since: 'began',
    expires: 'expires',
    expired: 'expired',
    actions: {
      experience: 'Open the Experience',
      webhook: 'Open webhooks',
      secret: 'Open secrets',
      proposal: 'Open proposals',
      quota: 'Open settings',
      server: 'Open health',
    },
  },

  changes: {
    title: 'Recent changes',
    empty: 'No changes yet',
    emptyHelp: 'Who changed which Experience, and when.',
    somebody: 'Somebody',
    you: 'You',
    gone: 'an Experience that is gone',
    sources: { demo: 'came with the demo', sample: 'came with the sample data' },
    verbs: {
      created: 'created',
      createdLive: 'created and published',
      published: 'published',
      unpublished: 'unpublished',
      archived: 'archived',
      restored: 'restored',
      deleted: 'deleted',
      renamed: 'changed the name to',
      reverted: 'took back changes of',
      translated: 'translated',
      retargeted: 'changed who sees',
      related: 'changed something that is used by',
      edited: 'edited',
    },
  },

  sample: {
    offerHelp:
      'Sample data shows what it will look like: people, one Experience of each kind, 30 days of numbers. Your users never see it.',
    ...sampleData,
    loading: 'Loading sample data…',
    removeTitle: 'Remove sample data?',
    removeHelp: 'This goes, and cannot be brought back:',
    removeLines: (counts: {
      profiles: number;
      companies: number;
      experiences: number;
      segments: number;
      tags: number;
      properties: number;
    }) => [
      `${people(counts.profiles)} and ${number(counts.companies)} Companies, with everything they did and answered`,
      `${number(counts.experiences)} Experiences, also what somebody has changed in them`,
      `${number(counts.segments)} Segments, ${number(counts.tags)} Tags and ${number(counts.properties)} Properties`,
      'the Environment “Sample” with its domain',
    ],
    removeStays: 'What you made yourself stays.',
    keep: 'Keep sample data',
    removed: 'Sample data is removed',
    notRemoved: 'Nothing was removed',
  },
  tour: {
    title: 'New here?',
    text: 'See in one minute where everything is. This tour is made with Usher itself.',
    start: 'Show me around',
    decline: 'No, thanks',
    next: 'Next',
    back: 'Back',
    done: 'Done',
    steps: {
      rail: {
        title: 'Everything is here',
        body: 'What your users see, who they are, and the settings of your account.',
      },
      experiences: {
        title: 'Create Experiences',
        body: 'Tours, surveys, launchers, tooltips and embeds. “New Experience” there begins with a template.',
      },
      environments: {
        title: 'Choose an Environment',
        body: 'Staging and production have domains of their own. This limits what you see to one of them.',
      },
      search: {
        title: 'Find anything',
        body: 'Experiences, people, pages and commands, from every page.',
      },
      help: {
        title: 'Get help',
        body: 'The guide of the page that you look at, and all shortcuts.',
      },
    },
  },
};
