/** The command of the README that creates a tour: published on the demo site, or else a draft with a second command that publishes it. */
export function tourCommand(serverUrl: string, hasDemo: boolean): string {
  const tour = {
    name: 'My first tour',
    ...(hasDemo && { published_at: '$now' }),
    steps: [
      {
        title: 'Hello {{first_name}}',
        body: 'This tour is **mine**.',
        ...(hasDemo && { quantifier_urls: [{ url: '/demo/*' }] }),
        buttons: [{ text: 'Next', tour_action: 'next' }],
      },
      { title: 'That is all', buttons: [{ text: 'Done', tour_action: 'next' }] },
    ],
  };
  const curl = `curl --fail-with-body -H "X-Account-Secret: $ACCOUNT_SECRET"`;
  const lines = [
    'export ACCOUNT_SECRET=usher_secret_…',
    `${curl} "${serverUrl}/v3/edit/tours" -d '${JSON.stringify(tour, null, 2)}'`,
  ];
  const publish = `${curl} -X PATCH "${serverUrl}/v3/edit/tours/ID" -d '{"published_at": "$now"}'`;
  return [...lines, ...(hasDemo ? [] : ['', '# With the ID of the tour', publish])].join('\n');
}
