/** The templates, in the order in which people see them. */
export const templateIds = [
  'welcome_tour',
  'feature_announcement',
  'new_feature_tooltip',
  'nps',
  'onboarding_checklist',
  'banner',
] as const;
export type TemplateId = (typeof templateIds)[number];
