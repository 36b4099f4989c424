/** The tables of what a profile did and saw. The last three have the order in which the sender of webhooks locks them. */
export const profileUseTables = [
  'events',
  'profile_events',
  'interactions',
  'answers',
  'response_tags',
  'responses',
  'activities',
  'interruption_days',
  'exposures',
  'findings',
  'installation_entries',
  'webhook_events',
  'outbox',
  'webhook_attempts',
] as const;
