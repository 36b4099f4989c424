import type { Filter } from '@usher/domain';

type TemplateId = 'active' | 'fresh' | 'away' | 'regular';

/** Conditions that fit any product, because they need no custom properties. */
export const templates: readonly { id: TemplateId; filter: Filter }[] = [
  { id: 'active', filter: { kind: 'property', prop: 'last_seen_at', op: 'gt-d', value: 7 } },
  { id: 'fresh', filter: { kind: 'property', prop: 'created_at', op: 'gt-d', value: 30 } },
  { id: 'away', filter: { kind: 'property', prop: 'last_seen_at', op: 'lt-d', value: 30 } },
  { id: 'regular', filter: { kind: 'property', prop: 'last_seen_session_count', op: 'gte', value: 10 } },
];
