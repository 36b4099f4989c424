const many = (count: number, one: string, more: (count: string) => string, shown: string) =>
  count === 1 ? one : more(shown);

/** Isolates a name with any direction of writing, so that it does not reorder the words around it. */
const isolate = (name: string) => `\u2068${name}\u2069`;

/** The texts about publishing: the buttons above an Experience, and the dialog that publishes. */
export const publish = {
  open: 'Publish…',
  onlyOwners: 'Only owners publish in this account. Your draft is saved; ask one of them to publish it.',
  pause: 'Pause',
  resume: 'Resume',
  unschedule: 'Cancel publishing',
  discard: 'Discard changes',
  menu: (name: string) => `More for ${name}`,
  duplicate: 'Duplicate',
  archive: 'Archive',
  restore: 'Restore',
  delete: 'Delete…',
  done: {
    paused: (name: string) => `Paused “${name}”`,
    pausedHelp: 'No one sees it until you resume it.',
    resumed: (name: string) => `Resumed “${name}”`,
    unscheduled: (name: string) => `“${name}” is a draft again`,
    archived: (name: string) => `Archived “${name}”`,
    restored: (name: string) => `Restored “${name}”`,
    duplicated: (name: string) => `Duplicated as “${name}”`,
    discarded: 'Changes discarded',
    discardedHelp: 'The draft is what you published last.',
    published: (name: string) => `Published “${name}”`,
    publishedHelp: 'Users see it with their next page.',
    publishedMany: (count: string) => `Published ${count} Experiences`,
    scheduled: (name: string, time: string) => `“${name}” goes live on ${time}`,
    scheduledMany: (count: string, time: string) => `${count} Experiences go live on ${time}`,
  },
  title: (name: string) => `Publish “${isolate(name)}”`,
  partly: (count: string, isOne: boolean) =>
    isOne
      ? `Published ${count} Experience. These were not published:`
      : `Published ${count} Experiences. These were not published:`,
  titleMany: (count: string) => `Publish ${count} Experiences`,
  saving: 'Saving your changes…',
  loading: 'what changes',
  notSaved: {
    title: 'Your last changes are not saved',
    text: 'Only what is saved can be published. Close this, look at the message above the editor, and try again.',
    clash: 'You and somebody else changed the same text. Close this, and choose a text first.',
  },
  changes: 'What changes',
  first: 'It was never published. Users see all of it for the first time.',
  nothing: 'Users already see this version. There is nothing to publish.',
  scheduled: 'It is the same as what is scheduled. No one has seen it yet.',
  unchanged: 'It is the same as what users saw last.',
  reach: 'Who sees it',
  reaches: (people: string, isOne: boolean) => `${people} ${isOne ? 'is' : 'are'} in its target now`,
  reachedBefore: (people: string) => `${people} in the live version`,
  interrupted: (people: string, isOne: boolean, weeks: string, median: string, most: string) =>
    `In the last ${weeks} weeks, ${people} of them ${isOne ? 'was' : 'were'} interrupted: in a busy week a median of ${median}, and at most ${most}.`,
  notInterrupted: (weeks: string, isComplete: boolean) =>
    isComplete
      ? `In the last ${weeks} weeks, none of them was interrupted.`
      : 'How often they were interrupted is not counted yet: there are too many.',
  adds: (count: string, people: string, isOne: boolean) =>
    `This adds up to ${count} a week for ${people} ${isOne ? 'person' : 'people'}.`,
  publicPage: 'Also anyone who has the link of its public page',
  where: 'Where',
  everywhere: 'All Environments',
  problems: (count: number, shown: string) =>
    many(count, '1 thing to fix before publishing', (all) => `${all} things to fix before publishing`, shown),
  warnings: 'What could go wrong',
  goThere: 'Go to the field',
  moveUp: 'Show this one first',
  warningHelp: {
    no_alt_text: 'Screen readers say nothing in its place. Describe it in a few words.',
    no_url_rule: 'Users may meet it in the middle of something else.',
    reaches_everyone: 'New and old users alike see it.',
    element_not_seen: 'Users will not see this step if the page has changed.',
    already_completed: 'They find it ticked off when they first see the list.',
    unlikely_trigger: 'Choose another condition, or expect it to show rarely.',
    untranslated: 'Their users see these texts in your default language.',
    others_first: 'Users see those first, and this one perhaps never.',
    same_page: 'Users see one at a time: this one first.',
    imported_step: 'Accept it, pick the element again, or remove it.',
    unsupported_action: 'Remove the action, or choose another.',
    unsupported_filter: 'Replace the filter in the Segment.',
    event_unknown: 'Check the name, or track the event.',
    event_not_sent: 'Check that your pages or your backend still send it.',
    many_interruptions: 'Analytics has how many interruptions people get each week.',
  },
  when: 'When',
  now: 'Now',
  later: 'At a time',
  time: 'Date and time',
  zone: (name: string, place: string) => `Your time zone: ${name} (${place})`,
  timeMissing: 'Choose a date and a time.',
  timePast: 'This time has passed. Choose a later one.',
  action: {
    nowTo: (environment: string) => `Publish to ${isolate(environment)} now`,
    nowToMany: (count: string) => `Publish to ${count} Environments now`,
    nowEverywhere: 'Publish to all Environments now',
    nowMany: (count: number, shown: string) =>
      many(count, 'Publish 1 Experience now', (all) => `Publish ${all} Experiences now`, shown),
    later: (time: string) => `Publish on ${time}`,
    laterMany: (count: number, shown: string, time: string) =>
      many(count, `Publish 1 Experience on ${time}`, (all) => `Publish ${all} Experiences on ${time}`, shown),
  },
  meanwhile: {
    title: (who: string) => `${who} changed this meanwhile`,
    somebody: 'Somebody else',
    text: 'Nothing was published. Below is what would be published now, with these changes:',
  },
  failed: (name: string) => `“${name}” is not published`,
};
