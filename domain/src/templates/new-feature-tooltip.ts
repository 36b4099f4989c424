import type { TemplateDefinition } from './template.ts';

export const newFeatureTooltip: TemplateDefinition = {
  id: 'new_feature_tooltip',
  number: 3,
  kind: 'tooltip',
  name: 'New-feature tooltip',
  description: 'Points at one place of a page and explains what is new there.',
  fields: {
    steps: [
      {
        title: 'Filters stay where you left them',
        body: 'Choose once. Next time, this list opens the way you like it.',
        position_type: 'snap_to_element',
        placement: 'bottom',
        elements: [{ selector: 'h1' }],
        buttons: [{ text: 'Got it', tour_action: 'exit' }],
      },
    ],
  },
  arabic: {
    'Filters stay where you left them': 'تبقى عوامل التصفية كما تركتها',
    'Choose once. Next time, this list opens the way you like it.':
      'اختر مرة واحدة. في المرة القادمة تُفتح هذه القائمة كما تفضّل.',
    'Got it': 'فهمت',
  },
};
