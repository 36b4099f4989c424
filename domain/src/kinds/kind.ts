import type { Fields } from '../fields/field.ts';

/** What a kind of Experience is. It is plain data, so the browser script and the dashboard can use it without the schemas of the API. */
export interface Kind {
  /** Its name in the paths of the API. */
  path: string;
  /** What Changes call it. */
  modelType: 'Campaign' | 'List' | 'Tooltip';
  /** The fields that this kind has beside the fields of every Experience. */
  fields: Fields;
  /** The list that its content is in. */
  parts: 'steps' | 'items';
  /** How many parts it can have, if that is less than usual. */
  maxParts?: number;
  /**
   * Whether only one of them shows at a time. It starts automatically, has an end, and can be started by buttons, launchers and
   * Deliveries.
   */
  isExclusive?: boolean;
  /** Whether it shows again after users have used it. */
  isLasting?: boolean;
  /** Whether users answer questions. */
  asks?: boolean;
  /** Where all its steps are, if its author cannot choose: at an element of the page, or within the page. */
  place?: 'element' | 'inline';
  /** Whether webhooks report what users do with it. */
  hasWebhooks?: boolean;
  /** What its results always count. Other counts show if they are not 0. */
  measures: readonly Measure[];
}

export type Measure = 'displayed' | 'started' | 'completed' | 'exited' | 'snoozed';
