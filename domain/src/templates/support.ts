import { atTop } from './shared-parts.ts';
import type { TemplateDefinition } from './template.ts';

export const support: readonly TemplateDefinition[] = [
  {
    id: 'banner',
    purpose: 'support',
    kind: 'embed',
    name: 'Maintenance notice',
    description: 'One line of news at the top of the page.',
    fields: {
      style: 'banner',
      steps: [
        {
          ...atTop,
          title: { en: 'Planned maintenance on Saturday', ar: 'صيانة مجدولة يوم السبت' },
          body: {
            en: 'The service is unavailable from 6 to 7 a.m. UTC. Your data is safe.',
            ar: 'لن تتوفر الخدمة من السادسة إلى السابعة صباحًا بالتوقيت العالمي. بياناتك في أمان.',
          },
          buttons: [
            {
              text: { en: 'See the status page', ar: 'صفحة الحالة' },
              additional_actions: ['cta_url'],
              action_url: 'https://your-product.example/status',
            },
          ],
        },
      ],
    },
  },
  {
    id: 'help_center',
    purpose: 'support',
    kind: 'launcher',
    name: 'Help center',
    description: 'Answers and contacts on every page, behind one button.',
    fields: {
      title: { en: 'How can we help?', ar: 'كيف يمكننا مساعدتك؟' },
      description: { en: 'Find an answer, or ask us.', ar: 'ابحث عن إجابة أو اسألنا.' },
      trigger_type: 'tab',
      trigger_text: { en: 'Help', ar: 'مساعدة' },
      items: [
        {
          title: { en: 'Read the guides', ar: 'اقرأ الأدلة' },
          description: { en: 'Step by step, with pictures', ar: 'خطوة بخطوة، مع صور' },
          url: 'https://your-product.example/help',
        },
        {
          title: { en: 'See what is new', ar: 'اطّلع على الجديد' },
          description: { en: 'What has changed this month', ar: 'ما تغيّر هذا الشهر' },
          url: 'https://your-product.example/news',
        },
        {
          title: { en: 'Write to us', ar: 'اكتب لنا' },
          description: { en: 'We answer within a day', ar: 'نجيب خلال يوم واحد' },
          url: 'https://your-product.example/contact',
        },
      ],
    },
  },
];
