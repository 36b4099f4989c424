import { back, next, notNow } from './shared-parts.ts';
import type { TemplateDefinition } from './template.ts';

export const onboarding: readonly TemplateDefinition[] = [
  {
    id: 'welcome_tour',
    purpose: 'onboarding',
    kind: 'tour',
    name: 'Welcome tour',
    description: 'Shows new people the first three things to do.',
    fields: {
      steps: [
        {
          title: {
            en: 'Welcome, {{first_name | fallback: "good to see you"}}',
            ar: 'مرحبًا {{first_name | fallback: "بك"}}',
          },
          body: {
            en: 'Take one minute to see where everything is. You can leave at any time.',
            ar: 'خذ دقيقة واحدة لتتعرّف على مكان كل شيء. يمكنك المغادرة في أي وقت.',
          },
          backdrop: true,
          buttons: [{ text: { en: 'Show me around', ar: 'ابدأ الجولة' }, tour_action: 'next' }, notNow],
        },
        {
          title: { en: 'Start here', ar: 'ابدأ من هنا' },
          body: {
            en: 'This page shows **what needs you today**. Come back to it whenever you are lost.',
            ar: 'تعرض هذه الصفحة **ما يحتاج إليك اليوم**. عُد إليها متى أردت.',
          },
          buttons: [next, back],
        },
        {
          title: { en: 'Invite your team', ar: 'ادعُ فريقك' },
          body: {
            en: 'Work goes faster together. The people you invite see your projects right away.',
            ar: 'العمل معًا أسرع. من تدعوهم يرون مشاريعك على الفور.',
          },
          buttons: [next, back],
        },
        {
          title: { en: 'You are ready', ar: 'أنت جاهز' },
          body: {
            en: 'If you have a question, open the help menu. It is on every page.',
            ar: 'إن كان لديك سؤال فافتح قائمة المساعدة. تجدها في كل صفحة.',
          },
          buttons: [{ text: { en: 'Get started', ar: 'لنبدأ' }, tour_action: 'next' }],
        },
      ],
    },
  },
  {
    id: 'onboarding_checklist',
    purpose: 'onboarding',
    kind: 'launcher',
    name: 'First steps',
    description:
      'First steps that are ticked off by what people do: by a property, and by events that your product sends.',
    fields: {
      title: { en: 'Get started', ar: 'لنبدأ' },
      description: { en: 'Three steps to set up your workspace.', ar: 'ثلاث خطوات لإعداد مساحة عملك.' },
      list_type: 'checklist',
      celebration: true,
      trigger_type: 'tab',
      trigger_text: { en: 'Get started', ar: 'لنبدأ' },
      empty_state_content: { en: 'All done. Have fun.', ar: 'اكتمل كل شيء. استمتع.' },
      items: [
        {
          title: { en: 'Complete your profile', ar: 'أكمل ملفك الشخصي' },
          description: { en: 'So that your team knows you', ar: 'ليتعرّف عليك فريقك' },
          url: 'https://your-product.example/profile',
          completed_when: [{ kind: 'property', prop: 'first_name', op: 'ex' }],
        },
        {
          title: { en: 'Create your first project', ar: 'أنشئ مشروعك الأول' },
          description: { en: 'It takes a name, nothing else', ar: 'لا يحتاج إلا إلى اسم' },
          url: 'https://your-product.example/projects',
          completed_when: [{ kind: 'event', op: 'ex', value: 'project_created' }],
        },
        {
          title: { en: 'Invite a colleague', ar: 'ادعُ زميلًا' },
          description: { en: 'Work goes faster together', ar: 'العمل معًا أسرع' },
          url: 'https://your-product.example/team',
          completed_when: [{ kind: 'event', op: 'ex', value: 'person_invited' }],
        },
        {
          title: { en: 'Read the guide', ar: 'اقرأ الدليل' },
          description: { en: 'Five minutes that save you an hour', ar: 'خمس دقائق توفّر عليك ساعة' },
          url: 'https://your-product.example/help',
        },
      ],
    },
  },
];
