import type { TemplateDefinition } from './template.ts';

export const welcomeTour: TemplateDefinition = {
  id: 'welcome_tour',
  number: 1,
  kind: 'tour',
  name: 'Welcome tour',
  description: 'Shows new people the first three things to do.',
  fields: {
    steps: [
      {
        title: 'Welcome, {{first_name | fallback: "good to see you"}}',
        body: 'Take one minute to see where everything is. You can leave at any time.',
        backdrop: true,
        buttons: [
          { text: 'Show me around', tour_action: 'next' },
          { text: 'Not now', tour_action: 'exit' },
        ],
      },
      {
        title: 'Start here',
        body: 'This page shows **what needs you today**. Come back to it whenever you are lost.',
        buttons: [
          { text: 'Next', tour_action: 'next' },
          { text: 'Back', tour_action: 'previous' },
        ],
      },
      {
        title: 'Invite your team',
        body: 'Work goes faster together. The people you invite see your projects right away.',
        buttons: [
          { text: 'Next', tour_action: 'next' },
          { text: 'Back', tour_action: 'previous' },
        ],
      },
      {
        title: 'You are ready',
        body: 'If you have a question, open the help menu. It is on every page.',
        buttons: [{ text: 'Get started', tour_action: 'next' }],
      },
    ],
  },
  arabic: {
    'Welcome, {{first_name | fallback: "good to see you"}}': 'مرحبًا {{first_name | fallback: "بك"}}',
    'Take one minute to see where everything is. You can leave at any time.':
      'خذ دقيقة واحدة لتتعرّف على مكان كل شيء. يمكنك المغادرة في أي وقت.',
    'Show me around': 'ابدأ الجولة',
    'Not now': 'ليس الآن',
    'Start here': 'ابدأ من هنا',
    'This page shows **what needs you today**. Come back to it whenever you are lost.':
      'تعرض هذه الصفحة **ما يحتاج إليك اليوم**. عُد إليها متى أردت.',
    Next: 'التالي',
    Back: 'السابق',
    'Invite your team': 'ادعُ فريقك',
    'Work goes faster together. The people you invite see your projects right away.':
      'العمل معًا أسرع. من تدعوهم يرون مشاريعك على الفور.',
    'You are ready': 'أنت جاهز',
    'If you have a question, open the help menu. It is on every page.':
      'إن كان لديك سؤال فافتح قائمة المساعدة. تجدها في كل صفحة.',
    'Get started': 'لنبدأ',
  },
};
