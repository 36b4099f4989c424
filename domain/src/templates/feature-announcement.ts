import type { TemplateDefinition } from './template.ts';

export const featureAnnouncement: TemplateDefinition = {
  id: 'feature_announcement',
  number: 2,
  kind: 'tour',
  name: 'Feature announcement',
  description: 'Says what is new in one box, with a link to read more.',
  fields: {
    steps: [
      {
        title: 'New: share a report with one link',
        body: 'Anyone in your company can open the link, without an account.\n\n- Choose who may see it\n- Stop sharing whenever you like',
        backdrop: true,
        dismiss_text: 'Maybe later',
        buttons: [
          {
            text: 'Read how it works',
            tour_action: 'next',
            additional_actions: ['cta_url'],
            action_url: 'https://your-product.example/help',
            action_new_window: true,
          },
        ],
      },
    ],
  },
  arabic: {
    'New: share a report with one link': 'جديد: شارك تقريرًا برابط واحد',
    'Anyone in your company can open the link, without an account.\n\n- Choose who may see it\n- Stop sharing whenever you like':
      'يمكن لأي شخص في شركتك فتح الرابط من دون حساب.\n\n- اختر من يحق له رؤيته\n- أوقف المشاركة متى شئت',
    'Maybe later': 'ربما لاحقًا',
    'Read how it works': 'اقرأ كيف تعمل',
  },
};
