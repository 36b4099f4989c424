import { withArticle } from '@usher/domain/fields';
import { joinNames, listKindsWith } from '@usher/domain/kinds';
import { capitalize } from '../field-names.ts';
import { kindLists, kindWords } from './kinds.ts';
import { titles } from './titles.ts';

const verbs = {
  started: 'starts',
  completed: 'is completed',
  exited: 'is closed before its end',
  snoozed: 'is snoozed',
  'button.clicked': 'has a button clicked',
};

/** Texts of the pages about webhooks. */
export const webhooks = {
  title: titles.webhooks,
  one: titles.webhook,
  intro:
    'Addresses of yours that Usher calls when people do something: complete a tour, answer a survey, click a button.',
  new: 'New webhook',
  create: 'Create webhook',
  full: 'An account can have 5 webhooks. Delete one to create another.',
  columns: { name: 'Name', address: 'Address', state: 'State', last: 'Last item' },
  states: {
    on: 'On',
    failing: 'Failing',
    off: 'Off',
    disabled: 'Turned off after failures',
  },
  never: 'Nothing sent yet',
  last: { sent: 'Sent', failing: 'Failed, tried again later', failed: 'Given up', disabled: 'Given up' },
  empty: {
    title: 'No webhooks yet',
    text: 'Send what happens in Usher to your CRM, your warehouse or a chat, seconds after it happened.',
  },
  fields: {
    name: 'Name',
    url: 'Address',
    topics: 'Topics',
    experience_ids: 'Experiences',
    id_header: 'Further header with the ID',
    signature_header: 'Further header with the signature',
  },
  urlHelp: 'It must begin with https:// and be reachable from the internet.',
  urlPlaceholder: 'https://example.com/hooks',
  nameHelp: 'For you. Without one it is the host of the address.',
  moreFields: 'More',
  headerHelp:
    'For a receiver that was made for another service and cannot be changed. X-Usher-Id and X-Usher-Signature are sent too.',
  headerPlaceholder: { id_header: 'X-Guide-Id', signature_header: 'X-Guide-Signature' },
  noHeader: 'none',
  topicsHelp: 'What is sent there.',
  noTopic: 'Choose at least one topic.',
  groups: { ...kindLists, other: 'Others' },
  everything: (group: string) => `Everything about ${group.toLowerCase()}`,
  topics: {
    ...Object.fromEntries(
      listKindsWith('hasWebhooks').flatMap((kind) => [
        [`${kind}.*`, `All about ${kindLists[kind].toLowerCase()}`],
        ...Object.entries(verbs).map(([verb, words]) => [
          `${kind}.${verb}`,
          capitalize(`${withArticle(kindWords[kind])} ${words}`),
        ]),
      ]),
    ),
    'response.finished': 'A survey is answered, with all answers',
    'delivery.triggered': 'An Experience that your backend triggered has started',
    'experience.target_missing': 'A step begins to fail, because people do not find its element',
    'alert.triggered': 'An alert group is triggered',
    ping: 'A test (ping)',
  } as Record<string, string>,
  appliesTo: {
    all: { label: 'All Experiences', help: 'Includes Experiences that you create later.' },
    some: {
      label: 'Only these',
      help: `Choose ${joinNames(
        listKindsWith('hasWebhooks').map((kind) => kindLists[kind].toLowerCase()),
        'and',
      )}.`,
    },
  },
  secret: {
    title: 'Store this secret now',
    description:
      'Usher signs every request with it, so that your receiver knows who sent it. It is shown only this once: put it where your receiver finds it.',
    label: 'Secret',
    verify: 'How your receiver checks a request (Node)',
    verifyMore: 'The guide “Receive webhooks” has the same in Python and Ruby.',
    done: 'I have stored it',
  },
  rotate: {
    action: 'Rotate secret',
    title: 'Rotate the secret?',
    description:
      'You get a new secret. For 24 hours the old one signs too, so your receiver keeps working while you replace it. Receivers that check X-Usher-Signature need the new one immediately.',
    confirm: 'Rotate secret',
    rotated: 'The old secret stops signing',
  },
  ping: {
    action: 'Send ping',
    waiting: 'The ping is on its way…',
    answered: (status: number, ms: string) => `The receiver answered with ${status} in ${ms} ms`,
    failed: (why: string) => `The ping failed: ${why}`,
    failedHelp:
      'Check that the address is right and the receiver answers with a status from 200 to 299 within 7 seconds.',
    late: 'No answer yet. It will show below when it comes.',
  },
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  turnedOff: 'Webhook is off. What waits is kept; what happens from now on is not sent.',
  turnedOn: 'Webhook is on',
  more: 'More actions',
  remove: 'Delete webhook',
  removed: (name: string) => `${name} deleted`,
  confirmRemove: {
    title: 'Delete this webhook?',
    description: 'Items that wait are not sent, and the list of attempts goes with it. This cannot be undone.',
  },
  save: 'Save webhook',
  paused: {
    title: 'Sending is paused',
    text: (reason: string) =>
      `Nothing is sent to webhooks (${reason}). Items wait until the operator of this server runs “usher webhooks resume”.`,
  },
  problems: {
    failing: (since: string) => `Requests are failing. The first one failed ${since}`,
    failingHelp: (error: string) =>
      `Last error: ${error}. Each item is tried 10 times over two days; after 5 days of failures only, the webhook is turned off.`,
    disabled: 'Turned off because all requests failed for 5 days',
    disabledHelp: (error: string) => `Last error: ${error}. Repair the receiver, then turn the webhook on.`,
    unknown: 'not known',
  },
  settings: 'Settings',
  secretRotated: 'Secret rotated',
  attempts: {
    title: 'Recent attempts',
    intro: 'Requests of the last 30 days, newest first.',
    columns: { at: 'Time', kind: 'Topic', result: 'Answer', duration: 'Duration' },
    empty: { title: 'No requests yet', text: 'Send a ping to see whether the receiver answers.' },
    noAnswer: 'No answer',
    duration: (ms: string) => `${ms} ms`,
    open: 'Attempt',
    older: 'Show older attempts',
  },
  attempt: {
    title: (topic: string) => topic,
    request: 'Request',
    requestHelp: 'Built again from the data of today, without the signatures, which only the receiver gets.',
    requestGone: 'The item is gone, or the person it was about was forgotten.',
    headers: 'Headers',
    body: 'Body',
    answer: 'Answer',
    answerEmpty: 'The answer had no body.',
    answerBody: 'Start of the body',
    status: (status: number) => `Status ${status}`,
    at: 'Sent',
    duration: 'Duration',
  },
  items: {
    title: 'Waiting and failed items',
    intro: 'What is not sent yet, and what was given up after 10 attempts.',
    none: 'Nothing waits, and nothing was given up.',
    states: { pending: 'Waiting', failed: 'Given up', sent: 'Sent' },
    progress: 'Progress',
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    next: 'next',
    due: 'due now',
    blocked: 'after an earlier item of the same person',
    retry: 'Retry',
    retryItem: (topic: string) => `Retry: ${topic}`,
    retried: 'The item is sent again now',
    retriedWhilePaused: 'The item is sent again when sending goes on',
  },
  gone: {
    title: 'This webhook is gone',
    text: 'Somebody deleted it meanwhile.',
    action: 'All webhooks',
  },
};
