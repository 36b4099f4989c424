/** Texts of the page "Analytics". */
export const analytics = {
  title: 'Analytics',
  intro: 'What people did across all Experiences.',
  tabs: {
    label: 'Parts of Analytics',
    overview: 'Overview',
    funnel: 'Funnel',
  },
};
