import { expect, it } from 'vitest';
import { listUsedOptions } from './used-options.ts';

it('lists the options in texts, conditions and addresses once, in their order', () => {
  const steps = [
    { title: 'Hello {{first_name}}', body: '**{{delivery "manager.name" | fallback: "We"}}** will call you.' },
    {
      body: '{{#if delivery "count" > 3}}Many{{else}}{{delivery "manager.name"}}{{/if}}',
      buttons: [{ text: 'Go', action_url: '/orders/{{delivery "order"}}' }],
      elements: [{ selector: '{{broken' }],
    },
  ];
  expect(listUsedOptions(steps)).toEqual(['manager.name', 'count', 'order']);
});
