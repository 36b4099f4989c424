import type { TemplateDefinition } from './template.ts';

const place = { screen_position: 'bottom_right' };

export const nps: TemplateDefinition = {
  id: 'nps',
  number: 4,
  kind: 'survey',
  name: 'NPS survey',
  description: 'Asks how likely people are to recommend you, and why.',
  fields: {
    repeat_days: 90,
    steps: [
      {
        ...place,
        title: 'How likely are you to recommend us to a friend or colleague?',
        preset: 'survey_nps',
        label_low: 'Not at all likely',
        label_high: 'Very likely',
      },
      {
        ...place,
        title: 'What is the main reason for your answer?',
        preset: 'survey_input',
        placeholder: 'One sentence is enough',
      },
      {
        ...place,
        title: 'Thank you',
        body: 'We read every answer.',
        preset: 'thank_you',
      },
    ],
  },
  arabic: {
    'How likely are you to recommend us to a friend or colleague?': 'ما مدى احتمال أن توصي بنا صديقًا أو زميلًا؟',
    'Not at all likely': 'غير محتمل إطلاقًا',
    'Very likely': 'محتمل جدًا',
    'What is the main reason for your answer?': 'ما السبب الرئيسي لإجابتك؟',
    'One sentence is enough': 'جملة واحدة تكفي',
    'Thank you': 'شكرًا لك',
    'We read every answer.': 'نقرأ كل إجابة.',
  },
};
