/** The texts of the dialog where people try a draft on their own page. They are loaded when it is opened. */
export const tryOnSite = {
  title: 'Try it on your site',
  intro: 'Your page opens in a new tab and plays the draft as it is now. Only you see it, and nothing is counted.',
  themeIntro:
    'Your page opens in a new tab and plays an Experience with the draft of the theme. Only you see it, and nothing is counted.',
  experience: 'Experience',
  noExperience: 'There is no Experience yet: make one first.',
  page: 'Page',
  pageHelp: 'A page that has the snippet, on a domain that is on.',
  as: 'Try it as',
  self: 'Myself',
  selfHelp: 'As the user that you are on the page.',
  person: 'Another person',
  personHelp: 'Texts such as {{first_name}} are filled in for them.',
  action: 'Open page',
  stop: 'Stop trying',
  other: 'Choose another page',
  close: 'Close',
  closeHelp: 'You can close this. The page goes on without it.',
  waiting: {
    waiting: 'Waiting for the page to open…',
    opened: 'The page is open. Press “Begin” in its bar.',
    steps: [
      'Go to the tab that has opened.',
      'Press “Begin” in the bar at the edge of the page. It starts with the step that is open here. With “Real triggers”, steps wait as they do for users.',
      'If a step does not show, the bar says why. After a change here, press “Start again” there.',
    ],
    until: (time: string) => `You can try it until ${time}.`,
  },
  none: 'There is still no bar: the page does not load Usher. Its policy may block the script, or it asked for a sign-in.',
  install: 'Check the installation',
  over: {
    ended: 'You have ended it. Open the page again to try the draft.',
    expired: 'The time is over. Open the page again to try the draft.',
    gone: 'It is gone. Open the page again to try the draft.',
  },
};
