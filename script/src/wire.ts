import type { Attribute, RichText } from '@usher/domain';
import type { Profile, TourEvent } from './index.d.ts';

/* The JSON that the server sends to a page and receives from it. A field that is missing has the default of a new Experience. */

export type Kind = 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed';
type ScreenPosition = 'center' | 'top' | 'bottom' | 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
export type Side = 'top' | 'right' | 'bottom' | 'left';

export interface PageElement {
  selector?: string;
  text?: string;
  shadow_selector?: string;
}

export interface PageUrl {
  url: string;
  match_type?: 'simple' | 'exact' | 'regex' | 'inverse_simple' | 'inverse_exact';
}

export interface PageButton {
  id: string;
  text?: RichText;
  tour_action?: 'next' | 'previous' | 'exit';
  additional_actions?: ('cta_url' | 'element_click' | 'tour' | 'survey' | 'property' | 'tag_user' | 'code')[];
  action_url?: Attribute;
  action_new_window?: boolean;
  action_campaign_id?: string;
  action_element?: PageElement;
  action_script?: string;
}

export interface PageStep {
  id: string;
  title?: RichText;
  body?: RichText;
  dismiss_text?: RichText;
  preset?: string;
  dropdown_items?: RichText[];
  label_low?: RichText;
  label_high?: RichText;
  placeholder?: RichText;
  other_text?: RichText;
  /** The default is `page_load`. */
  step_trigger?: 'page_load' | 'element_match' | 'element_not_match';
  secondary_trigger?: 'click' | 'hover' | 'time_on_page' | 'smart_delay' | 'input' | 'custom_trigger';
  trigger_delay?: number;
  custom_trigger?: string;
  /** The default is `relative_to_screen`. */
  position_type?: 'relative_to_screen' | 'snap_to_element' | 'snap_to_trigger' | 'inline';
  /** The default is `center`. */
  screen_position?: ScreenPosition;
  /** The default is `auto`. */
  placement?: 'auto' | Side;
  backdrop?: boolean;
  elements?: PageElement[];
  quantifier_urls?: PageUrl[];
  snooze_hours?: number;
  buttons?: PageButton[];
}

export interface PageItem {
  id: string;
  /** The default is `url`. */
  kind?: 'url' | 'tour' | 'survey' | 'script' | 'divider';
  title?: RichText;
  description?: RichText;
  url?: Attribute;
  campaign_id?: string;
  action_script?: string;
  /** The core sets it too, when the tour or survey of the item is completed on this page. */
  completed?: boolean;
}

export interface PageExperience {
  id: string;
  kind: Kind;
  automatic?: boolean;
  /** The last step that the user has seen, when the user is in the middle of the tour or survey. */
  step_id?: string;
  style?: 'auto' | 'manual' | 'banner' | 'card';
  /** The language of the texts. It is missing when they are not translated. */
  language?: string;
  direction?: 'ltr' | 'rtl';
  steps?: PageStep[];
  /* The fields below belong to launchers. */
  items?: PageItem[];
  title?: RichText;
  description?: RichText;
  list_type?: 'default' | 'checklist';
  trigger_type?: 'icon' | 'tab' | 'element';
  trigger?: string;
  trigger_text?: RichText;
  /** The default is `bottom_right`. */
  screen_position?: ScreenPosition;
  position_type?: 'relative_to_screen' | 'snap_to_trigger';
  empty_state_content?: RichText;
  quantifier_urls?: PageUrl[];
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
  visit: { token: string };
  deliveries: PageDelivery[];
  experiences: PageExperience[];
  /** The texts of the user interface, in the language of the user, and `language`: its code. */
  labels?: Record<string, string>;
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
}
