import { link, notNow } from './shared-parts.ts';
import type { TemplateDefinition } from './template.ts';

export const launch: readonly TemplateDefinition[] = [
  {
    id: 'feature_announcement',
    purpose: 'launch',
    kind: 'tour',
    name: 'Feature announcement',
    description: 'Says what is new in one box, with a link to read more.',
    fields: {
      steps: [
        {
          title: { en: 'New: share a report with one link', ar: 'جديد: شارك تقريرًا برابط واحد' },
          body: {
            en: 'Anyone in your company can open the link, without an account.\n\n- Choose who may see it\n- Stop sharing whenever you like',
            ar: 'يمكن لأي شخص في شركتك فتح الرابط من دون حساب.\n\n- اختر من يحق له رؤيته\n- أوقف المشاركة متى شئت',
          },
          backdrop: true,
          dismiss_text: { en: 'Maybe later', ar: 'ربما لاحقًا' },
          buttons: [
            {
              ...link,
              text: { en: 'Read how it works', ar: 'اقرأ كيف تعمل' },
              action_url: 'https://your-product.example/help',
              action_new_window: true,
            },
          ],
        },
      ],
    },
  },
  {
    id: 'new_feature_tooltip',
    purpose: 'launch',
    kind: 'tooltip',
    name: 'New-feature tooltip',
    description: 'Points at one place of a page and explains what is new there.',
    fields: {
      steps: [
        {
          title: { en: 'Filters stay where you left them', ar: 'تبقى عوامل التصفية كما تركتها' },
          body: {
            en: 'Choose once. Next time, this list opens the way you like it.',
            ar: 'اختر مرة واحدة. في المرة القادمة تُفتح هذه القائمة كما تفضّل.',
          },
          position_type: 'snap_to_element',
          placement: 'bottom',
          elements: [{ selector: 'h1' }],
          buttons: [{ text: { en: 'Got it', ar: 'فهمت' }, tour_action: 'exit' }],
        },
      ],
    },
  },
  {
    id: 'webinar_invitation',
    purpose: 'launch',
    kind: 'tour',
    name: 'Webinar invitation',
    description: 'Invites people to a live session, in a corner of the page.',
    fields: {
      steps: [
        {
          title: { en: 'See the new reports live', ar: 'شاهد التقارير الجديدة في بث مباشر' },
          body: {
            en: 'We build a report together in **30 minutes**, and answer your questions.',
            ar: 'ننشئ تقريرًا معًا خلال **30 دقيقة**، ونجيب عن أسئلتك.',
          },
          screen_position: 'bottom_right',
          buttons: [
            {
              ...link,
              text: { en: 'Save my seat', ar: 'احجز مقعدي' },
              action_url: 'https://your-product.example/webinar',
              action_new_window: true,
            },
            notNow,
          ],
        },
      ],
    },
  },
];
