/** The fields that the tab "Targeting" has. All others belong to the content. */
const fields: ReadonlySet<string> = new Set([
  ...['segment_ids', 'segments_op', 'excluded_segment_ids', 'url_group_ids', 'quantifier_urls', 'style'],
  ...['published_at', 'published_until', 'repeat_days', 'rate_unlimit_at', 'experiment_at', 'experiment_range', 'goal'],
]);

export function isTargetingField(field: string): boolean {
  return fields.has(field);
}

/** The address of a field: `segment_ids`, or `steps.0.quantifier_urls`. Undefined if it has no field in the dashboard. */
export function addressOfField(id: string, path: string): string | undefined {
  if (path === 'position') return '/app/experiences?order=position';
  const name = path.split('.').at(-1) ?? '';
  return isTargetingField(name) ? `/app/experiences/${id}/targeting?field=${path}` : undefined;
}
