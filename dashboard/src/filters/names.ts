/** Finds the names for what filters contain only as a key or an ID. */
export interface FilterNames {
  /** `company.plan` is "Company plan". */
  property: (prop: string) => string;
  event: (uid: string) => string;
  experience: (kind: 'tour' | 'survey', id: string) => string;
  segment: (id: string) => string;
}
