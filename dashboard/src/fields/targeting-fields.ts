/** The fields of the tab "Targeting". All others belong to the content. */
const fields: ReadonlySet<string> = new Set([
  ...[
    'segment_ids',
    'segments_op',
    'excluded_segment_ids',
    'url_group_ids',
    'quantifier_urls',
    'style',
    'blocked_domains',
    'without_consent',
    'public_page',
    'stop_after_responses',
    'stop_after_responses_per_segment',
  ],
  ...[
    'published_at',
    'published_until',
    'repeat_days',
    'rate_unlimit_at',
    'experiment_at',
    'experiment_range',
    'goal',
    'goals',
  ],
]);

export function isTargetingField(field: string): boolean {
  return fields.has(field);
}

/**
 * The address of a field: `segment_ids`, `steps.0.quantifier_urls` or `steps.0.buttons.1.text`. The tab that it opens puts the
 * focus there. Undefined if no page of the dashboard shows the field.
 */
export function addressOfField(id: string, path: string): string | undefined {
  if (path === 'position') return '/app/experiences?order=position';
  // Translations have no page yet.
  if (path.startsWith('translations.')) return undefined;
  const isTargeting = path.split('.').some(isTargetingField);
  return `/app/experiences/${id}${isTargeting ? '/targeting' : ''}?field=${encodeURIComponent(path)}`;
}
