import type { TemplateDefinition } from './template.ts';

export const banner: TemplateDefinition = {
  id: 'banner',
  number: 6,
  kind: 'embed',
  name: 'Banner',
  description: 'One line of news at the top of the page.',
  fields: {
    style: 'banner',
    steps: [
      {
        title: 'Planned maintenance on Saturday',
        body: 'The service is unavailable from 6 to 7 a.m. UTC. Your data is safe.',
        position_type: 'inline',
        elements: [{ selector: 'body' }],
        // Inside of the body, before everything else.
        placement: 'left',
        dismiss_text: 'Dismiss',
        buttons: [
          {
            text: 'See the status page',
            additional_actions: ['cta_url'],
            action_url: 'https://your-product.example/status',
          },
        ],
      },
    ],
  },
  arabic: {
    'Planned maintenance on Saturday': 'صيانة مجدولة يوم السبت',
    'The service is unavailable from 6 to 7 a.m. UTC. Your data is safe.':
      'لن تتوفر الخدمة من السادسة إلى السابعة صباحًا بالتوقيت العالمي. بياناتك في أمان.',
    Dismiss: 'إغلاق',
    'See the status page': 'صفحة الحالة',
  },
};
