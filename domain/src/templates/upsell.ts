import { atTop, link, notNow } from './shared-parts.ts';
import type { TemplateDefinition } from './template.ts';

const plans = 'https://your-product.example/plans';

export const upsell: readonly TemplateDefinition[] = [
  {
    id: 'upgrade_offer',
    purpose: 'upsell',
    kind: 'tour',
    name: 'Upgrade offer',
    description: 'Says what a larger plan offers, to people who would use it.',
    fields: {
      steps: [
        {
          title: { en: 'Your team has grown', ar: 'لقد كبر فريقك' },
          body: {
            en: 'The team plan has what larger teams need:\n\n- As many projects as you like\n- Roles for each person\n- Answers from support within an hour',
            ar: 'تضم خطة الفريق ما تحتاج إليه الفرق الكبيرة:\n\n- مشاريع بلا حدود\n- دور لكل شخص\n- رد من الدعم خلال ساعة',
          },
          backdrop: true,
          buttons: [{ ...link, text: { en: 'Compare plans', ar: 'قارن بين الخطط' }, action_url: plans }, notNow],
        },
      ],
    },
  },
  {
    id: 'trial_ending',
    purpose: 'upsell',
    kind: 'embed',
    name: 'End of the trial',
    description: 'Reminds people at the top of the page that their trial ends, and what to do.',
    fields: {
      style: 'banner',
      steps: [
        {
          ...atTop,
          title: { en: 'Your trial ends soon', ar: 'تنتهي فترتك التجريبية قريبًا' },
          body: {
            en: 'Choose a plan to keep working. Everything that you made stays.',
            ar: 'اختر خطة لتواصل العمل. يبقى كل ما أنشأته.',
          },
          buttons: [
            { text: { en: 'Choose a plan', ar: 'اختر خطة' }, additional_actions: ['cta_url'], action_url: plans },
          ],
        },
      ],
    },
  },
];
