import type { TemplateDefinition } from './template.ts';

const corner = { screen_position: 'bottom_right' };

const thankYou = {
  ...corner,
  title: { en: 'Thank you', ar: 'شكرًا لك' },
  body: { en: 'We read every answer.', ar: 'نقرأ كل إجابة.' },
  preset: 'thank_you',
};

const reason = {
  ...corner,
  title: { en: 'What is the main reason for your answer?', ar: 'ما السبب الرئيسي لإجابتك؟' },
  preset: 'survey_input',
  placeholder: { en: 'One sentence is enough', ar: 'جملة واحدة تكفي' },
};

export const feedback: readonly TemplateDefinition[] = [
  {
    id: 'nps',
    purpose: 'feedback',
    kind: 'survey',
    name: 'NPS survey',
    description: 'Asks how likely people are to recommend you, and why.',
    fields: {
      repeat_days: 90,
      steps: [
        {
          ...corner,
          title: {
            en: 'How likely are you to recommend us to a friend or colleague?',
            ar: 'ما مدى احتمال أن توصي بنا صديقًا أو زميلًا؟',
          },
          preset: 'survey_nps',
          label_low: { en: 'Not at all likely', ar: 'غير محتمل إطلاقًا' },
          label_high: { en: 'Very likely', ar: 'محتمل جدًا' },
        },
        reason,
        thankYou,
      ],
    },
  },
  {
    id: 'satisfaction_survey',
    purpose: 'feedback',
    kind: 'survey',
    name: 'Satisfaction survey',
    description: 'Asks how satisfied people are with one part of your product, and why.',
    fields: {
      steps: [
        {
          ...corner,
          title: { en: 'How satisfied are you with the new reports?', ar: 'ما مدى رضاك عن التقارير الجديدة؟' },
          preset: 'survey_csat',
          label_low: { en: 'Not satisfied', ar: 'غير راضٍ' },
          label_high: { en: 'Very satisfied', ar: 'راضٍ جدًا' },
        },
        reason,
        thankYou,
      ],
    },
  },
  {
    id: 'product_market_survey',
    purpose: 'feedback',
    kind: 'survey',
    name: 'Product-market survey with follow-up',
    description: 'Asks how people would feel without your product, and what follows from their answer.',
    fields: {
      repeat_days: 180,
      steps: [
        {
          ...corner,
          title: {
            en: 'How would you feel if you could no longer use our product?',
            ar: 'كيف ستشعر إذا لم يعد بإمكانك استخدام منتجنا؟',
          },
          question: {
            kind: 'single',
            required: true,
            options: [
              { id: 'very_disappointed', text: { en: 'Very disappointed', ar: 'بخيبة أمل كبيرة' } },
              { id: 'somewhat_disappointed', text: { en: 'Somewhat disappointed', ar: 'ببعض خيبة الأمل' } },
              { id: 'not_disappointed', text: { en: 'Not disappointed', ar: 'لن أشعر بخيبة أمل' } },
            ],
          },
          next: [{ when: { step_id: '0', op: 'eq', value: 'not_disappointed' }, go: '2' }],
        },
        {
          ...corner,
          title: { en: 'What is the main benefit for you?', ar: 'ما الفائدة الرئيسية لك؟' },
          question: { kind: 'long_text' },
          placeholder: reason.placeholder,
          next: [{ go: '3' }],
        },
        {
          ...corner,
          title: { en: 'What is missing for you?', ar: 'ما الذي ينقصك؟' },
          question: { kind: 'long_text' },
          placeholder: reason.placeholder,
        },
        {
          ...corner,
          title: { en: 'How easy is our product to use?', ar: 'ما مدى سهولة استخدام منتجنا؟' },
          question: { kind: 'scale', min: 1, max: 7 },
          label_low: { en: 'Very hard', ar: 'صعب جدًا' },
          label_high: { en: 'Very easy', ar: 'سهل جدًا' },
          next: [{ when: { step_id: '0', op: 'eq', value: 'not_disappointed' }, go: '5' }],
        },
        {
          ...corner,
          title: { en: 'May we write to you about your answers?', ar: 'هل يمكننا مراسلتك بشأن إجاباتك؟' },
          question: {
            kind: 'consent',
            label: { en: 'Yes, you may send me an email', ar: 'نعم، يمكنكم مراسلتي بالبريد الإلكتروني' },
          },
        },
        thankYou,
      ],
    },
  },
  {
    id: 'cancellation_survey',
    purpose: 'feedback',
    kind: 'survey',
    name: 'Cancellation survey',
    description: 'Asks people who leave for the reason, and what would have kept them.',
    fields: {
      steps: [
        {
          title: { en: 'Why are you leaving?', ar: 'لماذا تغادر؟' },
          body: { en: 'Your answer helps us to do better.', ar: 'إجابتك تساعدنا على التحسّن.' },
          preset: 'survey_dropdown',
          placeholder: { en: 'Choose a reason', ar: 'اختر سببًا' },
          dropdown_items: [
            { en: 'It costs too much', ar: 'التكلفة مرتفعة' },
            { en: 'Something that I need is missing', ar: 'ينقصه شيء أحتاج إليه' },
            { en: 'It is too hard to use', ar: 'استخدامه صعب' },
            { en: 'I no longer need it', ar: 'لم أعد أحتاج إليه' },
          ],
          other_text: { en: 'Another reason', ar: 'سبب آخر' },
        },
        {
          title: { en: 'What could we have done better?', ar: 'ما الذي كان يمكننا فعله بشكل أفضل؟' },
          preset: 'survey_input',
          placeholder: reason.placeholder,
        },
        { ...thankYou, screen_position: 'center' },
      ],
    },
  },
];
