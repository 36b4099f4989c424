/** A command that creates a tour: published on the demo site, or else as a draft, with a second command that publishes it. */
export function tourCommand(serverUrl: string, hasDemo: boolean): string {
  const curl = 'curl --fail-with-body -H "X-Account-Secret: $ACCOUNT_SECRET" \\';
  const create = [
    'export ACCOUNT_SECRET=usher_secret_…',
    curl,
    `  "${serverUrl}/v3/edit/tours" -d '{`,
    '  "name": "My first tour",',
    ...(hasDemo ? ['  "published_at": "$now",'] : []),
    '  "steps": [{',
    '    "title": "Hello {{first_name}}",',
    '    "body": "This tour is **mine**.",',
    ...(hasDemo ? ['    "quantifier_urls": [{"url": "/demo/*"}],'] : []),
    '    "buttons": [{"text": "Done", "tour_action": "next"}]',
    '  }]',
    "}'",
  ];
  const publish = [
    '',
    '# With the ID that the first command prints',
    curl,
    `  -X PATCH "${serverUrl}/v3/edit/tours/ID" -d '{"published_at": "$now"}'`,
  ];
  return [...create, ...(hasDemo ? [] : publish)].join('\n');
}
