/** The templates, in the order in which people see them. */
export const templateIds = [
  'welcome_tour',
  'onboarding_checklist',
  'feature_announcement',
  'new_feature_tooltip',
  'webinar_invitation',
  'nps',
  'satisfaction_survey',
  'product_market_survey',
  'cancellation_survey',
  'upgrade_offer',
  'trial_ending',
  'banner',
  'help_center',
] as const;
export type TemplateId = (typeof templateIds)[number];

/** What a template is for. Templates are grouped by it. */
export const templatePurposes = ['onboarding', 'launch', 'feedback', 'upsell', 'support'] as const;
export type TemplatePurpose = (typeof templatePurposes)[number];
