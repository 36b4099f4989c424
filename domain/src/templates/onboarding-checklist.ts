import type { TemplateDefinition } from './template.ts';

export const onboardingChecklist: TemplateDefinition = {
  id: 'onboarding_checklist',
  number: 5,
  kind: 'launcher',
  name: 'First steps',
  description: 'First steps in one place, each with a link to its page.',
  fields: {
    title: 'Get started',
    description: 'Four steps to set up your workspace.',
    trigger_type: 'tab',
    trigger_text: 'Get started',
    empty_state_content: 'All done. Have fun.',
    items: [
      {
        kind: 'url',
        title: 'Complete your profile',
        description: 'So that your team knows you',
        url: 'https://your-product.example/profile',
      },
      {
        kind: 'url',
        title: 'Create your first project',
        description: 'It takes a name, nothing else',
        url: 'https://your-product.example/projects',
      },
      {
        kind: 'url',
        title: 'Invite a colleague',
        description: 'Work goes faster together',
        url: 'https://your-product.example/team',
      },
      {
        kind: 'url',
        title: 'Read the guide',
        description: 'Five minutes that save you an hour',
        url: 'https://your-product.example/help',
      },
    ],
  },
  arabic: {
    'Get started': 'لنبدأ',
    'Four steps to set up your workspace.': 'أربع خطوات لإعداد مساحة عملك.',
    'All done. Have fun.': 'اكتمل كل شيء. استمتع.',
    'Complete your profile': 'أكمل ملفك الشخصي',
    'So that your team knows you': 'ليتعرّف عليك فريقك',
    'Create your first project': 'أنشئ مشروعك الأول',
    'It takes a name, nothing else': 'لا يحتاج إلا إلى اسم',
    'Invite a colleague': 'ادعُ زميلًا',
    'Work goes faster together': 'العمل معًا أسرع',
    'Read the guide': 'اقرأ الدليل',
    'Five minutes that save you an hour': 'خمس دقائق توفّر عليك ساعة',
  },
};
