import { titles } from './titles.ts';

/** The page for installing the script in the customer's product. */
export const install = {
  title: titles.install,
  intro: 'Add Usher to your product once. After that, everything happens here, without code.',
  localServer:
    'This address works on this machine only. The person who runs the server sets USHER_PUBLIC_URL before you install Usher in your live product.',

  check: {
    title: 'Does it work?',
    waiting: 'Waiting for the first page load…',
    waitingHelp: 'Open your product with the snippet in it. This page notices it within two seconds.',
    scriptLoaded: (host: string) => `${host} has loaded the script. Who is signed in?`,
    scriptLoadedHelp: 'The page has not said who its user is yet. Add step 2, and load the page again.',
    off: (host: string) => `${host} has loaded the script, but is turned off`,
    offHelp: 'Nothing shows there until somebody turns it on. Then load the page again.',
    askOwner: 'Ask an editor or an owner to turn it on.',
    rejected: (host: string) => `The page load on ${host} was rejected`,
    works: (host: string) => `Usher works on ${host}`,
    worksNow: (user: string, browser: string) => `User ${user} in ${browser}`,
    next: 'New Experience',
    worksBefore: 'Last page load with a user',
    lastSeen: 'last page load',
    neverSeen: 'no page load yet',
    turnOn: (host: string) => `Turn on ${host}`,
    turnedOn: (host: string) => `${host} is on`,
    turnedOff: (host: string) => `${host} is off`,
    openDemo: 'Open the demo site',
    demoHelp: 'No product at hand? The demo site has the snippet in it.',
    steps: { script: 'Script loaded', domain: 'Domain turned on', user: 'User identified' },
    done: 'done',
    open: 'not yet',
  },

  help: {
    title: 'Nothing happens?',
    items: [
      {
        title: 'The page is cached.',
        text: 'Load it again with Ctrl+Shift+R (⌘+Shift+R on a Mac): browsers keep the script for five minutes.',
      },
      {
        title: 'The snippet is not in the page.',
        text: 'Open the page, view its source and search for “/script/”. Is it deployed where you look?',
      },
      { title: 'The token is another one.', text: 'The address in the snippet must end with this token:' },
      {
        title: 'An ad blocker stops it.',
        text: 'Try a private window without extensions. A server address in your own domain is blocked less often.',
      },
      {
        title: 'The security policy of the page stops it.',
        text: 'The console of the browser then says “Content Security Policy”. Add the lines of step 3.',
      },
      {
        title: 'You try it on your own machine.',
        text: 'localhost works until you add a domain. After that it appears below, turned off, when a page loads the script.',
      },
    ],
  },

  hosts: {
    title: 'Domains that were seen',
    states: { on: 'On', off: 'Off', archived: 'Archived' },
  },

  snippet: {
    title: '1. Add the snippet',
    intro: 'The person who codes your product puts this into the head of every page. It does not slow the page down.',
    tabs: { html: 'HTML', queue: 'HTML with calls', react: 'React', vue: 'Vue', tagManager: 'Tag manager' },
    tabsLabel: 'How your product is built',
    htmlLabel: 'In the head of every page',
    shortIntro:
      'The first line says who is signed in, so step 2 is done. It can be attributes of the second one instead: data-uid="18821" data-plan="pro".',
    queueIntro:
      'For pages that call usher.track(…), usher.show(…) or usher.on(…) before the script has loaded: the first lines keep these calls. The load event of the page does not wait for your server.',
    packageIntro: 'The package is the snippet with types. The script itself still comes from your server.',
    packageLabel: 'In the folder of your product',
    packageCommand: 'npm install usher-browser@file:../usher/script/dist/npm',
    envLabel: '.env',
    hookIntro: 'Call useUsher once, in the component that knows who is signed in.',
    tagManagerSteps: [
      'Create a new tag of the type “Custom HTML”.',
      'Paste the snippet of the tab “HTML” into it.',
      'Let it fire on all pages, as early as possible.',
      'Create a second tag with the code of step 2. Let it fire after the first one, when your data layer has the ID of the user.',
      'Publish the container.',
    ],
    copyForColleague: 'The account token is public: you can send this to anybody.',
  },

  identify: {
    title: '2. Say who is signed in',
    intro:
      'Nothing shows before a page says who its user is. The ID is the one in your own database; everything else is optional, and you can target by it later.',
    label: 'After the user has signed in',
    clear: 'When the user signs out',
    code: "usher.identify('18821', { email: 'ann@example.com', first_name: 'Ann', plan: 'pro', company: { uid: '931' } })",
    clearCode: 'usher.clear()',
  },

  policy: {
    title: '3. If your pages have a content security policy',
    intro:
      'Add this server to it. The script needs no unsafe-inline and no unsafe-eval. Without a policy, there is nothing to do.',
    label: 'Content-Security-Policy',
    trustedTypes: 'If you require Trusted Types, allow the policy “usher” too:',
  },

  log: {
    title: 'Live log',
    intro: 'What pages do while this page is open. It is deleted after an hour.',
    empty: 'Nothing yet. Page loads and events appear here within two seconds.',
    emptyForReaders: 'Nothing yet. Page loads and events appear here while an editor or an owner has this page open.',
    kinds: {
      script: 'Script loaded',
      identify: 'User identified',
      event: (name: string) => `Event “${name}”`,
    },
    nobody: 'no user',
    outcomes: { accepted: 'Accepted', partly: 'Accepted in part', rejected: 'Rejected' },
    fields: (count: number) => (count === 1 ? '1 value' : `${count} values`),
    announce: (count: number, last: string) => (count === 1 ? last : `${count} new entries. The last one: ${last}`),
    list: 'Entries of the live log',
  },

  identity: {
    title: 'Prove who the user is',
    intro:
      'The account token is public, so anybody could pretend to be another user. With a hash that only your server can make, that is impossible. Until then, pages can add properties, but change nothing that your server has sent.',
    hasSecret: 'There is a secret. Hashes are checked.',
    noSecret: 'There is no secret yet, so hashes prove nothing.',
    required: 'Pages without a right hash get nothing.',
    createSecret: 'Create secret',
    replaceSecret: 'Replace secret',
    secretTitle: 'Your new secret',
    secretIntro: 'It is shown only now. Store it on your server as USHER_UID_SECRET, never in a page.',
    secretLabel: 'Secret',
    secretDone: 'I have stored it',
    replaceTitle: 'Replace the secret?',
    replaceIntro:
      'Hashes that your server makes with the old secret are wrong from that moment on, until it has the new one. This cannot be undone.',
    replacePhrase: 'replace',
    ownersOnly: 'Owners create the secret.',
    languagesLabel: 'Language of your server',
    serverLabel: 'On your server, for the user who is signed in',
    pageLabel: 'In the page',
    pageCode: "usher.identify(uid, { uid_hash, plan: 'pro' })",
    validity: 'A hash is right for 24 hours. Create a new one with each page.',
  },

  tester: {
    title: 'Test a hash',
    intro: 'Paste what your server has made. Nothing is stored.',
    uid: 'User ID',
    hash: 'Hash',
    more: 'It is an identity_hash, with email and Company',
    email: 'Email',
    company: 'ID of the Company',
    action: 'Test hash',
    right: 'Right',
    rightHelp: (until: string) => `This hash proves the user until ${until}.`,
    wrong: 'Wrong',
  },

  trust: {
    title: 'Trust pages without proof',
    label: 'Trust what pages say about their user',
    off: 'Off: pages without a right hash can only add to what is known of a user.',
    on: 'On: every page is trusted.',
    risk: 'Anybody who has the public token can then change the email, the Company and all properties of any user, and read personal texts of any user. Turn it on only if your product cannot make hashes.',
    ownersOnly: 'Owners can change this.',
    turnedOn: 'Pages are trusted without proof',
    turnedOff: 'Pages need proof again',
  },
};
