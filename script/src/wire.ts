import type { buttonFields, itemFields, PageValues, stepFields } from '@usher/domain/fields';
import type { ExperienceKind, PageOwnFields } from '@usher/domain/kinds';
import type { Profile, TourEvent } from './index.d.ts';

/* The JSON that the server sends to a page and receives from it. A field that is missing has the default of a new Experience. */

export type Kind = ExperienceKind;
export type Side = 'top' | 'right' | 'bottom' | 'left';

export interface PageButton extends PageValues<typeof buttonFields> {
  id: string;
}

export interface PageStep extends Omit<PageValues<typeof stepFields>, 'preset'> {
  id: string;
  /** The preset. A newer server may send a value that this script does not know. */
  preset?: string;
  buttons?: PageButton[];
}

export interface PageItem extends PageValues<typeof itemFields> {
  id: string;
  /**
   * Whether the item is completed. The core also sets it when the tour or survey of the item is completed on this page.
   */
  completed?: boolean;
  /** Whether the task before it must be completed first. */
  locked?: boolean;
}

export type PageElement = NonNullable<PageStep['elements']>[number];
export type PageUrl = NonNullable<PageStep['quantifier_urls']>[number];

export interface PageExperience extends Partial<PageOwnFields> {
  id: string;
  kind: Kind;
  automatic?: boolean;
  /** Whether an event starts it, which is claimed like a Delivery. */
  by_event?: boolean;
  /** The later steps that waited for an event which has come. */
  reached?: string[] | undefined;
  /** The last step that the user has seen, when the user is in the middle of the tour or survey. */
  step_id?: string;
  /** The language of the texts. It is missing when they are not translated. */
  language?: string;
  direction?: 'ltr' | 'rtl';
  theme_id?: string;
  steps?: PageStep[];
  items?: PageItem[];
  /** Whether this page load has found the last item of the checklist completed. */
  celebrate?: boolean;
}

export interface PageDelivery {
  id: string;
  model_id: string;
  model_kind: Kind;
  options?: unknown;
  from?: string | null;
  skip_triggers?: boolean;
  skip_url_match?: boolean;
  ready: boolean;
}

export interface VisitResponse {
  profile: Profile;
  /**
   * `again_ms`: when to send the next visit, because an Experience may start then. `stream`: a ticket for a stream, if something waits
   * for an event.
   */
  visit: { token: string; again_ms?: number; stream?: string };
  deliveries: PageDelivery[];
  experiences: PageExperience[];
  /** The events that the page counts without code; missing if there are none. */
  events?: PageEventDefinition[];
  /** The texts of the user interface, in the language of the user, and `language`: its code. */
  labels?: Record<string, string>;
  /** The themes of the Experiences, by `theme_id`; `default` is for those without one. */
  themes?: Record<string, PageTheme>;
}

/** An event that the page counts: clicks on an element, or, without one, that the page is opened. */
interface PageEventDefinition {
  name: string;
  elements?: PageElement[];
  /** Whether it is for some pages only. */
  is_local?: boolean;
}

/** The style sheet of a theme, and the class of the elements that it is for. */
export interface PageTheme {
  class: string;
  css: string;
}

export type EndState = 'completed' | 'exited' | 'snoozed';

/** Who asked for an Experience that did not start automatically. */
export interface ExplicitRequest {
  group_kind: 'link' | 'api_js' | 'launcher' | 'campaign';
  group_id?: string;
}

/** What happened, without the Experience that it happened to. Code of the page receives it as `tour:event`. */
export type ReportItem = Omit<TourEvent, 'experience_id' | 'kind'>;

export interface Report extends ReportItem, Partial<ExplicitRequest> {
  experience_id: string;
  showing: number;
  elapsed: number;
}
