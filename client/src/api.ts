// Written by `npm run schema` from the OpenAPI document of the server. Do not edit it.

export interface Schemas {
  Account2: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; token: string; allow_scripts: boolean; allow_globals: boolean; allow_percent: boolean; delivery_ids_limit: number; require_uid_hash: boolean; trust_pages: boolean; anonymous_users: boolean; anonymous_days: number; who_may_publish: 'editors' | 'owners'; record_paths: boolean; holdout_percent: number; holdout_until: Schemas['NullableTimestamp']; time_zone: string; time_zone_changed_at: Schemas['NullableTimestamp']; test_emails: string[]; events_days: number; ignored_page_writes: Record<string, number> };
  Account: { id: Schemas['Id'] };
  Action2: { id: Schemas['Id']; kind: string; at: string; href: string | null; group_kind: string | null; group_id: Schemas['NullableId'] };
  Action3: { id: Schemas['Id']; kind: string; at: string; href: string | null; group_kind: string | null; group_id: Schemas['NullableId']; deferred_until: string; deferred_hours: number | null; deferred_count: number | null; defer_until: string };
  Action: 'session.create' | 'session.reject' | 'session.switch' | 'session.delete' | 'person.update' | 'person.create_reset_link' | 'person.reset_password' | 'admin.create' | 'admin.update' | 'admin.delete' | 'invitation.create' | 'invitation.delete' | 'secret.create' | 'secret.delete' | 'proposal.create' | 'proposal.approve' | 'proposal.reject' | 'account.create' | 'account.update' | 'account.create_uid_secret' | 'backup.create' | 'url.create' | 'url.update' | 'url.move' | 'url_group.create' | 'url_group.update' | 'language.create' | 'language.delete' | 'alert_group.create' | 'alert_group.update' | 'alert_group.delete' | 'experiment.create' | 'experiment.update' | 'experiment.delete' | 'experiment.start' | 'experiment.end' | 'experiment.publish_winner' | 'experiment.undo_winner' | 'limit_group.create' | 'limit_group.update' | 'limit_group.delete' | 'report.create' | 'report.update' | 'report.delete' | 'webhook.create' | 'webhook.update' | 'webhook.delete' | 'webhook.rotate' | 'experience.publish' | 'experience.unpublish' | 'experience.schedule' | 'experience.archive' | 'experience.restore' | 'experience.delete' | 'event_name.publish' | 'event_name.unpublish' | 'event_name.update' | 'event_name.delete' | 'theme.publish' | 'theme.unpublish' | 'theme.set_default' | 'theme.delete' | 'debug_token.create' | 'pick.create' | 'pick.open' | 'profile.clear' | 'profile.export' | 'profile.forget' | 'profile.update' | 'import.start' | 'import.delete' | 'sample_data.load' | 'sample_data.remove' | 'move.start' | 'move.release';
  ActionProperty: string | null;
  ActionTag: string | null;
  ActionValue: string | null;
  AdditionalActions: ('cta_url' | 'element_click' | 'tour' | 'survey' | 'property' | 'tag_user' | 'code' | 'helpbar' | 'automation' | 'demo' | 'hero_button' | 'any_click')[];
  Admin: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; email: string; role: Schemas['Role']; last_used_at: Schemas['NullableTimestamp']; current: boolean };
  After: string;
  BadgeText: string | null;
  Before2: string;
  Before3: string;
  Before4: { from: string; until: string; value: number; people: number };
  Before: string;
  BlockedDomains: string[];
  Body: string | null;
  BrowserN: 'chrome' | 'firefox' | 'safari' | 'opera' | 'ie10' | 'ie11' | 'edge' | null;
  Button2: { id: Schemas['Id']; position: number; text: string | null; tour_action: string | null };
  Button: { id: Schemas['Id']; position: number; text: string | null; tour_action: 'next' | 'previous' | 'exit' | 'snooze' | null; additional_actions: ('cta_url' | 'element_click' | 'tour' | 'survey' | 'property' | 'tag_user' | 'code' | 'helpbar' | 'automation' | 'demo' | 'hero_button' | 'any_click')[]; action_url: string | null; action_new_window: boolean; action_campaign_id: Schemas['NullableId']; action_element: Schemas['NullablePageElement']; action_property: string | null; action_value: string | null; action_tag: string | null; action_script: string | null };
  ButtonParameters: { text?: Schemas['Text']; tour_action?: 'next' | 'previous' | 'exit' | 'snooze' | null; additional_actions?: Schemas['AdditionalActions']; action_url?: string | null; action_new_window?: boolean; action_campaign_id?: string | null; action_element?: Schemas['Element'] | null; action_property?: Schemas['ActionProperty']; action_value?: Schemas['ActionValue']; action_tag?: Schemas['ActionTag']; action_script?: string | null; position?: number };
  Buttons: ({ id?: Schemas['Id2']; text?: Schemas['Text']; tour_action?: 'next' | 'previous' | 'exit' | 'snooze' | null; additional_actions?: Schemas['AdditionalActions']; action_url?: string | null; action_new_window?: boolean; action_campaign_id?: string | null; action_element?: Schemas['Element'] | null; action_property?: Schemas['ActionProperty']; action_value?: Schemas['ActionValue']; action_tag?: Schemas['ActionTag']; action_script?: string | null })[];
  ChangeSummary: { model_id: Schemas['Id']; path: string; kind: 'create' | 'update' | 'destroy'; capture_id: Schemas['ListOfNullableId']; object: Schemas['Object']; change_id: Schemas['ListOfNullableId']; changes: ({ model_id: Schemas['Id']; path: string; kind: 'create' | 'update' | 'destroy'; capture_id: Schemas['ListOfNullableId']; object: Schemas['Object'] })[] };
  CheckSecretResponse: { account: Schemas['Account']; user: Schemas['Account'] };
  CheckTourPublishResponse: { publish_check: Schemas['PublishCheck'] };
  ClearProfileResponse: { profile: Schemas['Profile']; warnings?: Schemas['Warnings'] };
  Company: { id: Schemas['Id']; uid: string; name: string | null } | null;
  CompanyInput: { id?: Schemas['Id']; uid?: string; [key: string]: unknown };
  CountFunnelResponse: { funnel: { from: string; until: string; complete: boolean; share: number; message: string | null; known_since: Schemas['NullableTimestamp']; steps: Schemas['Steps3']; segments: { segment_id: string; steps: Schemas['Steps3'] }[] } };
  CountProfilesResponse: { count: number; is_complete?: boolean; estimate?: number };
  CountTourAudienceResponse: { audience: { count: number; before: number | null; is_complete: boolean; estimate: { count: number; before: number | null }; sample: ({ id: Schemas['Id']; uid: string; email: string | null; name: string | null })[] } };
  Counting: { share: number } | null;
  Counts: { last_24_hours: number; last_7_days: number; last_30_days: number };
  CreateAlertGroupResponse: { alert_group: Schemas['ShownAlertGroup']; warnings?: Schemas['Warnings'] };
  CreateDeliveryResponse: { delivery: Schemas['Delivery']; warnings?: Schemas['Warnings'] };
  CreateEmbedResponse: { embed: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  CreateExperimentResponse: { experiment: Schemas['ShownExperiment']; warnings?: Schemas['Warnings'] };
  CreateGoalResponse: { goal: Schemas['SharedGoal']; warnings?: Schemas['Warnings'] };
  CreateImportResponse: { import: Schemas['Import']; warnings?: Schemas['Warnings'] };
  CreateLanguageResponse: { language: Schemas['Language']; warnings?: Schemas['Warnings'] };
  CreateLauncherItemRequest: { kind?: 'url' | 'tour' | 'survey' | 'script' | 'divider'; title?: Schemas['Title']; description?: Schemas['Description3']; url?: string | null; campaign_id?: string | null; segment_id?: Schemas['SegmentId']; completed_when?: Schemas['Filter'][]; completed_when_op?: 'and' | 'or'; visible_when?: Schemas['Filter'][]; visible_when_op?: 'and' | 'or'; hide?: boolean; action_script?: string | null; position?: number };
  CreateLauncherItemResponse: { item: Schemas['ListItem']; warnings?: Schemas['Warnings'] };
  CreateLauncherResponse: { launcher: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  CreateLimitGroupResponse: { limit_group: Schemas['ShownLimitGroup']; warnings?: Schemas['Warnings'] };
  CreatePictureResponse: { picture: Schemas['Picture2']; warnings?: Schemas['Warnings'] };
  CreatePropertyResponse: { property: Schemas['Property']; warnings?: Schemas['Warnings'] };
  CreateReportResponse: { report: Schemas['SavedReport']; warnings?: Schemas['Warnings'] };
  CreateSegmentResponse: { segment: Schemas['Segment']; warnings?: Schemas['Warnings'] };
  CreateSurveyResponse: { survey: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  CreateTagResponse: { tag: Schemas['Tag']; warnings?: Schemas['Warnings'] };
  CreateThemeResponse: { theme: Schemas['Theme']; warnings?: Schemas['Warnings'] };
  CreateTooltipResponse: { tooltip: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  CreateTourResponse: { tour: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  CreateTourStepButtonResponse: { button: Schemas['Button']; warnings?: Schemas['Warnings'] };
  CreateTourStepRequest: { title?: Schemas['Title']; body?: Schemas['Body']; picture?: Schemas['Picture']; picture_alt?: Schemas['PictureAlt']; video_url?: Schemas['VideoUrl']; media_position?: 'above' | 'left' | 'right' | 'full_bleed'; dismiss_text?: Schemas['DismissText']; preset?: 'survey_two' | 'survey_three' | 'survey_four' | 'survey_five' | 'survey_nps' | 'survey_csat' | 'survey_ces' | 'survey_input' | 'survey_dropdown' | 'response' | 'thank_you' | null; question?: Schemas['Question']; dropdown_items?: Schemas['DropdownItems']; label_low?: Schemas['LabelLow']; label_high?: Schemas['LabelHigh']; placeholder?: Schemas['Placeholder']; other_text?: Schemas['OtherText']; next?: Schemas['Next']; step_trigger?: 'page_load' | 'element_match' | 'element_not_match' | 'event'; trigger_event?: Schemas['TriggerEvent']; secondary_trigger?: Schemas['SecondaryTrigger']; trigger_delay?: Schemas['TriggerDelay']; trigger_scroll_percent?: Schemas['TriggerScrollPercent']; custom_trigger?: Schemas['CustomTrigger']; position_type?: 'relative_to_screen' | 'snap_to_element' | 'snap_to_trigger' | 'inline'; screen_position?: Schemas['ScreenPosition2']; placement?: 'auto' | 'top' | 'right' | 'bottom' | 'left'; backdrop?: boolean; hotspot?: boolean; elements?: Schemas['Elements']; quantifier_urls?: Schemas['QuantifierUrls2']; snooze_hours?: Schemas['SnoozeHours']; snooze_choices?: Schemas['SnoozeChoices']; trigger_element?: Schemas['Element'] | null; position_element?: Schemas['Element'] | null; exit_element?: Schemas['Element'] | null; trigger_additional_element?: Schemas['Element'] | null; trigger_secondary_element?: Schemas['Element'] | null; step_additional_trigger?: string | null; follow_up_delay?: Schemas['FollowUpDelay']; buttons?: Schemas['Buttons']; position?: number };
  CreateTourStepResponse: { step: Schemas['Step']; warnings?: Schemas['Warnings'] };
  CreateUrlGroupResponse: { url_group: Schemas['UrlGroup']; url: Schemas['UrlGroup']; warnings?: Schemas['Warnings'] };
  CreateUrlResponse: { url: Schemas['Url']; warnings?: Schemas['Warnings'] };
  Css: string | null;
  Cursor: { limit: number; before: string | null };
  CustomTrigger: string | null;
  Data2: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; survey: Schemas['Survey']; step: Schemas['Step3']; action: Schemas['Action2'] };
  Data3: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; embed: Schemas['Tour']; step: Schemas['Step3']; action: Schemas['Action2'] };
  Data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; tour: Schemas['Tour']; step: Schemas['Step3']; action: Schemas['Action2'] };
  Days2: { day: string; displayed: number; started: number; completed: number; exited: number; snoozed: number; goal: number }[];
  Days: { day: string; shown: number; started: number; completed: number }[];
  Definition: { kind: 'click' | 'page'; elements?: Schemas['Elements']; quantifier_urls?: Schemas['QuantifierUrls2']; url_group_ids?: Schemas['UrlGroupIds'] };
  DeleteCompanyResponse: { deletion: Schemas['Account']; deletions?: Schemas['Account'][]; warnings?: Schemas['Warnings'] };
  DeleteEventNameResponse: { event_name: Schemas['EventName']; warnings?: Schemas['Warnings'] };
  DeleteFoundWebhookResponse: { webhook: Schemas['ShownWebhook']; warnings?: Schemas['Warnings'] };
  Deliveries: ({ id: Schemas['Id']; created_at: string; updated_at: string; model_id: Schemas['Id']; model_kind: 'tour' | 'survey'; profile_id: Schemas['Id']; idempotency_key: string | null; options: unknown; from: Schemas['NullableTimestamp']; until: Schemas['NullableTimestamp']; use_segmentation: boolean; once: boolean; skip_triggers: boolean; skip_url_match: boolean; at: Schemas['NullableTimestamp']; at_href: string | null; interaction_id: Schemas['NullableId']; group_kind: Schemas['GroupKind']; removed_at: Schemas['NullableTimestamp']; removed_reason: 'segment_mismatch' | null; profile: Schemas['Sample'] | null; experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; is_live: boolean } | null })[];
  Delivery: { id: Schemas['Id']; created_at: string; updated_at: string; model_id: Schemas['Id']; model_kind: 'tour' | 'survey'; profile_id: Schemas['Id']; idempotency_key: string | null; options: unknown; from: Schemas['NullableTimestamp']; until: Schemas['NullableTimestamp']; use_segmentation: boolean; once: boolean; skip_triggers: boolean; skip_url_match: boolean; at: Schemas['NullableTimestamp']; at_href: string | null; interaction_id: Schemas['NullableId']; group_kind: Schemas['GroupKind']; removed_at: Schemas['NullableTimestamp']; removed_reason: 'segment_mismatch' | null };
  DeliveryIdsPosition: 'first' | 'last' | number;
  Description2: string | null;
  Description3: string | null;
  Description: string | null;
  DismissText: string | null;
  DownloadTourTextsAsFileByPostRequest: { language?: Schemas['Language2'] };
  DownloadTourTextsByPostRequest: { format: 'yaml' | 'json'; language?: Schemas['Language2'] };
  DownloadToursTextsAsFileByPostRequest: { language?: Schemas['Language2']; archived?: boolean };
  DownloadToursTextsByPostRequest: { format: 'yaml' | 'json'; language?: Schemas['Language2']; archived?: boolean };
  Draft: { shows: boolean; reasons: Schemas['ListOfExplainedReason']; waits_for: string | null };
  DropdownItems: string[];
  DuplicateThemeRequest: { name?: string };
  Element: { selector?: string | null; text?: string | null; shadow_selector?: string | null; description?: string | null; use?: string[] | null; path?: string | null; tag?: string | null; attr_id?: string | null; attr_class?: string | null; attr_href?: string | null; attr_title?: string | null; attr_type?: string | null; attr_name?: string | null; attr_data?: string | Record<string, unknown> | null; attr_aria_label?: string | null; attr_aria_labelledby?: string | null; arity?: number | null; path_index?: number | null };
  ElementLook: { font?: string; font_size: number; font_weight: number; line_height?: number; color: string; background: string; border_width: number; border_color?: string; radius: number; shadow: number };
  Elements: Schemas['Element'][];
  Email2: string;
  Email: Schemas['Email2'] | null;
  EmbeddedCompany: { id: Schemas['Id']; created_at?: string; uid?: string; [key: string]: unknown };
  EmbeddedProfile: { id: Schemas['Id']; created_at?: string; updated_at?: string; uid?: string; company?: Schemas['EmbeddedCompany']; [key: string]: unknown };
  EmptyStateContent: string | null;
  Enabled: 'off' | 'on' | 'subdomain' | true | false | null;
  EventName: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; uid: string; kind: 'tracked' | 'custom'; source: string | null; published_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp']; filters: unknown[]; content_summary: string | null; dashboard_url: string; definition: Schemas['ShownEventDefinition']; hidden: boolean };
  ExcludedSegmentId: string | null;
  Expand2: { company?: 'all' | 'min' | 'skip' };
  Expand3: { company?: 'all' | 'min' | 'skip' };
  Expand4: { profile?: 'all' | 'min' | 'skip'; company?: 'all' | 'min' | 'skip' };
  Expand: { profile?: 'all' | 'min' | 'skip'; company?: 'all' | 'min' | 'skip' };
  Experience2: { id: Schemas['Id']; created_at: string; updated_at: string; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; state: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived'; paused_at: Schemas['NullableTimestamp']; has_unpublished_changes: boolean; name: string; position: number; segment_ids: Schemas['ListOfId']; segments_op: 'and' | 'or'; excluded_segment_ids: Schemas['ListOfId']; url_group_ids: Schemas['ListOfId']; tag_ids: Schemas['ListOfId']; theme_id: Schemas['NullableId']; published_at: Schemas['NullableTimestamp']; published_until: Schemas['NullableTimestamp']; archived_at: Schemas['NullableTimestamp']; rate_unlimit_at: Schemas['NullableTimestamp']; experiment_at: Schemas['NullableTimestamp']; experiment_range: string | null; goal: string | null; goals: ({ id: Schemas['Id']; goal_id: Schemas['NullableId']; primary: boolean; name: string; kind: 'event' | 'segment' | 'property' | 'experience'; event_name: string | null; segment_id: Schemas['NullableId']; experience_id: Schemas['NullableId']; experience_state: 'started' | 'completed' | 'exited' | 'displayed' | null; filters: Schemas['Filter2'][]; sum_property: string | null; within_days: number | null })[]; without_consent: boolean; repeat_days: number | null; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; title?: string | null; description?: string | null; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: string | null; trigger_text?: string | null; icon_size?: number | null; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: string | null; shortcut?: string | null; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: string | null; quantifier_urls?: Schemas['QuantifierUrls']; blocked_domains?: string[]; preset?: string | null; search_placeholder?: string | null; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: number | null; segment_id: Schemas['NullableId']; tags: Schemas['ListOfTag']; url_groups: ({ id: Schemas['Id']; name: string; short_name: string | null; urls: { id: Schemas['Id']; host: string }[] })[]; content_summary: string | null; audience_summary: string; dashboard_url: string; public_page_url?: string | null; stats: Schemas['ExperienceStatsSchema']; steps: Schemas['ListOfStep']; items?: Schemas['ListOfListItem'] };
  Experience3: { kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; id: Schemas['Id'] };
  Experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string };
  ExperienceId2: string | null;
  ExperienceId: string | null;
  ExperienceStatsSchema: { started_count: number; completed_count: number; exited_count: number; displayed_count: number; last_started_at: Schemas['NullableTimestamp']; last_completed_at: Schemas['NullableTimestamp']; last_exited_at: Schemas['NullableTimestamp']; last_displayed_at: Schemas['NullableTimestamp'] };
  ExperienceTranslations: { experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; updated_at: string }; languages: ({ code: string; direction: 'ltr' | 'rtl'; texts_count: number; translated_count: number; inherited_count: number; outdated_count: number; unreviewed_count: number })[]; steps: ({ id: Schemas['Id']; name: string | null; texts: { model_id: Schemas['Id']; field: string; key: string; is_markdown: boolean; max_length: number; is_shown: boolean; text: string; translations: Record<string, { text: string; is_outdated: boolean; is_reviewed: boolean }>; inherited: Record<string, { code: string; text: string }> }[] })[] };
  Experiences2: Schemas['Experience3'][];
  Experiences3: Schemas['Experience3'][];
  Experiences: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; is_in_draft: boolean })[];
  ExperimentRange: string | null;
  ExplainTourRequest: { profile_id?: Schemas['Id']; uid?: Schemas['Uid']; email?: Schemas['Email2']; href: string };
  ExplainTourResponse: { explanation: { draft: Schemas['Draft']; live: Schemas['Draft'] | null; experiment: { id: Schemas['Id']; name: string; variant_id: Schemas['Id']; variant_name: string; exposed_at: Schemas['NullableTimestamp']; message: string } | null } };
  File: string;
  Filter2: Record<string, unknown>;
  Filter3: string;
  Filter: { kind?: Schemas['Kind']; prop?: string; op?: string; value?: unknown; mod?: string; range?: unknown; cond?: 'gt-d' | 'lt-d'; int?: number; filters?: Record<string, unknown>[]; filters_op?: 'and' | 'or' };
  Filters2: Schemas['Filter'][];
  Filters3: Schemas['Filter'][];
  Filters: Schemas['Filter'][];
  FollowUpDelay: number | null;
  ForgetProfileResponse: { profile: Schemas['Account']; deletion: Schemas['Account']; warnings?: Schemas['Warnings'] };
  FoundCompanies: { companies: ({ id: Schemas['Id']; uid: string; name: string | null; created_at: string; updated_at: string; profiles_count: number })[]; is_complete: boolean; cursor: Schemas['Cursor'] };
  FoundPeople: { profiles: Schemas['PersonSummary'][]; is_complete: boolean; cursor: Schemas['Cursor'] };
  GetCompanyResponse: { company: { id: Schemas['Id']; created_at: string; updated_at: string; uid: string; [key: string]: unknown } };
  GetDeliveryResponse: { delivery: Schemas['Delivery'] };
  GetProfileResponse: { profile: Schemas['Profile'] };
  GetSegmentCountingResponse: { counting: Schemas['Counting'] };
  GetThemeVersionResponse: { version: { id: Schemas['Id']; created_at: string; updated_at: string; experience_id: Schemas['Id']; change_id: Schemas['Id']; published_at: string; live: boolean; user: Schemas['NullableUser']; document: Record<string, unknown>; translations: Record<string, unknown> } };
  GetTourDiffResponse: { diff: { hash: string; summary: Schemas['ChangeSummary'] } };
  GetTourGoalsResponse: { results: { from: string; until: string; counted_at: Schemas['NullableTimestamp']; counting: Schemas['Counting']; events_since: string; people: number | null; goals: ({ id: Schemas['Id']; goal_id: Schemas['NullableId']; primary: boolean; name: string; kind: 'event' | 'segment' | 'property' | 'experience'; event_name: string | null; segment_id: Schemas['NullableId']; experience_id: Schemas['NullableId']; experience_state: 'started' | 'completed' | 'exited' | 'displayed' | null; filters: Schemas['Filter2'][]; sum_property: string | null; within_days: number | null; people: number | null; sum: number | null; is_partial: boolean })[] } };
  GetTourStatsResponse: { stats: { from: string; until: string; totals: Schemas['Totals2']; days: Schemas['Days2']; before: { from: string; until: string; totals: Schemas['Totals2']; days: Schemas['Days2'] }; marks: ({ what: 'published' | 'paused' | 'ended' | 'archived' | 'restored'; day: string; at: string; change_id: Schemas['Id'] })[]; flow_from: string | null; steps: ({ id: Schemas['Id']; seen: number; flow: { reached: number; left: number; exited: number; snoozed: number; back: number; seconds: number | null } | null; buttons: { id: Schemas['Id']; clicked: number; completed?: number }[] })[]; answers: ({ step_id: Schemas['NullableId']; button_id: Schemas['NullableId']; value: string | null; count: number })[]; nps: { score: number; promoters: number; passives: number; detractors: number; count: number } | null; scores: ({ step_id: Schemas['Id']; kind: 'nps' | 'csat' | 'ces'; values: Schemas['Values']; weeks: { day: string; values: Schemas['Values'] }[] })[]; questions: ({ step_id: Schemas['Id']; title: string | null; kind: Schemas['Kind2']; options: { id: string; text: string; count: number; is_removed: boolean }[]; written: number })[] } };
  GetTourStepButtonResponse: { button: Schemas['Button'] };
  GetTourStepResponse: { step: Schemas['Step'] };
  GoalPeople: { people: ({ profile: Schemas['PersonSummary']; first_seen_at: string; met_at: Schemas['NullableTimestamp']; value: number | null })[]; is_complete: boolean; cursor: Schemas['Cursor'] };
  Goals: ({ id?: string; goal_id?: string | null; primary?: boolean; name?: string; kind?: 'event' | 'segment' | 'property' | 'experience'; event_name?: string | null; segment_id?: Schemas['SegmentId']; experience_id?: Schemas['ExperienceId']; experience_state?: 'started' | 'completed' | 'exited' | 'displayed' | null; filters?: Schemas['Filter'][]; sum_property?: Schemas['SumProperty']; within_days?: Schemas['WithinDays'] })[];
  GroupKind: 'link' | 'api_js' | 'launcher' | 'experiment' | 'campaign' | 'delivery' | null;
  IconSize: number | null;
  Id2: string;
  Id: string;
  IdHeader: string | null;
  IdempotencyKey2: string | null;
  IdempotencyKey: string;
  Import: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; kind: 'tag_csv' | 'tag_filters' | 'update_csv' | 'delete_csv' | 'delete_filters'; model_kind: 'profile' | 'company'; tag_import_id: Schemas['NullableId']; tag: string | null; on_model_missing: 'create' | 'ignore'; head_columns: string[] | null; import_at: Schemas['NullableTimestamp']; dry_run: boolean; properties: Schemas['Properties']; filters: Record<string, unknown>[]; filters_op: 'and' | 'or'; segment_ids: Schemas['ListOfId']; segments_op: 'and' | 'or'; excluded_segment_ids: Schemas['ListOfId']; user: Schemas['NullableUser']; stats: { data_size: number | null; rows_count: number | null; last_row: number; last_import_state: 'started' | 'completed' | 'retrying' | 'error' | null; last_import_error: string | null; last_import_at: Schemas['NullableTimestamp']; last_import_elapsed: number | null; is_dry_run: boolean; created_count: number; updated_count: number; deleted_count: number; ignored_count: number; failed_count: number } };
  Interruptions: { people: number; median: number | null; p90: number | null; max: number | null; buckets: ({ least: number; most: number | null; people: number })[] };
  Invitation: { id: Schemas['Id']; created_at: string; updated_at: string; role: Schemas['Role']; note: string | null; expires_at: string; user: Schemas['NullableUser'] };
  Item: { id?: string; kind?: Schemas['Kind']; prop?: string; op?: string; value?: unknown; mod?: string; range?: unknown; cond?: 'gt-d' | 'lt-d'; int?: number; filters?: Record<string, unknown>[]; filters_op?: 'and' | 'or' };
  Items2: Schemas['Item'][];
  Items3: ({ id?: Schemas['Id2']; kind?: 'url' | 'tour' | 'survey' | 'script' | 'divider'; title?: Schemas['Title']; description?: Schemas['Description3']; url?: string | null; campaign_id?: string | null; segment_id?: Schemas['SegmentId']; completed_when?: Schemas['Filter'][]; completed_when_op?: 'and' | 'or'; visible_when?: Schemas['Filter'][]; visible_when_op?: 'and' | 'or'; hide?: boolean; action_script?: string | null })[];
  Items: { id: string; [key: string]: unknown }[];
  Kind2: 'single' | 'multiple' | 'stars' | 'scale' | 'text' | 'long_text' | 'email' | 'date' | 'consent';
  Kind3: 'ping' | 'response.finished' | 'tour.started' | 'tour.completed' | 'tour.exited' | 'tour.snoozed' | 'tour.button.clicked' | 'survey.started' | 'survey.completed' | 'survey.exited' | 'survey.snoozed' | 'survey.button.clicked' | 'embed.started' | 'embed.completed' | 'embed.exited' | 'embed.snoozed' | 'embed.button.clicked' | 'delivery.triggered' | 'experience.target_missing' | 'alert.triggered';
  Kind: 'property' | 'event' | 'tour' | 'survey' | 'segment' | 'group' | 'action' | 'intercom';
  Known: { id: string; file: Schemas['File']; parts?: Schemas['Parts'] };
  LabelHigh: string | null;
  LabelLow: string | null;
  Language2: string;
  Language: { id: Schemas['Id']; created_at: string; updated_at: string; code: string };
  LanguageCode: string;
  Light: { button?: Schemas['ElementLook']; heading?: Schemas['ElementLook']; card?: Schemas['ElementLook']; link?: Schemas['ElementLook'] };
  Limit: number;
  ListCompaniesResponse: { companies: Schemas['EmbeddedCompany'][]; cursor: Schemas['Cursor'] };
  ListFilesResponse: { files: { file: string; id: Schemas['Id']; name: string; version: string; is_archived: boolean; parts: Record<string, unknown>; content: Record<string, unknown> }[]; schemas: Record<string, unknown> };
  ListFunnelPeopleResponse: { people: Schemas['Sample'][]; is_complete: boolean; cursor: Schemas['Cursor'] };
  ListInteractionsResponse: { interactions: Schemas['TourInteraction'][]; cursor: Schemas['OrderedCursor'] };
  ListItem: { id: Schemas['Id']; position: number; kind: 'url' | 'tour' | 'survey' | 'script' | 'divider'; title: string | null; description: string | null; url: string | null; campaign_id: Schemas['NullableId']; segment_id: Schemas['NullableId']; completed_when: Schemas['Filter2'][]; completed_when_op: 'and' | 'or'; visible_when: Schemas['Filter2'][]; visible_when_op: 'and' | 'or'; hide: boolean; action_script: string | null };
  ListOfExperience: Schemas['Experience2'][];
  ListOfExplainedReason: ({ rule: 'page' | 'disabled' | 'live' | 'environment' | 'blocked' | 'url' | 'manual' | 'event' | 'segments' | 'excluded' | 'variant' | 'holdout' | 'experiment' | 'snoozed' | 'seen' | 'responses' | 'limit' | 'another' | 'from' | 'until' | 'once'; message: string; field: string | null })[];
  ListOfId2: Schemas['Id'][];
  ListOfId3: Schemas['Id'][];
  ListOfId4: Schemas['Id'][];
  ListOfId5: Schemas['Id'][];
  ListOfId6: Schemas['Id'][];
  ListOfId7: Schemas['Id'][];
  ListOfId8: Schemas['Id'][];
  ListOfId9: Schemas['Id'][];
  ListOfId: Schemas['Id'][];
  ListOfLastUpdate: { id: Schemas['Id']; updated_at: string; user: Schemas['NullableOpenEditor'] }[];
  ListOfListItem: Schemas['ListItem'][];
  ListOfNullableId: Schemas['NullableId'][];
  ListOfOpenEditor: Schemas['OpenEditor'][];
  ListOfPageElement: Schemas['PageElement'][];
  ListOfPictureUse: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; draft: boolean; published: boolean; history: boolean })[];
  ListOfResponse: Schemas['Response'][];
  ListOfSecret: Schemas['Secret'][];
  ListOfStep: Schemas['Step'][];
  ListOfTag: Schemas['Tag'][];
  ListOfUrl: Schemas['Url'][];
  ListOfUrlGroup: Schemas['UrlGroup'][];
  ListProfilesResponse: { profiles: Schemas['EmbeddedProfile'][]; cursor: Schemas['Cursor'] };
  ListResponsesResponse: { responses: Schemas['ListOfResponse']; is_complete?: boolean; cursor: Schemas['OrderedCursor'] };
  ListThemeChangesResponse: { changes: ({ id: Schemas['Id']; created_at: string; updated_at: string; experience_id: Schemas['Id']; model_id: Schemas['Id']; model_type: 'Campaign' | 'List' | 'Tooltip' | 'Step' | 'Button' | 'ListItem' | 'Theme'; kind: 'create' | 'update' | 'destroy' | 'raw' | 'partial' | 'related' | 'revert' | 'apply'; path: string; object: Record<string, unknown>; options: Record<string, unknown[]>; user: Schemas['User'] })[]; cursor: Schemas['Cursor'] };
  ListThemeVersionsResponse: { versions: { id: Schemas['Id']; created_at: string; updated_at: string; experience_id: Schemas['Id']; change_id: Schemas['Id']; published_at: string; live: boolean; user: Schemas['NullableUser'] }[]; cursor: Schemas['Cursor'] };
  ListTourAnswerTextsResponse: { texts: ({ id: Schemas['Id']; created_at: string; step_id: Schemas['Id']; text: string; answer: string | null; score: number | null; profile: Schemas['Sample'] })[]; cursor: Schemas['Cursor'] };
  ListTourProblemsResponse: { problems: ({ step_id: Schemas['Id']; path: string; reason: 'not_found' | 'text_differs' | 'hidden' | 'covered' | 'ambiguous' | 'no_shadow_root' | 'bad_selector' | 'error'; users_count: number; share: number; browsers: ({ browser: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other'; users_count: number; share: number })[]; first_seen_at: string; last_seen_at: string })[] };
  ListTourSketchesResponse: { sketches: Schemas['StepSketch'][] };
  ListTourStepsResponse: { steps: Schemas['ListOfStep'] };
  ListTourTranslationsResponse: { translations: Schemas['ExperienceTranslations'] };
  ListTourUsesResponse: { uses: { experiences: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; published: boolean })[]; pending_deliveries: number; limit_groups: Schemas['ListOfOpenEditor']; alert_groups: Schemas['ListOfOpenEditor']; webhooks: { id: Schemas['Id']; url: string }[]; segments: Schemas['ListOfOpenEditor'] } };
  ListedExperience: { id: Schemas['Id']; created_at: string; updated_at: string; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; state: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived'; paused_at: Schemas['NullableTimestamp']; has_unpublished_changes: boolean; name: string; sketch: Schemas['Sketch']; position: number; segment_ids: Schemas['ListOfId']; excluded_segment_ids: Schemas['ListOfId']; url_group_ids: Schemas['ListOfId']; tag_ids: Schemas['ListOfId']; published_at: Schemas['NullableTimestamp']; published_until: Schemas['NullableTimestamp']; archived_at: Schemas['NullableTimestamp']; changed_by: Schemas['NullableUser']; stats: Schemas['ExperienceStatsSchema']; trend?: number[] };
  LoadSampleDataResponse: { sample_data: Schemas['SampleData']; warnings?: Schemas['Warnings'] };
  MaxSeconds: number | null;
  MaxSteps: number | null;
  ModelId: string;
  MoveExperienceByPutRequest: { id: string; before_id?: string; after_id?: string };
  MoveExperienceByPutResponse: { experience: Schemas['ListedExperience']; warnings?: Schemas['Warnings'] };
  Name: string;
  Next: ({ when?: { step_id?: string; op?: Schemas['Op']; value?: string | string[] | null; filters?: Schemas['Filter'][] } | null; go: string })[];
  Note: string | null;
  NullableChangeSummary: Schemas['ChangeSummary'] | null;
  NullableId: Schemas['Id'] | null;
  NullableOpenEditor: Schemas['OpenEditor'] | null;
  NullablePageElement: Schemas['PageElement'] | null;
  NullablePageLooks: { light?: Schemas['Light']; dark?: Schemas['Light'] } | null;
  NullablePickResult: { elements: { selector?: string; text?: string; shadow_selector?: Schemas['ShadowSelector'] }[]; candidates: ({ selector?: string; text?: string; shadow_selector?: Schemas['ShadowSelector']; score: number; kind: 'token' | 'text' | 'positional'; matches: number })[]; attribute?: string; language?: string; box: { x: number; y: number; width: number; height: number }; wireframe: { width: number; height: number; boxes: { x: number; y: number; width: number; height: number; fill?: string; text?: string; color?: string; target?: boolean }[] }; sketch?: Schemas['PageSketch'] } | null;
  NullableTime: Schemas['Time'] | null;
  NullableTimestamp: string | null;
  NullableUser: Schemas['User'] | null;
  Object: { name: string; description: string | null; value: unknown } | null;
  Op: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'contains' | 'answered' | 'not_answered';
  OpenEditor: { id: Schemas['Id']; name: string };
  Option2: string;
  Option: string;
  Options2: Schemas['Option'][];
  Options3: Schemas['Option2'][];
  Options: Record<string, unknown> | null;
  Order2: 'created_at' | 'updated_at' | 'highest_score' | 'lowest_score';
  Order: 'created_at' | 'position' | 'name' | 'updated_at' | 'started_count';
  OrderedCursor: { limit: number; before: string | null; after?: string | null };
  OtherText: string | null;
  Page: { href: string; title: string | null } | null;
  PageElement: { selector: string | null; text: string | null; shadow_selector: string | null; description?: string | null; use?: string[] | null; path?: string | null; tag?: string | null; attr_id?: string | null; attr_class?: string | null; attr_href?: string | null; attr_title?: string | null; attr_type?: string | null; attr_name?: string | null; attr_data?: string | Record<string, string> | null; attr_aria_label?: string | null; attr_aria_labelledby?: string | null; arity?: number | null; path_index?: number | null };
  PageSketch: { width: number; height: number; colors: string[]; target: number[]; boxes: number[][] };
  Params: Record<string, unknown>;
  Parts: Record<string, unknown>;
  People: { shown: number; completed: number; exited: number };
  PersonSummary: { id: Schemas['Id']; uid: string; email: string | null; name: string | null; company: Schemas['Company']; created_at: string; last_seen_at: Schemas['NullableTimestamp']; last_seen_session_count: number; is_test: boolean };
  PickOutput: { id: Schemas['Id']; created_at: string; purpose: 'pick' | 'try' | 'theme' | 'event'; state: 'waiting' | 'opened' | 'picked' | 'ended' | 'expired'; experience_id: Schemas['NullableId']; theme_id: Schemas['NullableId']; event_name_id: Schemas['NullableId']; step_id: Schemas['NullableId']; href: string; page: Schemas['Page']; result: Schemas['NullablePickResult']; looks: Schemas['NullablePageLooks']; expires_at: string };
  Picture2: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; path: string; type: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif'; width: number; height: number; size: number; unused_at: Schemas['NullableTimestamp'] };
  Picture: string | null;
  PictureAlt: string | null;
  PingWebhookResponse: { item: Schemas['WebhookItem']; warnings?: Schemas['Warnings'] };
  Placeholder: string | null;
  Position: number;
  Profile: { id: Schemas['Id']; created_at: string; updated_at: string; uid: string; anonymous?: true; email: string | null; company_id?: Schemas['Id']; browser_x: number | null; browser_tz: number | null; browser_l: string | null; browser_n: Schemas['BrowserN']; browser_k: 'desktop' | 'mobile' | null; percent: number; last_seen_at: Schemas['NullableTimestamp']; last_seen_session_count: number; delivery_ids: Schemas['ListOfId']; last_cleared_at: Schemas['NullableTimestamp']; company?: Schemas['EmbeddedCompany']; [key: string]: unknown };
  ProfileInput: { id?: Schemas['Id']; uid?: Schemas['Uid']; email?: Schemas['Email']; company?: Schemas['CompanyInput'] | null; company_id?: Schemas['NullableId']; company_uid?: string | null; [key: string]: unknown };
  ProfileTruncated: true;
  Properties2: { name: string; prop: string }[];
  Properties3: string[];
  Properties: { name: string; prop: string }[];
  Property: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; kind: 'profile' | 'event' | 'company'; prop: string; integration: string | null; last_seen_at: Schemas['NullableTimestamp']; types: string[]; values: unknown[]; hidden: boolean };
  Proposal: { id: Schemas['Id']; created_at: string; updated_at: string; state: 'open' | 'approved' | 'rejected'; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; experience_id: Schemas['NullableId']; is_new: boolean; name: string; note: string | null; is_outdated: boolean; secret: Schemas['NullableOpenEditor']; user: Schemas['User']; decided_at: Schemas['NullableTimestamp']; decided_by: Schemas['NullableUser']; reason: string | null; experience: Record<string, unknown> };
  ProposeNewTourRequest: { name: string; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; title?: Schemas['Title']; description?: Schemas['Description3']; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: Schemas['Trigger']; trigger_text?: Schemas['TriggerText']; icon_size?: Schemas['IconSize']; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: Schemas['BadgeText']; shortcut?: Schemas['Shortcut']; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: Schemas['EmptyStateContent']; quantifier_urls?: Schemas['QuantifierUrls2']; blocked_domains?: Schemas['BlockedDomains']; preset?: string | null; search_placeholder?: Schemas['SearchPlaceholder']; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: Schemas['ReservedHeight']; steps?: Schemas['Steps2']; items?: Schemas['Items3']; note?: Schemas['Note'] };
  ProposeNewTourResponse: { proposal: Schemas['Proposal']; warnings?: Schemas['Warnings'] };
  ProposeTourChangeRequest: { name?: string; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; title?: Schemas['Title']; description?: Schemas['Description3']; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: Schemas['Trigger']; trigger_text?: Schemas['TriggerText']; icon_size?: Schemas['IconSize']; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: Schemas['BadgeText']; shortcut?: Schemas['Shortcut']; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: Schemas['EmptyStateContent']; quantifier_urls?: Schemas['QuantifierUrls2']; blocked_domains?: Schemas['BlockedDomains']; preset?: string | null; search_placeholder?: Schemas['SearchPlaceholder']; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: Schemas['ReservedHeight']; steps?: Schemas['Steps2']; items?: Schemas['Items3']; note?: Schemas['Note'] };
  PublishCheck: { problems: { path: string; message: string }[]; warnings: ({ code: 'no_url_rule' | 'reaches_everyone' | 'element_not_seen' | 'unlikely_trigger' | 'already_completed' | 'untranslated' | 'no_alt_text' | 'others_first' | 'same_page' | 'imported_step' | 'unsupported_action' | 'unsupported_filter' | 'event_unknown' | 'event_not_sent' | 'many_interruptions'; message: string; path: string; experience_ids: Schemas['ListOfId'] })[]; summary: Schemas['ChangeSummary']; reach: { now: number; before: number | null; is_complete: boolean; estimate: { now: number; before: number | null } }; interruptions: { adds: number; weeks: number; people: number; median: number | null; max: number | null; busy_people: number; many: number; is_complete: boolean } | null };
  PublishTourRequest: { hash: string; published_at?: Schemas['Time'] };
  QuantifierUrls2: ({ url: string; match_type?: 'simple' | 'exact' | 'regex' | 'inverse_simple' | 'inverse_exact' })[];
  QuantifierUrls: ({ url: string; match_type: 'simple' | 'exact' | 'regex' | 'inverse_simple' | 'inverse_exact' })[];
  Question: { required?: boolean; error_text?: string | null; options?: { id: string; text: string }[]; other_text?: Schemas['OtherText']; random_order?: boolean; min_choices?: number | null; max_choices?: number | null; min?: number | null; max?: number | null; look?: 'numbers' | 'emoji' | null; min_length?: number | null; max_length?: number | null; label?: string | null; property?: string | null; kind: Schemas['Kind2'] } | null;
  RateLimitKind: '1h' | '2h' | '4h' | '1d' | '7d' | '30d' | '91d' | '182d' | '365d' | null;
  ReplaceTourWithFileResponse: { experience: Schemas['Experience2']; warnings?: Schemas['Warnings'] };
  ReservedHeight: number | null;
  Response: { id: Schemas['Id']; created_at: string; updated_at: string; survey_id: Schemas['Id']; profile_id: Schemas['Id']; href: string | null; source: 'page' | 'link'; button_id: Schemas['NullableId']; button_text: string | null; button_order: number | null; input_text: string | null; dropdown_items: string[] | null; other_text: string | null; last_dropdown_items: string[] | null; comment_step_input_text2: string | null; comment_step_dropdown_items: string[] | null; comment_step_other_text: string | null; comment_step_dropdown_items2: string[] | null; comment_step_other_text2: string | null; comment_step_buttons_selected: string[] | null; comment_step_buttons_selected2: string[] | null; finished_at: Schemas['NullableTimestamp']; answers: ({ step_id: Schemas['NullableId']; button_id: Schemas['NullableId']; button_text: string | null; button_order: number | null; input_text: string | null; dropdown_items: string[] | null; other_text: string | null; option_ids: string[] | null })[]; profile: Schemas['EmbeddedProfile']; details?: { score: number | null; comment: string | null; language: string | null; tags: string[]; link_id: string | null; segment_ids: Schemas['ListOfId']; properties: Record<string, unknown> } };
  RevertThemeRequest: { change_id?: Schemas['Id']; version_id?: Schemas['Id'] };
  Role: 'owner' | 'editor' | 'translator' | 'viewer';
  Sample: { id: Schemas['Id']; uid: string; email: string | null; name: string | null; test: boolean };
  SampleData: { loaded_at: Schemas['NullableTimestamp']; can_load: boolean; is_account_empty: boolean; counts: { profiles: number; companies: number; segments: number; experiences: number; tags: number; properties: number; url_groups: number; urls: number }; experience_ids: Schemas['ListOfId'] };
  SaveFunnelPeopleResponse: { segment: Schemas['Segment']; people_count: number | null; warnings?: Schemas['Warnings'] };
  SaveTourPeopleRequest: { what: Schemas['What']; part_id?: string; options?: Schemas['Option2'][]; from?: Schemas['Time']; until?: Schemas['Time']; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: string; name: string };
  SavedReport: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; kind: 'overview' | 'adoption' | 'funnel'; params: Schemas['Params']; dashboard_url: string };
  Scope: 'read' | 'ingest' | 'propose' | 'edit' | 'all';
  ScreenPosition2: 'center' | 'top' | 'bottom' | 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right' | 'slideout_bottom_start' | 'slideout_bottom_end' | 'slideout_middle_start' | 'slideout_middle_end';
  ScreenPosition: 'center' | 'top' | 'bottom' | 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right';
  SearchPlaceholder: string | null;
  SecondaryTrigger: 'click' | 'hover' | 'time_on_page' | 'smart_delay' | 'input' | 'exit_intent' | 'scroll_percent' | 'custom_trigger' | null;
  Secret: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; scope: Schemas['Scope']; people: boolean; expires_at: Schemas['NullableTimestamp']; networks: string[] | null; last_used_at: Schemas['NullableTimestamp']; parent_id: Schemas['NullableId']; user: Schemas['User'] };
  SeenUpdatedAt: string;
  Segment: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; items: Schemas['Items']; items_op: 'and' | 'or'; unsupported_kinds?: ('action' | 'intercom')[] };
  SegmentId2: string | null;
  SegmentId: string | null;
  SendCompaniesRequest: { companies: Schemas['CompanyInput'][]; on_model_missing?: 'create' | 'ignore' };
  SendCompanyResponse: { company: Schemas['Account'] };
  SendEventRequest: { id?: Schemas['Id']; uid?: Schemas['Uid']; name: Schemas['Name']; idempotency_key?: Schemas['IdempotencyKey']; [key: string]: unknown };
  SendEventResponse: { event: Schemas['Account'] };
  SendEventsRequest: { events: { id?: Schemas['Id']; uid?: Schemas['Uid']; name: Schemas['Name']; idempotency_key?: Schemas['IdempotencyKey']; occurred_at?: Schemas['Time']; [key: string]: unknown }[] };
  SendProfileResponse: { profile: Schemas['Account'] };
  SendProfilesRequest: { profiles: Schemas['ProfileInput'][]; on_model_missing?: 'create' | 'ignore' };
  SendProfilesResponse: { batch: Schemas['Account']; errors?: { code: number; index: number; message: string }[] };
  ShadowSelector: string;
  SharedGoal: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; kind: 'event' | 'segment' | 'property' | 'experience'; event_name: string | null; segment_id: Schemas['NullableId']; experience_id: Schemas['NullableId']; experience_state: 'started' | 'completed' | 'exited' | 'displayed' | null; filters: Schemas['Filter2'][]; sum_property: string | null; within_days: number | null; description: string | null; archived_at: Schemas['NullableTimestamp']; dashboard_url: string };
  ShortName: string | null;
  Shortcut: string | null;
  ShownAlertGroup: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; kind: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids: Schemas['ListOfId']; campaign_ids: Schemas['ListOfId']; experience_ids: Schemas['ListOfId']; interval: number; style: 'unseen' | 'uncompleted'; published_at: Schemas['NullableTimestamp']; last_notified_at: Schemas['NullableTimestamp'] };
  ShownEventDefinition: { kind: 'click' | 'page'; elements: Schemas['ListOfPageElement']; quantifier_urls: Schemas['QuantifierUrls']; url_group_ids: Schemas['ListOfId'] } | null;
  ShownExperiment: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; state: 'draft' | 'running' | 'ended'; variants: ({ id: Schemas['Id']; name: string; experience_id: Schemas['NullableId']; share: number; experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; live: boolean } | null })[]; segment_ids: Schemas['ListOfId']; segments_op: 'and' | 'or'; goal_ids: Schemas['ListOfId']; guardrail_goal_ids: Schemas['ListOfId']; window_days: number; smallest_change: number; started_at: Schemas['NullableTimestamp']; ended_at: Schemas['NullableTimestamp']; winner_variant_id: Schemas['NullableId']; dashboard_url: string };
  ShownLimitGroup: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; kind: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids: Schemas['ListOfId']; campaign_ids: Schemas['ListOfId']; experience_ids: Schemas['ListOfId']; rate_limit_size: number; rate_limit_kind: Schemas['RateLimitKind']; max_count: number; period_hours: number; max_steps: number | null; max_seconds: number | null };
  ShownOnce: string | null;
  ShownWebhook: { id: Schemas['Id']; created_at: string; updated_at: string; kind: 'webhook' | 'zapier_hook'; uid: string; name: string; topics: Schemas['Topics']; experience_ids: Schemas['ListOfId']; id_header: string | null; signature_header: string | null; enabled: boolean; secret_rotated_at: Schemas['NullableTimestamp']; failing_since: Schemas['NullableTimestamp']; last_item_at: Schemas['NullableTimestamp']; last_item_state: 'sent' | 'failing' | 'failed' | 'disabled' | null; last_item_error: string | null };
  SignatureHeader: string | null;
  Sketch: { place: 'center' | 'top' | 'bottom' | 'top_left' | 'top_right' | 'bottom_left' | 'bottom_right' | 'slideout_bottom_start' | 'slideout_bottom_end' | 'slideout_middle_start' | 'slideout_middle_end' | 'element' | 'inline'; side: 'auto' | 'top' | 'right' | 'bottom' | 'left'; has_backdrop: boolean; title_length: number; has_text: boolean; question: 'survey_two' | 'survey_three' | 'survey_four' | 'survey_five' | 'survey_nps' | 'survey_csat' | 'survey_ces' | 'survey_input' | 'survey_dropdown' | 'response' | 'thank_you' | null; buttons: number; parts: number; theme_id: Schemas['NullableId'] };
  SmallestChange: number;
  SnoozeChoices: ('1h' | '4h' | '1d' | '3d' | '7d' | '14d' | '30d')[];
  SnoozeHours: number | null;
  Splits: { splits: { value: string; totals: Schemas['Totals2']; scores: { step_id: Schemas['Id']; value: number; count: number }[] }[]; cursor: { after: Schemas['NullableId'] } };
  Stage: 'properties' | 'url_groups' | 'event_names' | 'urls' | 'tags' | 'companies' | 'profiles' | 'segments' | 'goals' | 'themes' | 'experiences' | 'translations' | 'publishing' | 'updates' | 'limit_groups' | 'alert_groups' | 'interactions' | 'responses' | 'deliveries' | 'webhooks' | 'totals';
  Step2: { kind?: 'event' | 'experience'; name?: string; filters?: Schemas['Filter'][]; experience_id?: string; state?: 'started' | 'completed' | 'exited' | 'displayed' };
  Step3: { id: Schemas['Id']; index: number; preset: string | null; body: string | null } | null;
  Step: { id: Schemas['Id']; position: number; title: string | null; body: string | null; picture: string | null; picture_alt: string | null; video_url: string | null; media_position: 'above' | 'left' | 'right' | 'full_bleed'; dismiss_text: string | null; preset: 'survey_two' | 'survey_three' | 'survey_four' | 'survey_five' | 'survey_nps' | 'survey_csat' | 'survey_ces' | 'survey_input' | 'survey_dropdown' | 'response' | 'thank_you' | null; question: { kind: Schemas['Kind2']; required: boolean; error_text: string | null; options: { id: string; text: string }[]; other_text: string | null; random_order: boolean; min_choices: number | null; max_choices: number | null; min: number | null; max: number | null; look: 'numbers' | 'emoji' | null; min_length: number | null; max_length: number | null; label: string | null; property: string | null } | null; dropdown_items: string[]; label_low: string | null; label_high: string | null; placeholder: string | null; other_text: string | null; next: ({ when: { step_id?: string; op?: Schemas['Op']; value?: string | string[] | null; filters?: Record<string, unknown>[] } | null; go: string })[]; step_trigger: 'page_load' | 'element_match' | 'element_not_match' | 'event'; trigger_event: { name: string; filters: Schemas['Filter2'][]; delay_seconds: number; within_seconds: number } | null; secondary_trigger: Schemas['SecondaryTrigger']; trigger_delay: number | null; trigger_scroll_percent: number | null; custom_trigger: string | null; position_type: 'relative_to_screen' | 'snap_to_element' | 'snap_to_trigger' | 'inline'; screen_position: Schemas['ScreenPosition2']; placement: 'auto' | 'top' | 'right' | 'bottom' | 'left'; backdrop: boolean; hotspot: boolean; elements: Schemas['ListOfPageElement']; quantifier_urls: Schemas['QuantifierUrls']; snooze_hours: number | null; snooze_choices: ('1h' | '4h' | '1d' | '3d' | '7d' | '14d' | '30d')[]; trigger_element: Schemas['NullablePageElement']; position_element: Schemas['NullablePageElement']; exit_element: Schemas['NullablePageElement']; trigger_additional_element: Schemas['NullablePageElement']; trigger_secondary_element: Schemas['NullablePageElement']; step_additional_trigger: string | null; follow_up_delay: number | null; buttons: Schemas['Button'][] };
  StepSketch: { step_id: Schemas['Id']; updated_at: string; elements: Record<string, string>[]; sketch: Schemas['PageSketch'] };
  Steps2: ({ id?: Schemas['Id2']; title?: Schemas['Title']; body?: Schemas['Body']; picture?: Schemas['Picture']; picture_alt?: Schemas['PictureAlt']; video_url?: Schemas['VideoUrl']; media_position?: 'above' | 'left' | 'right' | 'full_bleed'; dismiss_text?: Schemas['DismissText']; preset?: 'survey_two' | 'survey_three' | 'survey_four' | 'survey_five' | 'survey_nps' | 'survey_csat' | 'survey_ces' | 'survey_input' | 'survey_dropdown' | 'response' | 'thank_you' | null; question?: Schemas['Question']; dropdown_items?: Schemas['DropdownItems']; label_low?: Schemas['LabelLow']; label_high?: Schemas['LabelHigh']; placeholder?: Schemas['Placeholder']; other_text?: Schemas['OtherText']; next?: Schemas['Next']; step_trigger?: 'page_load' | 'element_match' | 'element_not_match' | 'event'; trigger_event?: Schemas['TriggerEvent']; secondary_trigger?: Schemas['SecondaryTrigger']; trigger_delay?: Schemas['TriggerDelay']; trigger_scroll_percent?: Schemas['TriggerScrollPercent']; custom_trigger?: Schemas['CustomTrigger']; position_type?: 'relative_to_screen' | 'snap_to_element' | 'snap_to_trigger' | 'inline'; screen_position?: Schemas['ScreenPosition2']; placement?: 'auto' | 'top' | 'right' | 'bottom' | 'left'; backdrop?: boolean; hotspot?: boolean; elements?: Schemas['Elements']; quantifier_urls?: Schemas['QuantifierUrls2']; snooze_hours?: Schemas['SnoozeHours']; snooze_choices?: Schemas['SnoozeChoices']; trigger_element?: Schemas['Element'] | null; position_element?: Schemas['Element'] | null; exit_element?: Schemas['Element'] | null; trigger_additional_element?: Schemas['Element'] | null; trigger_secondary_element?: Schemas['Element'] | null; step_additional_trigger?: string | null; follow_up_delay?: Schemas['FollowUpDelay']; buttons?: Schemas['Buttons'] })[];
  Steps3: ({ people: number; share_of_first: number | null; share_of_previous: number | null; median_seconds: number | null })[];
  Steps4: Schemas['Step2'][];
  Steps5: Schemas['Step2'][];
  Steps: { used: number; most: number };
  StyleBackdropOpacity: string | null;
  StyleMotion: string | null;
  StyleProgress: string | null;
  StyleScale: string | null;
  StyleShadow: string | null;
  StyleShortNameColor: string | null;
  StyleWidth: string | null;
  SumProperty: string | null;
  Survey: { id: Schemas['Id']; created_at: string; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string | null; published_at: Schemas['NullableTimestamp']; segment_id: Schemas['NullableId']; user: Schemas['NullableUser']; steps: ({ id: Schemas['Id']; title: string | null; body: string | null; preset: string | null; dropdown_items: string[]; buttons: ({ id: Schemas['Id']; position: number; text: string | null })[] })[] };
  Tag: { id: Schemas['Id']; created_at: string; updated_at: string; uid: string; name: string; description: string | null; models_count: number; disabled_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp'] };
  TagId: string;
  TagIds: string[];
  Text: string | null;
  Theme: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; default: boolean; published_at: Schemas['NullableTimestamp']; has_unpublished_changes: boolean; css: string | null; variations: ({ name: string; filters: Record<string, unknown>[]; filters_op: 'and' | 'or'; overrides: Record<string, string> })[]; style_font: string | null; style_font_size: string | null; style_font_weight: string | null; style_line_height: string | null; style_title_font: string | null; style_title_font_size: string | null; style_title_font_weight: string | null; style_title_line_height: string | null; style_button_font: string | null; style_button_font_size: string | null; style_button_font_weight: string | null; style_button_line_height: string | null; style_radius: string | null; style_button_radius: string | null; style_border_width: string | null; style_width: string | null; style_spacing: string | null; style_highlight_width: string | null; style_shadow: string | null; style_backdrop_opacity: string | null; style_progress: string | null; style_scale: string | null; style_motion: string | null; style_color_background: string | null; style_color_text: string | null; style_color_title: string | null; style_color_link: string | null; style_color_border: string | null; style_color_button_highlight: string | null; style_color_button_text: string | null; style_color_button_hover: string | null; style_color_button_border: string | null; style_color_secondary_button_highlight: string | null; style_color_secondary_button_text: string | null; style_color_secondary_button_hover: string | null; style_color_secondary_button_border: string | null; style_color_dismiss: string | null; style_color_shroud: string | null; style_color_highlight: string | null; style_color_hotspot: string | null; style_color_icon: string | null; style_color_icon_background: string | null; style_color_progress: string | null; style_color_checkmark: string | null; style_color_timer: string | null; style_dark_color_background: string | null; style_dark_color_text: string | null; style_dark_color_title: string | null; style_dark_color_link: string | null; style_dark_color_border: string | null; style_dark_color_button_highlight: string | null; style_dark_color_button_text: string | null; style_dark_color_button_hover: string | null; style_dark_color_button_border: string | null; style_dark_color_secondary_button_highlight: string | null; style_dark_color_secondary_button_text: string | null; style_dark_color_secondary_button_hover: string | null; style_dark_color_secondary_button_border: string | null; style_dark_color_dismiss: string | null; style_dark_color_shroud: string | null; style_dark_color_highlight: string | null; style_dark_color_hotspot: string | null; style_dark_color_icon: string | null; style_dark_color_icon_background: string | null; style_dark_color_progress: string | null; style_dark_color_checkmark: string | null; style_dark_color_timer: string | null; content_summary: string | null; experiences_count: number; dashboard_url: string };
  ThemeId: string | null;
  Time: string;
  Title: string | null;
  Topic: 'ping' | 'response.finished' | 'tour.started' | 'tour.completed' | 'tour.exited' | 'tour.snoozed' | 'tour.button.clicked' | 'survey.started' | 'survey.completed' | 'survey.exited' | 'survey.snoozed' | 'survey.button.clicked' | 'embed.started' | 'embed.completed' | 'embed.exited' | 'embed.snoozed' | 'embed.button.clicked' | 'delivery.triggered' | 'experience.target_missing' | 'alert.triggered' | 'tour.*' | 'survey.*' | 'embed.*' | 'helpbar.search' | 'helpbar.item.action' | 'helpbar.item.error' | 'helpbar.answer' | 'demo.started' | 'demo.reveal' | 'demo.finished' | 'demo.form.submitted';
  Topics2: Schemas['Topic'][];
  Topics: Schemas['Topic'][];
  Totals2: { displayed: number; started: number; completed: number; exited: number; snoozed: number; goal: number };
  Totals: { shown: number; started: number; completed: number };
  Tour: { id: Schemas['Id']; created_at: string; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string | null; published_at: Schemas['NullableTimestamp']; segment_id: Schemas['NullableId'] };
  TourInteraction: { id: Schemas['Id']; created_at: string; updated_at: string; state: 'started' | 'completed' | 'exited' | 'displayed'; tour_id: Schemas['Id']; group_id: Schemas['NullableId']; group_kind: 'link' | 'api_js' | 'launcher' | 'experiment' | 'campaign' | null; defer_count: number; defer_until: Schemas['NullableTimestamp']; goal_at: Schemas['NullableTimestamp']; items?: { id: Schemas['Id']; completed_at: string }[]; profile: Schemas['EmbeddedProfile'] };
  TranslationFileAnswer: { id: Schemas['Id']; language: { code: string; options: string[] }; experiences: { id: Schemas['Id']; name: string; steps: { id: Schemas['Id']; translations: Record<string, { text: string }> }[] }[] };
  Trigger: string | null;
  TriggerDelay: number | null;
  TriggerEvent: { name: string; filters?: Schemas['Filter'][]; delay_seconds?: number; within_seconds?: number } | null;
  TriggerScrollPercent: number | null;
  TriggerText: string | null;
  Uid2: Schemas['Uid'] | null;
  Uid: string;
  UnplacedStep: { experience_id: Schemas['Id']; experience_kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; experience_name: string; step_id: Schemas['Id']; step_index: number; step_title: string | null };
  UpdateAccount: { name?: string; allow_scripts?: boolean; allow_globals?: boolean; allow_percent?: boolean; delivery_ids_limit?: number; require_uid_hash?: boolean; trust_pages?: boolean; anonymous_users?: boolean; anonymous_days?: number; who_may_publish?: 'editors' | 'owners'; record_paths?: boolean; holdout_percent?: number; holdout_until?: Schemas['NullableTime']; time_zone?: string; test_emails?: string[]; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateAccountByPutResponse: { account: Schemas['Account2']; warnings?: Schemas['Warnings'] };
  UpdateAdminByPutRequest: { role: Schemas['Role'] };
  UpdateAdminByPutResponse: { admin: Schemas['Admin']; warnings?: Schemas['Warnings'] };
  UpdateAlertGroup: { name?: string; interval?: number; kind?: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids?: Schemas['ListOfId6']; campaign_ids?: Schemas['ListOfId7']; experience_ids?: Schemas['ListOfId7']; style?: 'unseen' | 'uncompleted'; published_at?: Schemas['NullableTime']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateDeliveryByPutRequest: { model_kind?: 'tour' | 'survey'; model_id?: Schemas['ModelId']; profile_id?: Schemas['NullableId']; uid?: Schemas['Uid2']; email?: Schemas['Email']; idempotency_key?: Schemas['IdempotencyKey2']; options?: Schemas['Options']; from?: Schemas['NullableTime']; until?: Schemas['NullableTime']; use_segmentation?: boolean; once?: boolean; skip_triggers?: boolean; skip_url_match?: boolean; delivery_ids_limit?: number; delivery_ids_position?: Schemas['DeliveryIdsPosition']; delivery_ids_at_limit?: 'error' | 'drop' };
  UpdateEmbedByPutRequest: { name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: Schemas['ReservedHeight']; steps?: Schemas['Steps2']; url_group_id?: Schemas['UrlGroupId']; tag_id?: Schemas['TagId']; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateEventNameByPutRequest: { name?: string; description?: Schemas['Description']; hidden?: boolean; definition?: Schemas['Definition']; published_at?: Schemas['NullableTime'] };
  UpdateExperiencesByPutRequest: { ids: string[]; tag_id?: Schemas['TagId']; archived_at?: Schemas['NullableTime'] };
  UpdateExperiencesByPutResponse: { experiences: Schemas['ListedExperience'][]; warnings?: Schemas['Warnings'] };
  UpdateExperimentByPutRequest: { name?: string; variants?: Schemas['Variants']; description?: Schemas['Description2']; segment_ids?: Schemas['ListOfId3']; segments_op?: 'and' | 'or'; goal_ids?: Schemas['ListOfId4']; guardrail_goal_ids?: Schemas['ListOfId5']; window_days?: Schemas['WindowDays2']; smallest_change?: Schemas['SmallestChange']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateFoundProfileByPutRequest: { id?: Schemas['Id']; uid?: Schemas['Uid']; email?: Schemas['Email2']; test: boolean | null };
  UpdateGoalByPutRequest: { name?: string; kind?: 'event' | 'segment' | 'property' | 'experience'; event_name?: string | null; segment_id?: Schemas['SegmentId']; experience_id?: Schemas['ExperienceId']; experience_state?: 'started' | 'completed' | 'exited' | 'displayed' | null; filters?: Schemas['Filter'][]; sum_property?: Schemas['SumProperty']; within_days?: Schemas['WithinDays2'] | null; description?: Schemas['Description']; archived_at?: Schemas['NullableTime']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateImportByPutRequest: { name?: string; tag_import_id?: Schemas['NullableId']; on_model_missing?: 'create' | 'ignore'; import_at?: Schemas['NullableTime']; dry_run?: boolean; properties?: Schemas['Properties2']; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; segment_ids?: Schemas['ListOfId2']; segments_op?: 'and' | 'or'; excluded_segment_ids?: Schemas['ListOfId2'] };
  UpdateLauncherByPutRequest: { name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; title?: Schemas['Title']; description?: Schemas['Description3']; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: Schemas['Trigger']; trigger_text?: Schemas['TriggerText']; icon_size?: Schemas['IconSize']; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: Schemas['BadgeText']; shortcut?: Schemas['Shortcut']; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: Schemas['EmptyStateContent']; quantifier_urls?: Schemas['QuantifierUrls2']; blocked_domains?: Schemas['BlockedDomains']; preset?: string | null; search_placeholder?: Schemas['SearchPlaceholder']; items?: Schemas['Items3']; url_group_id?: Schemas['UrlGroupId']; tag_id?: Schemas['TagId']; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateLimitGroup: { name?: string; description?: Schemas['Description2']; kind?: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids?: Schemas['ListOfId6']; campaign_ids?: Schemas['ListOfId7']; experience_ids?: Schemas['ListOfId7']; rate_limit_size?: number; rate_limit_kind?: Schemas['RateLimitKind']; max_count?: number; period_hours?: number; max_steps?: Schemas['MaxSteps']; max_seconds?: Schemas['MaxSeconds']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdatePictureByPutRequest: { name: string };
  UpdateProfileByPutRequest: { uid?: Schemas['Uid']; email?: Schemas['Email2']; test: boolean | null };
  UpdateProfileByPutResponse: { profile: { id: Schemas['Id']; test: boolean | null; is_test: boolean }; warnings?: Schemas['Warnings'] };
  UpdateProperty: { name?: string; description?: string; hidden?: boolean };
  UpdateReport: { name?: string; description?: Schemas['Description']; params?: Schemas['Params']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateResponsesByPutRequest: { ids: Schemas['Id'][]; add_tags?: string[]; remove_tags?: string[] };
  UpdateResponsesByPutResponse: { responses: Schemas['ListOfResponse']; warnings?: Schemas['Warnings'] };
  UpdateSegmentByPutRequest: { name?: string; items?: Schemas['Items2']; items_op?: 'and' | 'or'; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateSurveyByPutRequest: { name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; steps?: Schemas['Steps2']; url_group_id?: Schemas['UrlGroupId']; tag_id?: Schemas['TagId']; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateTag: { name?: string; uid?: string; description?: Schemas['Description2']; disabled_at?: Schemas['NullableTime'] };
  UpdateThemeByPutRequest: { name?: string; description?: Schemas['Description2']; default?: boolean; published_at?: Schemas['NullableTime']; css?: Schemas['Css']; variations?: Schemas['Variations']; style_font?: string | null; style_font_size?: string | null; style_font_weight?: string | null; style_line_height?: string | null; style_title_font?: string | null; style_title_font_size?: string | null; style_title_font_weight?: string | null; style_title_line_height?: string | null; style_button_font?: string | null; style_button_font_size?: string | null; style_button_font_weight?: string | null; style_button_line_height?: string | null; style_radius?: string | null; style_button_radius?: string | null; style_border_width?: string | null; style_width?: Schemas['StyleWidth']; style_spacing?: string | null; style_highlight_width?: string | null; style_shadow?: Schemas['StyleShadow']; style_backdrop_opacity?: Schemas['StyleBackdropOpacity']; style_progress?: Schemas['StyleProgress']; style_scale?: Schemas['StyleScale']; style_motion?: Schemas['StyleMotion']; style_color_background?: string | null; style_color_text?: string | null; style_color_title?: string | null; style_color_link?: string | null; style_color_border?: string | null; style_color_button_highlight?: string | null; style_color_button_text?: string | null; style_color_button_hover?: string | null; style_color_button_border?: string | null; style_color_secondary_button_highlight?: string | null; style_color_secondary_button_text?: string | null; style_color_secondary_button_hover?: string | null; style_color_secondary_button_border?: string | null; style_color_dismiss?: string | null; style_color_shroud?: string | null; style_color_highlight?: string | null; style_color_hotspot?: string | null; style_color_icon?: string | null; style_color_icon_background?: string | null; style_color_progress?: string | null; style_color_checkmark?: string | null; style_color_timer?: string | null; style_dark_color_background?: string | null; style_dark_color_text?: string | null; style_dark_color_title?: string | null; style_dark_color_link?: string | null; style_dark_color_border?: string | null; style_dark_color_button_highlight?: string | null; style_dark_color_button_text?: string | null; style_dark_color_button_hover?: string | null; style_dark_color_button_border?: string | null; style_dark_color_secondary_button_highlight?: string | null; style_dark_color_secondary_button_text?: string | null; style_dark_color_secondary_button_hover?: string | null; style_dark_color_secondary_button_border?: string | null; style_dark_color_dismiss?: string | null; style_dark_color_shroud?: string | null; style_dark_color_highlight?: string | null; style_dark_color_hotspot?: string | null; style_dark_color_icon?: string | null; style_dark_color_icon_background?: string | null; style_dark_color_progress?: string | null; style_dark_color_checkmark?: string | null; style_dark_color_timer?: string | null; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateTooltipByPutRequest: { name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; steps?: Schemas['Steps2']; url_group_id?: Schemas['UrlGroupId']; tag_id?: Schemas['TagId']; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateTourByPutRequest: { name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; steps?: Schemas['Steps2']; url_group_id?: Schemas['UrlGroupId']; tag_id?: Schemas['TagId']; updated_at?: Schemas['SeenUpdatedAt']; autosave?: boolean };
  UpdateTourTranslationsByPutRequest: { language: Schemas['LanguageCode']; texts: ({ model_id: string; field: string; text: string | null; previous?: string | null })[] };
  UpdateTourTranslationsByPutResponse: { translations: Schemas['ExperienceTranslations']; warnings?: Schemas['Warnings'] };
  UpdateUrl: { enabled?: Schemas['Enabled']; unlisted?: boolean; archived_at?: Schemas['NullableTime']; url_group_id?: Schemas['NullableId']; updated_at?: Schemas['SeenUpdatedAt'] };
  UpdateUrlGroupByPutRequest: { name?: string; description?: Schemas['Description']; short_name?: Schemas['ShortName']; style_short_name_color?: Schemas['StyleShortNameColor']; archived_at?: Schemas['NullableTime']; updated_at?: Schemas['SeenUpdatedAt']; urls_action_on_archive?: 'ignore' | 'archive' };
  UpdateWebhook: { url?: Schemas['Url2']; name?: string; topics?: Schemas['Topics2']; experience_ids?: Schemas['ListOfId9']; experience_id?: Schemas['ExperienceId2']; id_header?: Schemas['IdHeader']; signature_header?: Schemas['SignatureHeader']; enabled?: boolean; updated_at?: Schemas['SeenUpdatedAt'] };
  Url2: string;
  Url: { id: Schemas['Id']; created_at: string; updated_at: string; url_group_id: Schemas['NullableId']; host: string; domain: string; enabled: 'off' | 'on' | 'subdomain'; installed_at: Schemas['NullableTimestamp']; first_seen_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp']; unlisted: boolean; archived_at: Schemas['NullableTimestamp'] };
  UrlGroup: { id: Schemas['Id']; created_at: string; updated_at: string; archived_at: Schemas['NullableTimestamp']; name: string; description: string | null; short_name: string | null; style_short_name_color: string | null };
  UrlGroupId: string;
  UrlGroupIds: string[];
  User: { id: Schemas['Id']; name: string; email: string };
  Values: { value: number; count: number }[];
  Variants: ({ name: string; experience_id?: Schemas['Id'] | null; share: number })[];
  Variations: ({ name: string; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; overrides?: Record<string, unknown> })[];
  VideoUrl: string | null;
  Warnings: string[];
  WebhookItem: { id: Schemas['Id']; created_at: string; kind: Schemas['Kind3']; profile_id: Schemas['NullableId']; state: 'pending' | 'sent' | 'failed'; attempts_count: number; next_attempt_at: Schemas['NullableTimestamp'] };
  What: 'displayed' | 'started' | 'completed' | 'exited' | 'snoozed' | 'goal' | 'step' | 'reached' | 'left' | 'back' | 'button' | 'item' | 'answer' | 'wrote' | 'score';
  WindowDays2: number;
  WindowDays: number;
  WithinDays2: number;
  WithinDays: Schemas['WithinDays2'] | null;
}

/** Each endpoint with its params, wherever in the request they are, and its response. */

export interface Operations {
  'DELETE /v3/edit/admins/{id}': {
    params: { id: string };
    response: { admin: Schemas['Admin']; secrets: Schemas['ListOfSecret']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/alert_groups/{id}': {
    params: { id: string };
    response: Schemas['CreateAlertGroupResponse'];
  };
  'DELETE /v3/edit/companies/{id}': {
    params: { id: string; cascade?: 'profiles' };
    response: Schemas['DeleteCompanyResponse'];
  };
  'DELETE /v3/edit/company': {
    params: { id?: Schemas['Id']; uid?: string; cascade?: 'profiles' };
    response: Schemas['DeleteCompanyResponse'];
  };
  'DELETE /v3/edit/deliveries/{id}': {
    params: { id: string };
    response: Schemas['CreateDeliveryResponse'];
  };
  'DELETE /v3/edit/delivery/{id}': {
    params: { id: string };
    response: Schemas['CreateDeliveryResponse'];
  };
  'DELETE /v3/edit/embeds/{id}': {
    params: { id: string };
    response: Schemas['CreateEmbedResponse'];
  };
  'DELETE /v3/edit/embeds/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['CreateTourStepResponse'];
  };
  'DELETE /v3/edit/embeds/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'DELETE /v3/edit/event_names/{id}': {
    params: { id: string };
    response: Schemas['DeleteEventNameResponse'];
  };
  'DELETE /v3/edit/experiments/{id}': {
    params: { id: string };
    response: Schemas['CreateExperimentResponse'];
  };
  'DELETE /v3/edit/goals/{id}': {
    params: { id: string };
    response: Schemas['CreateGoalResponse'];
  };
  'DELETE /v3/edit/imports/{id}': {
    params: { id: string };
    response: Schemas['CreateImportResponse'];
  };
  'DELETE /v3/edit/invitations/{id}': {
    params: { id: string };
    response: { invitation: Schemas['Invitation']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/languages/{id}': {
    params: { id: string; cascade?: 'translations' };
    response: Schemas['CreateLanguageResponse'];
  };
  'DELETE /v3/edit/launchers/{id}': {
    params: { id: string };
    response: Schemas['CreateLauncherResponse'];
  };
  'DELETE /v3/edit/launchers/{id}/items/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['CreateLauncherItemResponse'];
  };
  'DELETE /v3/edit/limit_groups/{id}': {
    params: { id: string };
    response: Schemas['CreateLimitGroupResponse'];
  };
  'DELETE /v3/edit/move/steps/{id}': {
    params: { id: string };
    response: { step: Schemas['UnplacedStep']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/picks/{id}': {
    params: { id: string };
    response: { pick: Schemas['PickOutput']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/pictures/{id}': {
    params: { id: string };
    response: Schemas['CreatePictureResponse'];
  };
  'DELETE /v3/edit/profiles': {
    params: { id?: Schemas['Id']; uid?: string; email?: string };
    response: Schemas['ClearProfileResponse'];
  };
  'DELETE /v3/edit/profiles/forget': {
    params: { id?: Schemas['Id']; uid?: string; email?: string };
    response: Schemas['ForgetProfileResponse'];
  };
  'DELETE /v3/edit/profiles/{id}': {
    params: { id: string; uid?: string; email?: string };
    response: Schemas['ClearProfileResponse'];
  };
  'DELETE /v3/edit/profiles/{id}/forget': {
    params: { id: string; uid?: string; email?: string };
    response: Schemas['ForgetProfileResponse'];
  };
  'DELETE /v3/edit/properties/{id}': {
    params: { id: string };
    response: Schemas['CreatePropertyResponse'];
  };
  'DELETE /v3/edit/reports/{id}': {
    params: { id: string };
    response: Schemas['CreateReportResponse'];
  };
  'DELETE /v3/edit/responses/{id}': {
    params: { id: string };
    response: { response: Schemas['Response']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/sample_data': {
    params: Record<string, never>;
    response: Schemas['LoadSampleDataResponse'];
  };
  'DELETE /v3/edit/secrets/{id}': {
    params: { id: string; keep_children?: boolean };
    response: { secret: Schemas['Secret']; children: Schemas['ListOfSecret']; warnings?: Schemas['Warnings'] };
  };
  'DELETE /v3/edit/segments/{id}': {
    params: { id: string };
    response: Schemas['CreateSegmentResponse'];
  };
  'DELETE /v3/edit/surveys/{id}': {
    params: { id: string };
    response: Schemas['CreateSurveyResponse'];
  };
  'DELETE /v3/edit/surveys/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['CreateTourStepResponse'];
  };
  'DELETE /v3/edit/surveys/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'DELETE /v3/edit/tags/{id}': {
    params: { id: string };
    response: Schemas['CreateTagResponse'];
  };
  'DELETE /v3/edit/themes/{id}': {
    params: { id: string; replacement_id?: string | null };
    response: Schemas['CreateThemeResponse'];
  };
  'DELETE /v3/edit/tooltips/{id}': {
    params: { id: string };
    response: Schemas['CreateTooltipResponse'];
  };
  'DELETE /v3/edit/tooltips/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['CreateTourStepResponse'];
  };
  'DELETE /v3/edit/tooltips/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'DELETE /v3/edit/tours/{id}': {
    params: { id: string };
    response: Schemas['CreateTourResponse'];
  };
  'DELETE /v3/edit/tours/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['CreateTourStepResponse'];
  };
  'DELETE /v3/edit/tours/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'DELETE /v3/edit/webhooks': {
    params: { id?: Schemas['Id']; url?: string };
    response: Schemas['DeleteFoundWebhookResponse'];
  };
  'DELETE /v3/edit/webhooks/{id}': {
    params: { id: string };
    response: Schemas['DeleteFoundWebhookResponse'];
  };
  'GET /': {
    params: Record<string, never>;
    response: Schemas['CheckSecretResponse'];
  };
  'GET /v3/analyze/attention': {
    params: Record<string, never>;
    response: { attention: ({ type: 'target_failing' | 'shows_nowhere' | 'experience_unseen' | 'experience_uncompleted' | 'webhook_failing' | 'webhook_disabled' | 'secret_expiring' | 'secret_expired' | 'proposal_waiting' | 'quota_reached' | 'sending_paused' | 'disk_nearly_full'; severity: 'error' | 'warning'; since: string; count: number | null; target: { type: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed' | 'webhook' | 'secret' | 'proposal' | 'quota' | 'server'; id: Schemas['NullableId']; name: string }; step: { experience_id: Schemas['Id']; step_id: Schemas['Id']; users_count: number; total_users_count: number; share: number; since: string; path: string; browser: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other'; checked_at: string; index: number | null } | null })[] };
  };
  'GET /v3/analyze/audit_entries': {
    params: { action?: Schemas['Action']; admin_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: { audit_entries: ({ id: Schemas['Id']; created_at: string; action: Schemas['Action']; target_type: string | null; target_id: string | null; target_name: string | null; details: Record<string, unknown>; network: string | null; secret_id: Schemas['NullableId']; user: Schemas['NullableUser'] })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/analyze/audit_entries.{format}': {
    params: { format: string; action?: Schemas['Action']; admin_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/companies': {
    params: { filters?: Schemas['Filters2']; filters_op?: 'and' | 'or'; expand?: Schemas['Expand3']; limit?: number; before?: string; after?: string };
    response: Schemas['ListCompaniesResponse'];
  };
  'GET /v3/analyze/companies/{id}': {
    params: { id: string };
    response: Schemas['GetCompanyResponse'];
  };
  'GET /v3/analyze/company': {
    params: { id?: Schemas['Id']; uid?: string };
    response: Schemas['GetCompanyResponse'];
  };
  'GET /v3/analyze/deliveries': {
    params: { model_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: { deliveries: Schemas['Deliveries']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/analyze/embeds/{id}/days.{format}': {
    params: { id: string; format: string; from?: string; until?: string };
    response: unknown;
  };
  'GET /v3/analyze/embeds/{id}/goals': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['GetTourGoalsResponse'];
  };
  'GET /v3/analyze/embeds/{id}/goals/people': {
    params: { id: string; from?: string; until?: string; goal_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['GoalPeople'];
  };
  'GET /v3/analyze/embeds/{id}/people': {
    params: { id: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/embeds/{id}/people.{format}': {
    params: { id: string; format: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/embeds/{id}/problems': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['ListTourProblemsResponse'];
  };
  'GET /v3/analyze/embeds/{id}/splits': {
    params: { id: string; from?: string; until?: string; by: 'language' | 'device' | 'url_group' | 'version' | 'variant' | 'segment'; segment_ids?: Schemas['ListOfId8']; after?: Schemas['Id'] };
    response: Schemas['Splits'];
  };
  'GET /v3/analyze/embeds/{id}/stats': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: Schemas['GetTourStatsResponse'];
  };
  'GET /v3/analyze/embeds/{id}/steps/{step_id}/texts': {
    params: { id: string; step_id: string; from?: string; until?: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListTourAnswerTextsResponse'];
  };
  'GET /v3/analyze/event_names': {
    params: { limit?: number; before?: string; after?: string; hidden?: boolean };
    response: { event_names: ({ id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; uid: string; kind: 'tracked' | 'custom'; source: string | null; published_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp']; filters: unknown[]; content_summary: string | null; dashboard_url: string; definition: Schemas['ShownEventDefinition']; hidden: boolean; sources: string[]; properties: string[]; counts: Schemas['Counts']; days: number[]; uses: { segments: number; experiences: number } })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/analyze/event_names/{id}': {
    params: { id: string; days?: number };
    response: { event_name: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; description: string | null; uid: string; kind: 'tracked' | 'custom'; source: string | null; published_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp']; filters: unknown[]; content_summary: string | null; dashboard_url: string; definition: Schemas['ShownEventDefinition']; hidden: boolean; sources: string[]; counts: Schemas['Counts']; days: { date: string; count: number }[]; uses: { segments: Schemas['ListOfOpenEditor']; goals: Schemas['ListOfOpenEditor']; experiences: Schemas['Experiences'] } } };
  };
  'GET /v3/analyze/event_names/{id}/adoption': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: { adoption: { from: string; until: string; by: 'day' | 'week'; counted_from: string | null; count: number; new_people: number; adopters: number; people: number; days: ({ day: string; count: number | null; new_people: number; adopters: number })[]; marks: ({ what: 'published' | 'paused' | 'ended' | 'archived' | 'restored'; day: string; at: string; experience_id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; change_id: Schemas['Id'] })[] } };
  };
  'GET /v3/analyze/event_names/{id}/occurrences': {
    params: { id: string };
    response: { occurrences: ({ id: Schemas['Id']; at: string; profile: { id: Schemas['Id']; uid: string; email: string | null }; properties: Record<string, unknown> })[]; properties: { id: Schemas['Id']; name: string; prop: string; types: string[]; values: unknown[] }[] };
  };
  'GET /v3/analyze/experiments/{id}/results': {
    params: { id: string };
    response: { results: { experiment_id: Schemas['Id']; state: 'draft' | 'running' | 'ended'; at: string; exposed_count: number; complete_count: number; contaminated_count: number; variants: { variant_id: Schemas['Id']; exposed_count: number; complete_count: number; contaminated_count: number; expected_count: number }[]; sample_ratio: { is_right: boolean; message: string | null }; goals: ({ goal_id: Schemas['Id']; name: string; role: 'primary' | 'secondary' | 'guardrail'; sums: boolean; variants: ({ variant_id: Schemas['Id']; complete_count: number; reached_count: number; rate: number | null; reached_so_far_count: number; sum: number | null; mean: number | null })[]; comparisons: ({ variant_id: Schemas['Id']; baseline_variant_id: Schemas['Id']; difference: number | null; low: number | null; high: number | null; relative_difference: number | null; finding: 'more' | 'less' | 'unknown'; message: string })[]; plan: { rate_from: 'experiment' | 'account' | null; rate: number | null; needed_count: number | null; people_per_day: number | null; days_left: number | null; message: string } })[]; verdict: { decision: 'undecided' | 'variant' | 'baseline'; variant_id: Schemas['NullableId']; message: string }; warnings: string[] } };
  };
  'GET /v3/analyze/failing_steps': {
    params: { experience_id?: Schemas['Id'] };
    response: { failing_steps: ({ experience_id: Schemas['Id']; step_id: Schemas['Id']; users_count: number; total_users_count: number; share: number; since: string; path: string; browser: 'chrome' | 'edge' | 'firefox' | 'safari' | 'other'; checked_at: string })[] };
  };
  'GET /v3/analyze/funnels': {
    params: { steps: Schemas['Steps4']; window_days?: number; from?: string; until?: string; split_segment_ids?: string[]; within_ms?: number };
    response: Schemas['CountFunnelResponse'];
  };
  'GET /v3/analyze/funnels/people': {
    params: { steps: Schemas['Steps4']; window_days?: number; from?: string; until?: string; step: number; what?: 'reached' | 'left'; segment_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/funnels/people.{format}': {
    params: { format: string; steps: Schemas['Steps4']; window_days?: number; from?: string; until?: string; step: number; what?: 'reached' | 'left'; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/goals/{id}/uses': {
    params: { id: string };
    response: { uses: { experiences: Schemas['Experience'][] } };
  };
  'GET /v3/analyze/health': {
    params: { full?: boolean };
    response: { health: { state: 'good' | 'attention' | 'problem'; version: string; node_version: string; started_at: string; engine: 'sqlite' | 'postgres'; engine_version: string; schema_version: string; database_bytes: number; free_disk_bytes: number | null; connections: { open: number; max: number } | null; webhook_items: { due: number; waiting: number; oldest_due_at: Schemas['NullableTimestamp'] }; batches: { running: number; waiting: number }; last_sweep_at: Schemas['NullableTimestamp']; events_days: number; sending_paused: { reason: string; paused_at: string } | null; backups: { is_scheduled: boolean; last_at: Schemas['NullableTimestamp']; last_bytes: number | null; failed_at: Schemas['NullableTimestamp'] }; exports: { is_scheduled: boolean; last_at: Schemas['NullableTimestamp']; last_rows: number | null; failed_at: Schemas['NullableTimestamp']; progress: string | null }; untrusted_proxies: { network: string; requests: number }[]; slow_checks_at: Schemas['NullableTimestamp']; checks: ({ name: 'settings' | 'version' | 'node' | 'storage' | 'engine' | 'schema' | 'integrity' | 'deleted_data' | 'database' | 'log' | 'disk' | 'connections' | 'page_loads' | 'clock' | 'public_url' | 'reachable' | 'page_url' | 'certificate' | 'proxy' | 'files' | 'secrets' | 'webhooks' | 'receivers' | 'streams' | 'batches' | 'sweep' | 'backups' | 'exports'; state: 'good' | 'attention' | 'problem'; message: string })[] } };
  };
  'GET /v3/analyze/installation': {
    params: { watch?: boolean };
    response: { installation: { server_url: string; page_url: string; script_url: string; account_token: string; has_uid_secret: boolean; require_uid_hash: boolean; trust_pages: boolean; demo_url: string | null; first_seen_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp']; hosts: ({ host: string; url_id: Schemas['NullableId']; state: 'on' | 'off' | 'archived'; environment: { id: Schemas['Id']; name: string; short_name: string | null; style_short_name_color: string | null } | null; installed_at: Schemas['NullableTimestamp']; first_seen_at: Schemas['NullableTimestamp']; last_seen_at: Schemas['NullableTimestamp'] })[]; missing: ({ code: 'domain' | 'script' | 'host_off' | 'identify'; message: string; host: string | null; url_id: Schemas['NullableId'] })[]; entries: ({ id: Schemas['Id']; created_at: string; kind: 'script' | 'identify' | 'event'; host: string | null; path: string | null; uid: string | null; profile_id: Schemas['NullableId']; user_agent: string; name: string | null; fields: string[]; outcome: 'accepted' | 'partly' | 'rejected'; messages: string[] })[] } };
  };
  'GET /v3/analyze/interactions': {
    params: { id: Schemas['Id']; limit?: number; before?: string; after?: string; order?: 'created_at' | 'updated_at'; expand?: Schemas['Expand4'] };
    response: Schemas['ListInteractionsResponse'];
  };
  'GET /v3/analyze/interactions/{id}': {
    params: { id: string; expand?: Schemas['Expand4'] };
    response: { interaction: Schemas['TourInteraction'] };
  };
  'GET /v3/analyze/interruptions': {
    params: { weeks?: number };
    response: { interruptions: { known_people: number; known_from: string | null; weeks: { week: string; interruptions: Schemas['Interruptions']; steps: Schemas['Interruptions']; seconds: Schemas['Interruptions'] }[] } };
  };
  'GET /v3/analyze/interruptions/people': {
    params: { week: string; measure?: 'interruptions' | 'steps' | 'seconds'; least: number; most?: number; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/interruptions/people.{format}': {
    params: { format: string; week: string; measure?: 'interruptions' | 'steps' | 'seconds'; least: number; most?: number };
    response: unknown;
  };
  'GET /v3/analyze/launchers/{id}/days.{format}': {
    params: { id: string; format: string; from?: string; until?: string };
    response: unknown;
  };
  'GET /v3/analyze/launchers/{id}/goals': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['GetTourGoalsResponse'];
  };
  'GET /v3/analyze/launchers/{id}/goals/people': {
    params: { id: string; from?: string; until?: string; goal_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['GoalPeople'];
  };
  'GET /v3/analyze/launchers/{id}/people': {
    params: { id: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/launchers/{id}/people.{format}': {
    params: { id: string; format: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/launchers/{id}/problems': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['ListTourProblemsResponse'];
  };
  'GET /v3/analyze/launchers/{id}/splits': {
    params: { id: string; from?: string; until?: string; by: 'language' | 'device' | 'url_group' | 'version' | 'variant' | 'segment'; segment_ids?: Schemas['ListOfId8']; after?: Schemas['Id'] };
    response: Schemas['Splits'];
  };
  'GET /v3/analyze/launchers/{id}/stats': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: Schemas['GetTourStatsResponse'];
  };
  'GET /v3/analyze/live': {
    params: Record<string, never>;
    response: { from: string; until: string; people: Schemas['People']; people_before: Schemas['People']; days: Schemas['People'][]; live: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; sketch: Schemas['Sketch']; url_group_ids: Schemas['ListOfId']; published_at: string; live_since: string; changed: boolean; sample: boolean; people: Schemas['People'] })[]; counts: { live: number; own: number; own_live: number } };
  };
  'GET /v3/analyze/news': {
    params: { since?: string };
    response: { since: string; news: ({ type: 'changed' | 'went_live' | 'responses' | 'step_failing'; target: { type: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; id: Schemas['Id']; name: string }; from: string; until: string; measure: 'completion' | 'start' | 'goal' | 'nps' | 'people' | null; before: Schemas['Before4'] | null; after: Schemas['Before4'] | null; moment: { what: 'published' | 'paused' | 'ended' | 'archived' | 'restored' | 'segment' | 'environment'; at: string; change_id: Schemas['NullableId'] } | null; since: Schemas['NullableTimestamp']; count: number | null; comments_count: number | null; step: { id: Schemas['Id']; index: number | null } | null })[] };
  };
  'GET /v3/analyze/paths': {
    params: { search?: string; limit?: number };
    response: { paths: { host: string; path: string; count: number; last_seen_at: string }[] };
  };
  'GET /v3/analyze/profile': {
    params: { id?: Schemas['Id']; uid?: string; email?: string; expand?: Schemas['Expand2'] };
    response: Schemas['GetProfileResponse'];
  };
  'GET /v3/analyze/profiles': {
    params: { segment_id?: Schemas['Id']; filters?: Schemas['Filters']; filters_op?: 'and' | 'or'; expand?: Schemas['Expand']; limit?: number; before?: string; after?: string };
    response: Schemas['ListProfilesResponse'];
  };
  'GET /v3/analyze/profiles/count': {
    params: { segment_id?: Schemas['Id']; filters?: Schemas['Filters']; filters_op?: 'and' | 'or'; without_test_users?: boolean; within_ms?: number };
    response: Schemas['CountProfilesResponse'];
  };
  'GET /v3/analyze/profiles/{id}': {
    params: { id: string; uid?: string; email?: string; expand?: Schemas['Expand2'] };
    response: Schemas['GetProfileResponse'];
  };
  'GET /v3/analyze/reach': {
    params: { from?: string; until?: string; by?: 'day' | 'week'; kind?: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; url_group_id?: Schemas['Id']; tag_id?: Schemas['Id'] };
    response: { reach: { from: string; until: string; totals: Schemas['Totals']; days: Schemas['Days']; before: { from: string; until: string; totals: Schemas['Totals']; days: Schemas['Days'] }; is_distinct: boolean; kinds: ({ kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; totals: Schemas['Totals'] })[]; experiences: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; totals: Schemas['Totals'] })[]; experiences_count: number } };
  };
  'GET /v3/analyze/responses': {
    params: { id: Schemas['Id']; from?: string; until?: string; finished?: boolean; min_score?: number; max_score?: number; step_id?: Schemas['Id']; options?: Schemas['Options2']; has_comment?: boolean; search?: string; language?: string; segment_id?: Schemas['Id']; tag?: string; details?: boolean; properties?: Schemas['Properties3']; limit?: number; before?: string; after?: string; order?: Schemas['Order2']; expand?: Schemas['Expand4'] };
    response: Schemas['ListResponsesResponse'];
  };
  'GET /v3/analyze/responses.{format}': {
    params: { format: string; id: Schemas['Id']; from?: string; until?: string; finished?: boolean; min_score?: number; max_score?: number; step_id?: Schemas['Id']; options?: Schemas['Options2']; has_comment?: boolean; search?: string; language?: string; segment_id?: Schemas['Id']; tag?: string; details?: boolean; properties?: Schemas['Properties3'] };
    response: unknown;
  };
  'GET /v3/analyze/responses/tags': {
    params: { id: Schemas['Id'] };
    response: { tags: { name: string; count: number }[] };
  };
  'GET /v3/analyze/segments': {
    params: { limit?: number; before?: string; after?: string };
    response: { segments: ({ id: Schemas['Id']; created_at: string; updated_at: string; name: string; items: Schemas['Items']; items_op: 'and' | 'or'; unsupported_kinds?: ('action' | 'intercom')[]; count: number | null; estimate: number | null; is_complete: boolean; counted_at: Schemas['NullableTimestamp']; uses: { segments: number; tours: number; surveys: number; launchers: number; tooltips: number; embeds: number } })[]; counting: Schemas['Counting']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/analyze/segments/counting': {
    params: Record<string, never>;
    response: Schemas['GetSegmentCountingResponse'];
  };
  'GET /v3/analyze/segments/{id}/uses': {
    params: { id: string };
    response: { uses: { segments: Schemas['ListOfOpenEditor']; themes: Schemas['ListOfOpenEditor']; goals: Schemas['ListOfOpenEditor']; experiences: Schemas['Experiences'] } };
  };
  'GET /v3/analyze/surveys/{id}/days.{format}': {
    params: { id: string; format: string; from?: string; until?: string };
    response: unknown;
  };
  'GET /v3/analyze/surveys/{id}/goals': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['GetTourGoalsResponse'];
  };
  'GET /v3/analyze/surveys/{id}/goals/people': {
    params: { id: string; from?: string; until?: string; goal_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['GoalPeople'];
  };
  'GET /v3/analyze/surveys/{id}/people': {
    params: { id: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/surveys/{id}/people.{format}': {
    params: { id: string; format: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/surveys/{id}/problems': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['ListTourProblemsResponse'];
  };
  'GET /v3/analyze/surveys/{id}/splits': {
    params: { id: string; from?: string; until?: string; by: 'language' | 'device' | 'url_group' | 'version' | 'variant' | 'segment'; segment_ids?: Schemas['ListOfId8']; after?: Schemas['Id'] };
    response: Schemas['Splits'];
  };
  'GET /v3/analyze/surveys/{id}/stats': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: Schemas['GetTourStatsResponse'];
  };
  'GET /v3/analyze/surveys/{id}/steps/{step_id}/texts': {
    params: { id: string; step_id: string; from?: string; until?: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListTourAnswerTextsResponse'];
  };
  'GET /v3/analyze/test_users': {
    params: Record<string, never>;
    response: { test_users: { count: number; sample: Schemas['Sample'][]; marking: boolean } };
  };
  'GET /v3/analyze/tooltips/{id}/days.{format}': {
    params: { id: string; format: string; from?: string; until?: string };
    response: unknown;
  };
  'GET /v3/analyze/tooltips/{id}/goals': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['GetTourGoalsResponse'];
  };
  'GET /v3/analyze/tooltips/{id}/goals/people': {
    params: { id: string; from?: string; until?: string; goal_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['GoalPeople'];
  };
  'GET /v3/analyze/tooltips/{id}/people': {
    params: { id: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/tooltips/{id}/people.{format}': {
    params: { id: string; format: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/tooltips/{id}/problems': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['ListTourProblemsResponse'];
  };
  'GET /v3/analyze/tooltips/{id}/splits': {
    params: { id: string; from?: string; until?: string; by: 'language' | 'device' | 'url_group' | 'version' | 'variant' | 'segment'; segment_ids?: Schemas['ListOfId8']; after?: Schemas['Id'] };
    response: Schemas['Splits'];
  };
  'GET /v3/analyze/tooltips/{id}/stats': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: Schemas['GetTourStatsResponse'];
  };
  'GET /v3/analyze/tooltips/{id}/steps/{step_id}/texts': {
    params: { id: string; step_id: string; from?: string; until?: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListTourAnswerTextsResponse'];
  };
  'GET /v3/analyze/tours/{id}/days.{format}': {
    params: { id: string; format: string; from?: string; until?: string };
    response: unknown;
  };
  'GET /v3/analyze/tours/{id}/goals': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['GetTourGoalsResponse'];
  };
  'GET /v3/analyze/tours/{id}/goals/people': {
    params: { id: string; from?: string; until?: string; goal_id?: Schemas['Id']; limit?: number; before?: string };
    response: Schemas['GoalPeople'];
  };
  'GET /v3/analyze/tours/{id}/people': {
    params: { id: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'GET /v3/analyze/tours/{id}/people.{format}': {
    params: { id: string; format: string; what: Schemas['What']; part_id?: Schemas['Id']; options?: Schemas['Options3']; from?: string; until?: string; language?: string; device?: 'desktop' | 'mobile' | 'tablet' | 'none'; url_group_id?: string; version_id?: string; segment_id?: Schemas['Id'] };
    response: unknown;
  };
  'GET /v3/analyze/tours/{id}/problems': {
    params: { id: string; from?: string; until?: string };
    response: Schemas['ListTourProblemsResponse'];
  };
  'GET /v3/analyze/tours/{id}/splits': {
    params: { id: string; from?: string; until?: string; by: 'language' | 'device' | 'url_group' | 'version' | 'variant' | 'segment'; segment_ids?: Schemas['ListOfId8']; after?: Schemas['Id'] };
    response: Schemas['Splits'];
  };
  'GET /v3/analyze/tours/{id}/stats': {
    params: { id: string; from?: string; until?: string; by?: 'day' | 'week' };
    response: Schemas['GetTourStatsResponse'];
  };
  'GET /v3/analyze/tours/{id}/steps/{step_id}/texts': {
    params: { id: string; step_id: string; from?: string; until?: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListTourAnswerTextsResponse'];
  };
  'GET /v3/analyze/unused': {
    params: { kind: 'experiences' | 'segments' | 'tags' | 'properties' | 'goals' | 'themes' | 'pictures'; limit?: number; before?: string };
    response: { unused: ({ id: Schemas['Id']; name: string; reason: 'not_used' | 'not_sent' | 'ended' | 'never_shown' | 'not_shown'; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed' | 'profile' | 'event' | 'company' | null; updated_at: string; last_used_at: Schemas['NullableTimestamp']; size: number | null })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/analyze/urls': {
    params: Record<string, never>;
    response: { experiences: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; state: 'live' | 'scheduled' | 'draft'; url_group_ids: Schemas['ListOfId']; hosts: string[] | null })[]; urls: Schemas['ListOfLastUpdate']; url_groups: Schemas['ListOfLastUpdate'] };
  };
  'GET /v3/edit/account': {
    params: Record<string, never>;
    response: { account: Schemas['Account2'] };
  };
  'GET /v3/edit/admins': {
    params: { limit?: number; before?: string; after?: string };
    response: { admins: Schemas['Admin'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/alert_groups': {
    params: { limit?: number; before?: string; after?: string };
    response: { alert_groups: Schemas['ShownAlertGroup'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/alert_groups/{id}': {
    params: { id: string };
    response: { alert_group: Schemas['ShownAlertGroup'] };
  };
  'GET /v3/edit/alert_groups/{id}/experiences': {
    params: { id: string; limit?: number; before?: string; after?: string; filter?: 'all' | 'published_at' };
    response: { experiences: Schemas['ListOfExperience']; alert_group: Schemas['ShownAlertGroup']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/authoring_guide': {
    params: { kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed' };
    response: { authoring_guide: { kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; text: string; templates: ({ id: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center'; name: string; description: string })[]; fields: Record<string, unknown> } };
  };
  'GET /v3/edit/captures/{id}': {
    params: { id: string };
    response: { capture: { id: Schemas['Id']; created_at: string; updated_at: string; experience_id: Schemas['Id']; model_id: Schemas['Id']; look: { kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; style: string | null; theme_id: Schemas['NullableId']; theme: Record<string, string> | null; fields: Record<string, unknown>; buttons: ({ text: string | null })[]; items: Record<string, unknown>[] } } };
  };
  'GET /v3/edit/captures/{id}.{format}': {
    params: { id: string; format: string };
    response: unknown;
  };
  'GET /v3/edit/changes': {
    params: { limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/companies/search': {
    params: { text?: string; filters?: Schemas['Filters2']; filters_op?: 'and' | 'or'; limit?: number; before?: string };
    response: Schemas['FoundCompanies'];
  };
  'GET /v3/edit/companies/{id}': {
    params: { id: string };
    response: { company: { id: Schemas['Id']; uid: string; name: string | null; created_at: string; updated_at: string; profiles_count: number; properties: { prop: string; name: string; value: unknown; type: string }[] } };
  };
  'GET /v3/edit/deliveries': {
    params: { model_id?: Schemas['Id']; profile_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: { deliveries: Schemas['Delivery'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/deliveries/{id}': {
    params: { id: string };
    response: Schemas['GetDeliveryResponse'];
  };
  'GET /v3/edit/delivery/{id}': {
    params: { id: string };
    response: Schemas['GetDeliveryResponse'];
  };
  'GET /v3/edit/embeds': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean };
    response: { embeds: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/embeds/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/embeds/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/embeds/{id}': {
    params: { id: string };
    response: { embed: Schemas['Experience2'] };
  };
  'GET /v3/edit/embeds/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/embeds/{id}/changes/summary': {
    params: { id: string };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/embeds/{id}/diff': {
    params: { id: string };
    response: Schemas['GetTourDiffResponse'];
  };
  'GET /v3/edit/embeds/{id}/file': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/embeds/{id}/i18n': {
    params: { id: string; format: 'yaml' | 'json'; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/embeds/{id}/i18n.{format}': {
    params: { id: string; format: string; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/embeds/{id}/publish_check': {
    params: { id: string };
    response: Schemas['CheckTourPublishResponse'];
  };
  'GET /v3/edit/embeds/{id}/sketches': {
    params: { id: string };
    response: Schemas['ListTourSketchesResponse'];
  };
  'GET /v3/edit/embeds/{id}/steps': {
    params: { id: string };
    response: Schemas['ListTourStepsResponse'];
  };
  'GET /v3/edit/embeds/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['GetTourStepResponse'];
  };
  'GET /v3/edit/embeds/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['GetTourStepButtonResponse'];
  };
  'GET /v3/edit/embeds/{id}/translations': {
    params: { id: string };
    response: Schemas['ListTourTranslationsResponse'];
  };
  'GET /v3/edit/embeds/{id}/uses': {
    params: { id: string };
    response: Schemas['ListTourUsesResponse'];
  };
  'GET /v3/edit/embeds/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/embeds/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/embeds/{id}/versions/{version_id}/summary': {
    params: { id: string; version_id: string; until?: Schemas['Id'] };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/event_names': {
    params: { limit?: number; before?: string; after?: string; hidden?: boolean; kind?: 'tracked' | 'custom' };
    response: { event_names: Schemas['EventName'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/event_names/{id}': {
    params: { id: string };
    response: { event_name: Schemas['EventName'] };
  };
  'GET /v3/edit/experiences': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean; kind?: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed' };
    response: { experiences: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/experiences/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean; experiences?: Schemas['Experiences2'] };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/experiences/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean; experiences?: Schemas['Experiences2'] };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/experiences/{id}': {
    params: { id: string };
    response: { experience: Schemas['Experience2'] };
  };
  'GET /v3/edit/experiments': {
    params: { limit?: number; before?: string; after?: string; state?: 'draft' | 'running' | 'ended' };
    response: { experiments: Schemas['ShownExperiment'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/experiments/{id}': {
    params: { id: string };
    response: { experiment: Schemas['ShownExperiment'] };
  };
  'GET /v3/edit/files': {
    params: { known?: Schemas['Known'][] };
    response: Schemas['ListFilesResponse'];
  };
  'GET /v3/edit/files/managed': {
    params: Record<string, never>;
    response: { managed: ({ id: Schemas['Id']; file: string; source: string | null; url: string | null; applied_at: string })[] };
  };
  'GET /v3/edit/goals': {
    params: { limit?: number; before?: string; after?: string };
    response: { goals: Schemas['SharedGoal'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/goals/{id}': {
    params: { id: string };
    response: { goal: Schemas['SharedGoal'] };
  };
  'GET /v3/edit/i18n': {
    params: Record<string, never>;
    response: { i18ns: { language: { code: string }; experiences_count: number; texts_count: number; translated_count: number; inherited_count: number; outdated_count: number; unreviewed_count: number }[] };
  };
  'GET /v3/edit/imports': {
    params: { limit?: number; before?: string; after?: string; model_kind?: 'profile' | 'company' };
    response: { imports: Schemas['Import'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/imports/{id}': {
    params: { id: string };
    response: { import: Schemas['Import'] };
  };
  'GET /v3/edit/imports/{id}/errors.{format}': {
    params: { id: string; format: string };
    response: unknown;
  };
  'GET /v3/edit/imports/{id}/preview': {
    params: { id: string };
    response: { preview: { head_columns: string[]; rows: string[][]; properties: Schemas['Properties'] } };
  };
  'GET /v3/edit/invitations': {
    params: { limit?: number; before?: string; after?: string };
    response: { invitations: Schemas['Invitation'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/invitations/{id}': {
    params: { id: string };
    response: { invitation: Schemas['Invitation'] };
  };
  'GET /v3/edit/languages': {
    params: { limit?: number; before?: string; after?: string };
    response: { languages: Schemas['Language'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/languages/{id}': {
    params: { id: string };
    response: { language: Schemas['Language'] };
  };
  'GET /v3/edit/launchers': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean };
    response: { launchers: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/launchers/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/launchers/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/launchers/{id}': {
    params: { id: string };
    response: { launcher: Schemas['Experience2'] };
  };
  'GET /v3/edit/launchers/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/launchers/{id}/changes/summary': {
    params: { id: string };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/launchers/{id}/diff': {
    params: { id: string };
    response: Schemas['GetTourDiffResponse'];
  };
  'GET /v3/edit/launchers/{id}/file': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/launchers/{id}/i18n': {
    params: { id: string; format: 'yaml' | 'json'; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/launchers/{id}/i18n.{format}': {
    params: { id: string; format: string; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/launchers/{id}/items': {
    params: { id: string };
    response: { items: Schemas['ListOfListItem'] };
  };
  'GET /v3/edit/launchers/{id}/items/{part_id}': {
    params: { id: string; part_id: string };
    response: { item: Schemas['ListItem'] };
  };
  'GET /v3/edit/launchers/{id}/publish_check': {
    params: { id: string };
    response: Schemas['CheckTourPublishResponse'];
  };
  'GET /v3/edit/launchers/{id}/sketches': {
    params: { id: string };
    response: Schemas['ListTourSketchesResponse'];
  };
  'GET /v3/edit/launchers/{id}/translations': {
    params: { id: string };
    response: Schemas['ListTourTranslationsResponse'];
  };
  'GET /v3/edit/launchers/{id}/uses': {
    params: { id: string };
    response: Schemas['ListTourUsesResponse'];
  };
  'GET /v3/edit/launchers/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/launchers/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/launchers/{id}/versions/{version_id}/summary': {
    params: { id: string; version_id: string; until?: Schemas['Id'] };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/limit_groups': {
    params: { limit?: number; before?: string; after?: string };
    response: { limit_groups: Schemas['ShownLimitGroup'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/limit_groups/{id}': {
    params: { id: string };
    response: { limit_group: Schemas['ShownLimitGroup'] };
  };
  'GET /v3/edit/limit_groups/{id}/experiences': {
    params: { id: string; limit?: number; before?: string; after?: string; filter?: 'all' | 'published_at' };
    response: { experiences: Schemas['ListOfExperience']; limit_group: Schemas['ShownLimitGroup']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/move': {
    params: Record<string, never>;
    response: { move: { source: string; source_account_id: Schemas['Id']; state: 'running' | 'stopped' | 'finished' | 'released'; started_at: string; updated_at: string; finished_at: Schemas['NullableTimestamp']; released_at: Schemas['NullableTimestamp']; error: string | null; requests_count: number; seconds_left: number | null; stages: ({ stage: Schemas['Stage']; done: number; total: number | null; finished: boolean; problems_count: number })[]; problems_count: number; unplaced_steps_count: number } | null };
  };
  'GET /v3/edit/move/problems': {
    params: Record<string, never>;
    response: { problems: { stage: Schemas['Stage']; record_id: string; message: string }[] };
  };
  'GET /v3/edit/move/steps': {
    params: Record<string, never>;
    response: { steps: Schemas['UnplacedStep'][] };
  };
  'GET /v3/edit/picks/{id}': {
    params: { id: string };
    response: { pick: Schemas['PickOutput'] };
  };
  'GET /v3/edit/picks/{id}/events': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/pictures': {
    params: { limit?: number; before?: string; after?: string; search?: string };
    response: { pictures: Schemas['Picture2'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/pictures/{id}': {
    params: { id: string };
    response: { picture: Schemas['Picture2'] };
  };
  'GET /v3/edit/pictures/{id}/uses': {
    params: { id: string };
    response: { experiences: Schemas['ListOfPictureUse'] };
  };
  'GET /v3/edit/profiles/search': {
    params: { text?: string; segment_id?: Schemas['Id']; company_id?: Schemas['Id']; filters?: Schemas['Filters']; filters_op?: 'and' | 'or'; limit?: number; before?: string };
    response: Schemas['FoundPeople'];
  };
  'GET /v3/edit/profiles/{id}': {
    params: { id: string };
    response: { profile: { id: Schemas['Id']; uid: string; email: string | null; name: string | null; company: Schemas['Company']; created_at: string; last_seen_at: Schemas['NullableTimestamp']; last_seen_session_count: number; is_test: boolean; updated_at: string; test: boolean | null; last_cleared_at: Schemas['NullableTimestamp']; percent: number; browser_l: string | null; browser_n: Schemas['BrowserN']; browser_k: 'desktop' | 'mobile' | null; browser_x: number | null; browser_tz: number | null; delivery_ids: Schemas['ListOfId']; delivery_ids_limit: number; properties: ({ prop: string; name: string; value: unknown; type: string; sent_at: Schemas['NullableTimestamp']; source: 'api' | 'browser' | 'import' | null; is_proven: boolean | null })[] } };
  };
  'GET /v3/edit/profiles/{id}/deliveries': {
    params: { id: string };
    response: { deliveries: Schemas['Deliveries']; delivery_ids_limit: number };
  };
  'GET /v3/edit/profiles/{id}/export': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/profiles/{id}/segments': {
    params: { id: string };
    response: { segments: Schemas['ListOfOpenEditor'] };
  };
  'GET /v3/edit/profiles/{id}/timeline': {
    params: { id: string; kinds?: ('seen' | 'answered' | 'tracked' | 'delivered')[]; limit?: number; before?: string };
    response: { entries: ({ id: string; at: string; kind: 'created' | 'cleared' | 'delivery_created' | 'delivery_triggered' | 'displayed' | 'started' | 'answered' | 'snoozed' | 'item_completed' | 'completed' | 'exited' | 'tracked' | 'goal' | 'delivery_removed' | 'last_seen'; experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string | null; is_deleted: boolean } | null; item: { id: Schemas['Id']; title: string | null } | null; event: { name: string; custom: Record<string, unknown> } | null; answers: ({ step_id: Schemas['NullableId']; question: string | null; value: string | null; comment: string | null })[] | null; delivery: { id: Schemas['Id']; href: string | null; reason: string | null } | null; until: Schemas['NullableTimestamp'] })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/properties': {
    params: { kind: 'profile' | 'event' | 'company'; integration?: string; order?: 'created_at' | 'last_seen_at'; hidden?: boolean };
    response: { properties: Schemas['Property'][] };
  };
  'GET /v3/edit/properties/{id}': {
    params: { id: string };
    response: { property: Schemas['Property'] };
  };
  'GET /v3/edit/proposals': {
    params: { limit?: number; before?: string; after?: string; state?: 'open' | 'approved' | 'rejected' };
    response: { proposals: ({ id: Schemas['Id']; created_at: string; updated_at: string; state: 'open' | 'approved' | 'rejected'; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; experience_id: Schemas['NullableId']; is_new: boolean; name: string; note: string | null; is_outdated: boolean; secret: Schemas['NullableOpenEditor']; user: Schemas['User']; decided_at: Schemas['NullableTimestamp']; decided_by: Schemas['NullableUser']; reason: string | null })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/proposals/{id}': {
    params: { id: string };
    response: { proposal: Schemas['Proposal'] };
  };
  'GET /v3/edit/proposals/{id}/publish_check': {
    params: { id: string };
    response: { publish_check: Schemas['PublishCheck']; draft_changes: Schemas['NullableChangeSummary'] };
  };
  'GET /v3/edit/reports': {
    params: { limit?: number; before?: string; after?: string };
    response: { reports: Schemas['SavedReport'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/reports/{id}': {
    params: { id: string };
    response: { report: Schemas['SavedReport'] };
  };
  'GET /v3/edit/sample_data': {
    params: Record<string, never>;
    response: { sample_data: Schemas['SampleData'] };
  };
  'GET /v3/edit/search_items': {
    params: { limit?: number; before?: string; after?: string };
    response: { search_items: unknown[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/searches': {
    params: { limit?: number; before?: string; after?: string };
    response: { searches: unknown[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/secrets': {
    params: { limit?: number; before?: string; after?: string };
    response: { secrets: Schemas['ListOfSecret']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/secrets/{id}': {
    params: { id: string };
    response: { secret: Schemas['Secret'] };
  };
  'GET /v3/edit/segments': {
    params: { limit?: number; before?: string; after?: string };
    response: { segments: Schemas['Segment'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/segments/{id}': {
    params: { id: string };
    response: { segment: Schemas['Segment'] };
  };
  'GET /v3/edit/segments/{id}/{kind}': {
    params: { id: string; kind: string; limit?: number; before?: string; after?: string };
    response: Record<string, (Schemas['Segment'] | Schemas['Experience2'])[] | Schemas['Segment'] | Schemas['Cursor']>;
  };
  'GET /v3/edit/source_addresses': {
    params: Record<string, never>;
    response: { source_addresses: string[] };
  };
  'GET /v3/edit/surveys': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean };
    response: { surveys: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/surveys/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/surveys/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/surveys/{id}': {
    params: { id: string };
    response: { survey: Schemas['Experience2'] };
  };
  'GET /v3/edit/surveys/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/surveys/{id}/changes/summary': {
    params: { id: string };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/surveys/{id}/diff': {
    params: { id: string };
    response: Schemas['GetTourDiffResponse'];
  };
  'GET /v3/edit/surveys/{id}/file': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/surveys/{id}/i18n': {
    params: { id: string; format: 'yaml' | 'json'; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/surveys/{id}/i18n.{format}': {
    params: { id: string; format: string; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/surveys/{id}/publish_check': {
    params: { id: string };
    response: Schemas['CheckTourPublishResponse'];
  };
  'GET /v3/edit/surveys/{id}/sketches': {
    params: { id: string };
    response: Schemas['ListTourSketchesResponse'];
  };
  'GET /v3/edit/surveys/{id}/steps': {
    params: { id: string };
    response: Schemas['ListTourStepsResponse'];
  };
  'GET /v3/edit/surveys/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['GetTourStepResponse'];
  };
  'GET /v3/edit/surveys/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['GetTourStepButtonResponse'];
  };
  'GET /v3/edit/surveys/{id}/translations': {
    params: { id: string };
    response: Schemas['ListTourTranslationsResponse'];
  };
  'GET /v3/edit/surveys/{id}/uses': {
    params: { id: string };
    response: Schemas['ListTourUsesResponse'];
  };
  'GET /v3/edit/surveys/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/surveys/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/surveys/{id}/versions/{version_id}/summary': {
    params: { id: string; version_id: string; until?: Schemas['Id'] };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/tags': {
    params: { limit?: number; before?: string; after?: string };
    response: { tags: Schemas['ListOfTag']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/tags/{id}': {
    params: { id: string };
    response: { tag: Schemas['Tag'] };
  };
  'GET /v3/edit/templates': {
    params: Record<string, never>;
    response: { templates: ({ id: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center'; purpose: 'onboarding' | 'launch' | 'feedback' | 'upsell' | 'support'; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; description: string; model_id: string; document: Record<string, unknown>; translations: Record<string, Record<string, Record<string, string>>> })[] };
  };
  'GET /v3/edit/themes': {
    params: { limit?: number; before?: string; after?: string };
    response: { themes: Schemas['Theme'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/themes/{id}': {
    params: { id: string };
    response: { theme: Schemas['Theme'] };
  };
  'GET /v3/edit/themes/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/themes/{id}/experiences': {
    params: { id: string; limit?: number; before?: string; after?: string; live?: boolean; inherited?: boolean };
    response: { experiences: ({ id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; state: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived'; is_in_draft: boolean; is_published: boolean; version_id: Schemas['NullableId'] })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/themes/{id}/publish_check': {
    params: { id: string };
    response: { publish_check: { problems: ({ path: string; message: string; suggestion: { field: string; value: string } | null; line: number | null; column: number | null })[] } };
  };
  'GET /v3/edit/themes/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/themes/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/tooltips': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean };
    response: { tooltips: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/tooltips/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tooltips/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tooltips/{id}': {
    params: { id: string };
    response: { tooltip: Schemas['Experience2'] };
  };
  'GET /v3/edit/tooltips/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/tooltips/{id}/changes/summary': {
    params: { id: string };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/tooltips/{id}/diff': {
    params: { id: string };
    response: Schemas['GetTourDiffResponse'];
  };
  'GET /v3/edit/tooltips/{id}/file': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/tooltips/{id}/i18n': {
    params: { id: string; format: 'yaml' | 'json'; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tooltips/{id}/i18n.{format}': {
    params: { id: string; format: string; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tooltips/{id}/publish_check': {
    params: { id: string };
    response: Schemas['CheckTourPublishResponse'];
  };
  'GET /v3/edit/tooltips/{id}/sketches': {
    params: { id: string };
    response: Schemas['ListTourSketchesResponse'];
  };
  'GET /v3/edit/tooltips/{id}/steps': {
    params: { id: string };
    response: Schemas['ListTourStepsResponse'];
  };
  'GET /v3/edit/tooltips/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['GetTourStepResponse'];
  };
  'GET /v3/edit/tooltips/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['GetTourStepButtonResponse'];
  };
  'GET /v3/edit/tooltips/{id}/translations': {
    params: { id: string };
    response: Schemas['ListTourTranslationsResponse'];
  };
  'GET /v3/edit/tooltips/{id}/uses': {
    params: { id: string };
    response: Schemas['ListTourUsesResponse'];
  };
  'GET /v3/edit/tooltips/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/tooltips/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/tooltips/{id}/versions/{version_id}/summary': {
    params: { id: string; version_id: string; until?: Schemas['Id'] };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/tours': {
    params: { limit?: number; before?: string; after?: string; archived?: boolean; state?: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' | 'paused'; url_group_id?: Schemas['Id']; segment_id?: Schemas['Id']; tag_id?: Schemas['Id']; search?: string; order?: Schemas['Order']; fields?: 'all' | 'list'; trend?: boolean };
    response: { tours: (Schemas['Experience2'] | Schemas['ListedExperience'])[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/tours/i18n': {
    params: { format: 'yaml' | 'json'; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tours/i18n.{format}': {
    params: { format: string; language?: string; archived?: boolean };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tours/{id}': {
    params: { id: string };
    response: { tour: Schemas['Experience2'] };
  };
  'GET /v3/edit/tours/{id}/changes': {
    params: { id: string; limit?: number; before?: string; after?: string; filters?: Schemas['Filter3'][]; filter?: Schemas['Filter3'][] };
    response: Schemas['ListThemeChangesResponse'];
  };
  'GET /v3/edit/tours/{id}/changes/summary': {
    params: { id: string };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/tours/{id}/diff': {
    params: { id: string };
    response: Schemas['GetTourDiffResponse'];
  };
  'GET /v3/edit/tours/{id}/file': {
    params: { id: string };
    response: unknown;
  };
  'GET /v3/edit/tours/{id}/i18n': {
    params: { id: string; format: 'yaml' | 'json'; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tours/{id}/i18n.{format}': {
    params: { id: string; format: string; language?: string };
    response: Schemas['TranslationFileAnswer'];
  };
  'GET /v3/edit/tours/{id}/publish_check': {
    params: { id: string };
    response: Schemas['CheckTourPublishResponse'];
  };
  'GET /v3/edit/tours/{id}/sketches': {
    params: { id: string };
    response: Schemas['ListTourSketchesResponse'];
  };
  'GET /v3/edit/tours/{id}/steps': {
    params: { id: string };
    response: Schemas['ListTourStepsResponse'];
  };
  'GET /v3/edit/tours/{id}/steps/{part_id}': {
    params: { id: string; part_id: string };
    response: Schemas['GetTourStepResponse'];
  };
  'GET /v3/edit/tours/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string };
    response: Schemas['GetTourStepButtonResponse'];
  };
  'GET /v3/edit/tours/{id}/translations': {
    params: { id: string };
    response: Schemas['ListTourTranslationsResponse'];
  };
  'GET /v3/edit/tours/{id}/uses': {
    params: { id: string };
    response: Schemas['ListTourUsesResponse'];
  };
  'GET /v3/edit/tours/{id}/versions': {
    params: { id: string; limit?: number; before?: string; after?: string };
    response: Schemas['ListThemeVersionsResponse'];
  };
  'GET /v3/edit/tours/{id}/versions/{version_id}': {
    params: { id: string; version_id: string };
    response: Schemas['GetThemeVersionResponse'];
  };
  'GET /v3/edit/tours/{id}/versions/{version_id}/summary': {
    params: { id: string; version_id: string; until?: Schemas['Id'] };
    response: Schemas['ChangeSummary'];
  };
  'GET /v3/edit/translations': {
    params: { limit?: number; before?: string; after?: string; kind?: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed' };
    response: { translations: ({ experience: { id: Schemas['Id']; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string; updated_at: string; state: 'draft' | 'scheduled' | 'live' | 'ended' | 'archived' }; languages: { code: string; texts_count: number; translated_count: number; inherited_count: number; outdated_count: number; unreviewed_count: number }[] })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/url_groups': {
    params: { limit?: number; before?: string; after?: string };
    response: { url_groups: Schemas['ListOfUrlGroup']; urls: Schemas['ListOfUrlGroup']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/url_groups/{id}': {
    params: { id: string };
    response: { url_group: Schemas['UrlGroup']; url: Schemas['UrlGroup'] };
  };
  'GET /v3/edit/urls': {
    params: { domain?: string; host?: string; limit?: number; before?: string; after?: string };
    response: { urls: Schemas['ListOfUrl']; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/urls/{id}': {
    params: { id: string };
    response: { url: Schemas['Url'] };
  };
  'GET /v3/edit/webhook_sending': {
    params: Record<string, never>;
    response: { webhook_sending: { paused: boolean; reason: string | null; paused_at: Schemas['NullableTimestamp'] } };
  };
  'GET /v3/edit/webhooks': {
    params: { limit?: number; before?: string; after?: string };
    response: { webhooks: Schemas['ShownWebhook'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/webhooks/{id}': {
    params: { id: string };
    response: { webhook: Schemas['ShownWebhook'] };
  };
  'GET /v3/edit/webhooks/{id}/attempts': {
    params: { id: string; item_id?: Schemas['Id']; limit?: number; before?: string; after?: string };
    response: { attempts: ({ id: Schemas['Id']; created_at: string; item_id: Schemas['Id']; kind: Schemas['Kind3']; profile_id: Schemas['NullableId']; at: string; status: number | null; duration_ms: number; answer: string | null; error: string | null })[]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/webhooks/{id}/attempts/{attempt_id}': {
    params: { id: string; attempt_id: string };
    response: { attempt: { id: Schemas['Id']; created_at: string; item_id: Schemas['Id']; kind: Schemas['Kind3']; profile_id: Schemas['NullableId']; at: string; status: number | null; duration_ms: number; answer: string | null; error: string | null; request: { url: string; headers: Record<string, string>; body: string } | null } };
  };
  'GET /v3/edit/webhooks/{id}/items': {
    params: { id: string; state?: 'pending' | 'sent' | 'failed'; limit?: number; before?: string; after?: string };
    response: { items: Schemas['WebhookItem'][]; cursor: Schemas['Cursor'] };
  };
  'GET /v3/edit/webhooks/{id}/items/{item_id}': {
    params: { id: string; item_id: string };
    response: { item: Schemas['WebhookItem'] };
  };
  'PATCH /v3/edit/account': {
    params: Schemas['UpdateAccount'];
    response: Schemas['UpdateAccountByPutResponse'];
  };
  'PATCH /v3/edit/admins/{id}': {
    params: { id: string } & Schemas['UpdateAdminByPutRequest'];
    response: Schemas['UpdateAdminByPutResponse'];
  };
  'PATCH /v3/edit/alert_groups/{id}': {
    params: { id: string } & Schemas['UpdateAlertGroup'];
    response: Schemas['CreateAlertGroupResponse'];
  };
  'PATCH /v3/edit/deliveries/{id}': {
    params: { id: string } & Schemas['UpdateDeliveryByPutRequest'];
    response: Schemas['CreateDeliveryResponse'];
  };
  'PATCH /v3/edit/delivery/{id}': {
    params: { id: string } & Schemas['UpdateDeliveryByPutRequest'];
    response: Schemas['CreateDeliveryResponse'];
  };
  'PATCH /v3/edit/embeds/{id}': {
    params: { id: string } & Schemas['UpdateEmbedByPutRequest'];
    response: Schemas['CreateEmbedResponse'];
  };
  'PATCH /v3/edit/embeds/{id}/steps/{part_id}': {
    params: { id: string; part_id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'PATCH /v3/edit/embeds/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'PATCH /v3/edit/embeds/{id}/translations': {
    params: { id: string } & Schemas['UpdateTourTranslationsByPutRequest'];
    response: Schemas['UpdateTourTranslationsByPutResponse'];
  };
  'PATCH /v3/edit/event_names/{id}': {
    params: { id: string } & Schemas['UpdateEventNameByPutRequest'];
    response: Schemas['DeleteEventNameResponse'];
  };
  'PATCH /v3/edit/experiences/batch': {
    params: Schemas['UpdateExperiencesByPutRequest'];
    response: Schemas['UpdateExperiencesByPutResponse'];
  };
  'PATCH /v3/edit/experiences/order': {
    params: Schemas['MoveExperienceByPutRequest'];
    response: Schemas['MoveExperienceByPutResponse'];
  };
  'PATCH /v3/edit/experiments/{id}': {
    params: { id: string } & Schemas['UpdateExperimentByPutRequest'];
    response: Schemas['CreateExperimentResponse'];
  };
  'PATCH /v3/edit/goals/{id}': {
    params: { id: string } & Schemas['UpdateGoalByPutRequest'];
    response: Schemas['CreateGoalResponse'];
  };
  'PATCH /v3/edit/imports/{id}': {
    params: { id: string } & Schemas['UpdateImportByPutRequest'];
    response: Schemas['CreateImportResponse'];
  };
  'PATCH /v3/edit/launchers/{id}': {
    params: { id: string } & Schemas['UpdateLauncherByPutRequest'];
    response: Schemas['CreateLauncherResponse'];
  };
  'PATCH /v3/edit/launchers/{id}/items/{part_id}': {
    params: { id: string; part_id: string } & Schemas['CreateLauncherItemRequest'];
    response: Schemas['CreateLauncherItemResponse'];
  };
  'PATCH /v3/edit/launchers/{id}/translations': {
    params: { id: string } & Schemas['UpdateTourTranslationsByPutRequest'];
    response: Schemas['UpdateTourTranslationsByPutResponse'];
  };
  'PATCH /v3/edit/limit_groups/{id}': {
    params: { id: string } & Schemas['UpdateLimitGroup'];
    response: Schemas['CreateLimitGroupResponse'];
  };
  'PATCH /v3/edit/pictures/{id}': {
    params: { id: string } & Schemas['UpdatePictureByPutRequest'];
    response: Schemas['CreatePictureResponse'];
  };
  'PATCH /v3/edit/profiles': {
    params: Schemas['UpdateFoundProfileByPutRequest'];
    response: Schemas['UpdateProfileByPutResponse'];
  };
  'PATCH /v3/edit/profiles/{id}': {
    params: { id: string } & Schemas['UpdateProfileByPutRequest'];
    response: Schemas['UpdateProfileByPutResponse'];
  };
  'PATCH /v3/edit/properties/{id}': {
    params: { id: string } & Schemas['UpdateProperty'];
    response: Schemas['CreatePropertyResponse'];
  };
  'PATCH /v3/edit/proposals/{id}': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'PATCH /v3/edit/reports/{id}': {
    params: { id: string } & Schemas['UpdateReport'];
    response: Schemas['CreateReportResponse'];
  };
  'PATCH /v3/edit/responses': {
    params: Schemas['UpdateResponsesByPutRequest'];
    response: Schemas['UpdateResponsesByPutResponse'];
  };
  'PATCH /v3/edit/segments/{id}': {
    params: { id: string } & Schemas['UpdateSegmentByPutRequest'];
    response: Schemas['CreateSegmentResponse'];
  };
  'PATCH /v3/edit/surveys/{id}': {
    params: { id: string } & Schemas['UpdateSurveyByPutRequest'];
    response: Schemas['CreateSurveyResponse'];
  };
  'PATCH /v3/edit/surveys/{id}/steps/{part_id}': {
    params: { id: string; part_id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'PATCH /v3/edit/surveys/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'PATCH /v3/edit/surveys/{id}/translations': {
    params: { id: string } & Schemas['UpdateTourTranslationsByPutRequest'];
    response: Schemas['UpdateTourTranslationsByPutResponse'];
  };
  'PATCH /v3/edit/tags/{id}': {
    params: { id: string } & Schemas['UpdateTag'];
    response: Schemas['CreateTagResponse'];
  };
  'PATCH /v3/edit/themes/{id}': {
    params: { id: string } & Schemas['UpdateThemeByPutRequest'];
    response: Schemas['CreateThemeResponse'];
  };
  'PATCH /v3/edit/tooltips/{id}': {
    params: { id: string } & Schemas['UpdateTooltipByPutRequest'];
    response: Schemas['CreateTooltipResponse'];
  };
  'PATCH /v3/edit/tooltips/{id}/steps/{part_id}': {
    params: { id: string; part_id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'PATCH /v3/edit/tooltips/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'PATCH /v3/edit/tooltips/{id}/translations': {
    params: { id: string } & Schemas['UpdateTourTranslationsByPutRequest'];
    response: Schemas['UpdateTourTranslationsByPutResponse'];
  };
  'PATCH /v3/edit/tours/{id}': {
    params: { id: string } & Schemas['UpdateTourByPutRequest'];
    response: Schemas['CreateTourResponse'];
  };
  'PATCH /v3/edit/tours/{id}/steps/{part_id}': {
    params: { id: string; part_id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'PATCH /v3/edit/tours/{id}/steps/{step_id}/buttons/{button_id}': {
    params: { id: string; step_id: string; button_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'PATCH /v3/edit/tours/{id}/translations': {
    params: { id: string } & Schemas['UpdateTourTranslationsByPutRequest'];
    response: Schemas['UpdateTourTranslationsByPutResponse'];
  };
  'PATCH /v3/edit/url_groups/{id}': {
    params: { id: string } & Schemas['UpdateUrlGroupByPutRequest'];
    response: Schemas['CreateUrlGroupResponse'];
  };
  'PATCH /v3/edit/urls/{id}': {
    params: { id: string } & Schemas['UpdateUrl'];
    response: Schemas['CreateUrlResponse'];
  };
  'PATCH /v3/edit/webhooks/{id}': {
    params: { id: string } & Schemas['UpdateWebhook'];
    response: Schemas['DeleteFoundWebhookResponse'];
  };
  'POST /': {
    params: Record<string, unknown>;
    response: Schemas['CheckSecretResponse'];
  };
  'POST /v3/analyze/companies': {
    params: { filters?: Schemas['Filters3']; filters_op?: 'and' | 'or'; expand?: Schemas['Expand3']; limit?: Schemas['Limit']; before?: Schemas['Before']; after?: string };
    response: Schemas['ListCompaniesResponse'];
  };
  'POST /v3/analyze/funnels': {
    params: { steps: Schemas['Steps5']; window_days?: Schemas['WindowDays']; from?: Schemas['Time']; until?: Schemas['Time']; split_segment_ids?: string[]; within_ms?: number };
    response: Schemas['CountFunnelResponse'];
  };
  'POST /v3/analyze/funnels/people': {
    params: { steps: Schemas['Steps5']; window_days?: Schemas['WindowDays']; from?: Schemas['Time']; until?: Schemas['Time']; step: number; what?: 'reached' | 'left'; segment_id?: string; limit?: Schemas['Limit']; before?: Schemas['Before'] };
    response: Schemas['ListFunnelPeopleResponse'];
  };
  'POST /v3/analyze/funnels/people.{format}': {
    params: { format: string } & ({ steps: Schemas['Steps5']; window_days?: Schemas['WindowDays']; from?: Schemas['Time']; until?: Schemas['Time']; step: number; what?: 'reached' | 'left'; segment_id?: string });
    response: unknown;
  };
  'POST /v3/analyze/identity_checks': {
    params: { uid: Schemas['Uid']; uid_hash?: string | null; identity_hash?: string | null; email?: string | null; company_uid?: string | null };
    response: { identity_check: { valid: boolean; problem: 'no_secret' | 'empty' | 'base64' | 'no_time' | 'milliseconds' | 'malformed' | 'expired' | 'future' | 'other_kind' | 'without_time' | 'other_uid' | 'not_keyed' | 'wrong' | null; message: string; valid_until: Schemas['NullableTimestamp'] } };
  };
  'POST /v3/analyze/interactions': {
    params: { id: string; limit?: Schemas['Limit']; before?: Schemas['Before3']; after?: Schemas['After']; order?: 'created_at' | 'updated_at'; expand?: Schemas['Expand4'] };
    response: Schemas['ListInteractionsResponse'];
  };
  'POST /v3/analyze/profile': {
    params: { id?: Schemas['Id']; uid?: Schemas['Uid']; email?: Schemas['Email2']; expand?: Schemas['Expand2'] };
    response: Schemas['GetProfileResponse'];
  };
  'POST /v3/analyze/profiles': {
    params: { segment_id?: Schemas['Id']; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; expand?: Schemas['Expand']; limit?: Schemas['Limit']; before?: Schemas['Before']; after?: string };
    response: Schemas['ListProfilesResponse'];
  };
  'POST /v3/analyze/profiles/count': {
    params: { segment_id?: Schemas['Id']; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; without_test_users?: boolean; within_ms?: number };
    response: Schemas['CountProfilesResponse'];
  };
  'POST /v3/analyze/profiles/{id}': {
    params: { id: string } & { uid?: Schemas['Uid']; email?: Schemas['Email2']; expand?: Schemas['Expand2'] };
    response: Schemas['GetProfileResponse'];
  };
  'POST /v3/analyze/responses': {
    params: { id: string; from?: Schemas['Time']; until?: Schemas['Time']; finished?: boolean; min_score?: number; max_score?: number; step_id?: string; options?: Schemas['Option'][]; has_comment?: boolean; search?: string; language?: string; segment_id?: string; tag?: string; details?: boolean; properties?: string[]; limit?: Schemas['Limit']; before?: Schemas['Before3']; after?: Schemas['After']; order?: Schemas['Order2']; expand?: Schemas['Expand4'] };
    response: Schemas['ListResponsesResponse'];
  };
  'POST /v3/analyze/segments/count': {
    params: Record<string, unknown>;
    response: Schemas['GetSegmentCountingResponse'];
  };
  'POST /v3/edit/account/uid_secret': {
    params: Record<string, unknown>;
    response: { uid_secret: string; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/alert_groups': {
    params: { name: string; interval: number; kind?: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids?: Schemas['ListOfId6']; campaign_ids?: Schemas['ListOfId7']; experience_ids?: Schemas['ListOfId7']; style?: 'unseen' | 'uncompleted'; published_at?: Schemas['NullableTime'] };
    response: Schemas['CreateAlertGroupResponse'];
  };
  'POST /v3/edit/apply': {
    params: { records?: { file: Schemas['File']; id?: string; version?: string; parts?: Schemas['Parts']; content: Record<string, unknown> }[]; missing?: string[]; source?: string | null; publish?: boolean; adopt?: boolean; archive_missing?: boolean; dry_run?: boolean };
    response: { records: ({ file: string; id: Schemas['Id']; name: string; action: 'create' | 'update' | 'none' | 'missing' | 'archive'; publishes: boolean; version: string; parts: Record<string, unknown>; summary: Schemas['NullableChangeSummary'] })[]; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/companies/search': {
    params: { text?: string; filters?: Schemas['Filters3']; filters_op?: 'and' | 'or'; limit?: Schemas['Limit']; before?: Schemas['Before2'] };
    response: Schemas['FoundCompanies'];
  };
  'POST /v3/edit/debug_tokens': {
    params: { ttl?: number };
    response: { debug_token: { token: string; expires_at: string }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/deliveries': {
    params: { model_kind: 'tour' | 'survey'; model_id: Schemas['ModelId']; profile_id?: Schemas['NullableId']; uid?: Schemas['Uid2']; email?: Schemas['Email']; idempotency_key?: Schemas['IdempotencyKey2']; options?: Schemas['Options']; from?: Schemas['NullableTime']; until?: Schemas['NullableTime']; use_segmentation?: boolean; once?: boolean; skip_triggers?: boolean; skip_url_match?: boolean; delivery_ids_limit?: number; delivery_ids_position?: Schemas['DeliveryIdsPosition']; delivery_ids_at_limit?: 'error' | 'drop' };
    response: Schemas['CreateDeliveryResponse'];
  };
  'POST /v3/edit/embeds': {
    params: { name: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: Schemas['ReservedHeight']; steps?: Schemas['Steps2']; template_id?: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center' };
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/i18n': {
    params: Schemas['DownloadToursTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/embeds/i18n.{format}': {
    params: { format: string } & Schemas['DownloadToursTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/embeds/proposals': {
    params: Schemas['ProposeNewTourRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/embeds/{id}/audience': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CountTourAudienceResponse'];
  };
  'POST /v3/edit/embeds/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/{id}/explanations': {
    params: { id: string } & Schemas['ExplainTourRequest'];
    response: Schemas['ExplainTourResponse'];
  };
  'POST /v3/edit/embeds/{id}/file': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/embeds/{id}/i18n': {
    params: { id: string } & Schemas['DownloadTourTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/embeds/{id}/i18n.{format}': {
    params: { id: string; format: string } & Schemas['DownloadTourTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/embeds/{id}/import': {
    params: { id: string } & ({ name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; sticky?: boolean; overlay?: boolean; dismissible?: boolean; reserved_height?: Schemas['ReservedHeight']; steps?: Schemas['Steps2'] });
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/{id}/people': {
    params: { id: string } & Schemas['SaveTourPeopleRequest'];
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/embeds/{id}/proposals': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/embeds/{id}/publish': {
    params: { id: string } & Schemas['PublishTourRequest'];
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateEmbedResponse'];
  };
  'POST /v3/edit/embeds/{id}/steps': {
    params: { id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'POST /v3/edit/embeds/{id}/steps/{step_id}/buttons': {
    params: { id: string; step_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'POST /v3/edit/event_names': {
    params: { name: string; description?: Schemas['Description']; definition: Schemas['Definition']; published_at?: Schemas['NullableTime'] };
    response: Schemas['DeleteEventNameResponse'];
  };
  'POST /v3/edit/experiences/i18n': {
    params: { format: 'yaml' | 'json'; language?: Schemas['Language2']; archived?: boolean; experiences?: Schemas['Experiences3'] };
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/experiences/i18n.{format}': {
    params: { format: string } & { language?: Schemas['Language2']; archived?: boolean; experiences?: Schemas['Experiences3'] };
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/experiments': {
    params: { name: string; variants: Schemas['Variants']; description?: Schemas['Description2']; segment_ids?: Schemas['ListOfId3']; segments_op?: 'and' | 'or'; goal_ids?: Schemas['ListOfId4']; guardrail_goal_ids?: Schemas['ListOfId5']; window_days?: Schemas['WindowDays2']; smallest_change?: Schemas['SmallestChange'] };
    response: Schemas['CreateExperimentResponse'];
  };
  'POST /v3/edit/experiments/{id}/end': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateExperimentResponse'];
  };
  'POST /v3/edit/experiments/{id}/publish_winner': {
    params: { id: string } & { variant_id: string };
    response: Schemas['CreateExperimentResponse'];
  };
  'POST /v3/edit/experiments/{id}/start': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateExperimentResponse'];
  };
  'POST /v3/edit/experiments/{id}/undo': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateExperimentResponse'];
  };
  'POST /v3/edit/files': {
    params: { known?: Schemas['Known'][] };
    response: Schemas['ListFilesResponse'];
  };
  'POST /v3/edit/files/upload': {
    params: Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/funnels/people': {
    params: { steps: Schemas['Steps5']; window_days?: Schemas['WindowDays']; from?: Schemas['Time']; until?: Schemas['Time']; step: number; what?: 'reached' | 'left'; segment_id?: string; name: string };
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/goals': {
    params: { name: string; kind?: 'event' | 'segment' | 'property' | 'experience'; event_name?: string | null; segment_id?: Schemas['SegmentId']; experience_id?: Schemas['ExperienceId']; experience_state?: 'started' | 'completed' | 'exited' | 'displayed' | null; filters?: Schemas['Filter'][]; sum_property?: Schemas['SumProperty']; within_days?: Schemas['WithinDays']; description?: Schemas['Description']; archived_at?: Schemas['NullableTime'] };
    response: Schemas['CreateGoalResponse'];
  };
  'POST /v3/edit/i18n': {
    params: { dry_run?: boolean };
    response: { i18ns: ({ file: string; language: { code: string | null }; experiences_count: number; updated_count: number; unchanged_count: number; errors: string[] })[]; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/imports': {
    params: { name: string; kind: 'tag_csv' | 'tag_filters' | 'update_csv' | 'delete_csv' | 'delete_filters'; model_kind?: 'profile' | 'company'; tag_import_id?: Schemas['NullableId']; on_model_missing?: 'create' | 'ignore'; import_at?: Schemas['NullableTime']; dry_run?: boolean; properties?: Schemas['Properties2']; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; segment_ids?: Schemas['ListOfId2']; segments_op?: 'and' | 'or'; excluded_segment_ids?: Schemas['ListOfId2'] };
    response: Schemas['CreateImportResponse'];
  };
  'POST /v3/edit/interruptions/people': {
    params: { week: Schemas['Time']; measure?: 'interruptions' | 'steps' | 'seconds'; least: number; most?: number; name: string };
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/invitations': {
    params: { role: Schemas['Role']; note?: string | null };
    response: { invitation: { id: Schemas['Id']; created_at: string; updated_at: string; role: Schemas['Role']; note: string | null; expires_at: string; user: Schemas['NullableUser']; url: Schemas['ShownOnce'] }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/languages': {
    params: { code: Schemas['LanguageCode'] };
    response: Schemas['CreateLanguageResponse'];
  };
  'POST /v3/edit/launchers': {
    params: { name: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; title?: Schemas['Title']; description?: Schemas['Description3']; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: Schemas['Trigger']; trigger_text?: Schemas['TriggerText']; icon_size?: Schemas['IconSize']; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: Schemas['BadgeText']; shortcut?: Schemas['Shortcut']; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: Schemas['EmptyStateContent']; quantifier_urls?: Schemas['QuantifierUrls2']; blocked_domains?: Schemas['BlockedDomains']; preset?: string | null; search_placeholder?: Schemas['SearchPlaceholder']; items?: Schemas['Items3']; template_id?: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center' };
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/launchers/i18n': {
    params: Schemas['DownloadToursTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/launchers/i18n.{format}': {
    params: { format: string } & Schemas['DownloadToursTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/launchers/proposals': {
    params: Schemas['ProposeNewTourRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/launchers/{id}/audience': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CountTourAudienceResponse'];
  };
  'POST /v3/edit/launchers/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/launchers/{id}/explanations': {
    params: { id: string } & Schemas['ExplainTourRequest'];
    response: Schemas['ExplainTourResponse'];
  };
  'POST /v3/edit/launchers/{id}/file': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/launchers/{id}/i18n': {
    params: { id: string } & Schemas['DownloadTourTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/launchers/{id}/i18n.{format}': {
    params: { id: string; format: string } & Schemas['DownloadTourTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/launchers/{id}/import': {
    params: { id: string } & ({ name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; title?: Schemas['Title']; description?: Schemas['Description3']; list_type?: 'default' | 'checklist'; in_order?: boolean; celebration?: boolean; hide_after_completed_days?: number | null; trigger_type?: 'icon' | 'tab' | 'element'; trigger?: Schemas['Trigger']; trigger_text?: Schemas['TriggerText']; icon_size?: Schemas['IconSize']; screen_position?: Schemas['ScreenPosition']; offset_x?: number | null; offset_y?: number | null; badge?: 'count' | 'dot' | 'text' | 'none'; badge_text?: Schemas['BadgeText']; shortcut?: Schemas['Shortcut']; position_type?: 'relative_to_screen' | 'snap_to_trigger'; empty_state_content?: Schemas['EmptyStateContent']; quantifier_urls?: Schemas['QuantifierUrls2']; blocked_domains?: Schemas['BlockedDomains']; preset?: string | null; search_placeholder?: Schemas['SearchPlaceholder']; items?: Schemas['Items3'] });
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/launchers/{id}/items': {
    params: { id: string } & Schemas['CreateLauncherItemRequest'];
    response: Schemas['CreateLauncherItemResponse'];
  };
  'POST /v3/edit/launchers/{id}/people': {
    params: { id: string } & Schemas['SaveTourPeopleRequest'];
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/launchers/{id}/proposals': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/launchers/{id}/publish': {
    params: { id: string } & Schemas['PublishTourRequest'];
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/launchers/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/launchers/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateLauncherResponse'];
  };
  'POST /v3/edit/limit_groups': {
    params: { name: string; description?: Schemas['Description2']; kind?: 'all' | 'tour' | 'survey' | 'tags' | 'campaigns'; tag_ids?: Schemas['ListOfId6']; campaign_ids?: Schemas['ListOfId7']; experience_ids?: Schemas['ListOfId7']; rate_limit_size?: number; rate_limit_kind?: Schemas['RateLimitKind']; max_count?: number; period_hours?: number; max_steps?: Schemas['MaxSteps']; max_seconds?: Schemas['MaxSeconds'] };
    response: Schemas['CreateLimitGroupResponse'];
  };
  'POST /v3/edit/picks': {
    params: { purpose?: 'pick' | 'try' | 'theme' | 'event'; experience_id?: string; theme_id?: string; event_name_id?: string; step_id?: string; href: string; profile_id?: string; uid?: string };
    response: { pick: { id: Schemas['Id']; created_at: string; purpose: 'pick' | 'try' | 'theme' | 'event'; state: 'waiting' | 'opened' | 'picked' | 'ended' | 'expired'; experience_id: Schemas['NullableId']; theme_id: Schemas['NullableId']; event_name_id: Schemas['NullableId']; step_id: Schemas['NullableId']; href: string; page: Schemas['Page']; result: Schemas['NullablePickResult']; looks: Schemas['NullablePageLooks']; expires_at: string; address: Schemas['ShownOnce']; code: Schemas['ShownOnce'] }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/picks/{id}/sketch': {
    params: { id: string } & Record<string, unknown>;
    response: { sketch: Schemas['StepSketch']; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/pictures': {
    params: { name?: string };
    response: Schemas['CreatePictureResponse'];
  };
  'POST /v3/edit/pictures/{id}/replace': {
    params: { id: string } & { picture_id: Schemas['Id'] };
    response: { experiences: Schemas['ListOfPictureUse']; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/profiles/search': {
    params: { text?: string; segment_id?: string; company_id?: string; filters?: Schemas['Filter'][]; filters_op?: 'and' | 'or'; limit?: Schemas['Limit']; before?: Schemas['Before2'] };
    response: Schemas['FoundPeople'];
  };
  'POST /v3/edit/profiles/{id}/queue': {
    params: { id: string } & { href: string };
    response: { queue: { href: string; problem: string | null; next: ({ experience: Schemas['Experience']; delivery_id: Schemas['NullableId']; why: 'delivery' | 'in_progress' | 'automatic' | 'always' })[]; rest: { experience: Schemas['Experience']; delivery_id: Schemas['NullableId']; reasons: Schemas['ListOfExplainedReason'] }[]; limits: ({ id: Schemas['Id']; name: string; used: number; most: number; steps: Schemas['Steps'] | null; seconds: Schemas['Steps'] | null; period_hours: number; is_reached: boolean; free_at: Schemas['NullableTimestamp'] })[]; snoozes: { experience: Schemas['Experience']; until: string }[] } };
  };
  'POST /v3/edit/properties': {
    params: { name: string; description: string; kind: 'profile' | 'event' | 'company' };
    response: Schemas['CreatePropertyResponse'];
  };
  'POST /v3/edit/reports': {
    params: { name: string; description?: Schemas['Description']; kind: 'overview' | 'adoption' | 'funnel'; params?: Schemas['Params'] };
    response: Schemas['CreateReportResponse'];
  };
  'POST /v3/edit/sample_data': {
    params: Record<string, unknown>;
    response: Schemas['LoadSampleDataResponse'];
  };
  'POST /v3/edit/secrets': {
    params: { name: string; scope: Schemas['Scope']; people?: boolean; expires_at?: Schemas['NullableTime']; networks?: string[] | null };
    response: { secret: { id: Schemas['Id']; created_at: string; updated_at: string; name: string; scope: Schemas['Scope']; people: boolean; expires_at: Schemas['NullableTimestamp']; networks: string[] | null; last_used_at: Schemas['NullableTimestamp']; parent_id: Schemas['NullableId']; user: Schemas['User']; secret: Schemas['ShownOnce'] }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/segments': {
    params: { name: string; items?: Schemas['Item'][]; items_op?: 'and' | 'or' };
    response: Schemas['CreateSegmentResponse'];
  };
  'POST /v3/edit/segments/{id}/import': {
    params: { id: string } & ({ name?: string; items: Schemas['Items2']; items_op?: 'and' | 'or' });
    response: Schemas['CreateSegmentResponse'];
  };
  'POST /v3/edit/survey_links': {
    params: { survey_id: string; uids: string[]; link_id?: string; expires_at?: Schemas['Time'] };
    response: { survey_links: { uid: string; url: string; expires_at: string }[]; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/surveys': {
    params: { name: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; steps?: Schemas['Steps2']; template_id?: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center' };
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/i18n': {
    params: Schemas['DownloadToursTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/surveys/i18n.{format}': {
    params: { format: string } & Schemas['DownloadToursTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/surveys/proposals': {
    params: Schemas['ProposeNewTourRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/surveys/{id}/audience': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CountTourAudienceResponse'];
  };
  'POST /v3/edit/surveys/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/{id}/explanations': {
    params: { id: string } & Schemas['ExplainTourRequest'];
    response: Schemas['ExplainTourResponse'];
  };
  'POST /v3/edit/surveys/{id}/file': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/surveys/{id}/i18n': {
    params: { id: string } & Schemas['DownloadTourTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/surveys/{id}/i18n.{format}': {
    params: { id: string; format: string } & Schemas['DownloadTourTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/surveys/{id}/import': {
    params: { id: string } & ({ name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; public_page?: boolean; stop_after_responses?: number | null; stop_after_responses_per_segment?: number | null; steps?: Schemas['Steps2'] });
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/{id}/people': {
    params: { id: string } & Schemas['SaveTourPeopleRequest'];
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/surveys/{id}/proposals': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/surveys/{id}/publish': {
    params: { id: string } & Schemas['PublishTourRequest'];
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateSurveyResponse'];
  };
  'POST /v3/edit/surveys/{id}/steps': {
    params: { id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'POST /v3/edit/surveys/{id}/steps/{step_id}/buttons': {
    params: { id: string; step_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'POST /v3/edit/tags': {
    params: { name: string; uid?: string; description?: Schemas['Description2']; disabled_at?: Schemas['NullableTime'] };
    response: Schemas['CreateTagResponse'];
  };
  'POST /v3/edit/tags/bulk': {
    params: { updates: ({ model_id: string; model_type: 'Campaign' | 'List' | 'Tooltip'; tag_id?: Schemas['TagId']; tag_name?: string; tag_names?: string[] })[] };
    response: { updates: ({ model_id: Schemas['Id']; model_type: 'Campaign' | 'List' | 'Tooltip'; tag_ids: Schemas['ListOfId'] })[]; tags: Schemas['ListOfTag']; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/themes': {
    params: { name: string; description?: Schemas['Description2']; default?: boolean; published_at?: Schemas['NullableTime']; css?: Schemas['Css']; variations?: Schemas['Variations']; style_font?: string | null; style_font_size?: string | null; style_font_weight?: string | null; style_line_height?: string | null; style_title_font?: string | null; style_title_font_size?: string | null; style_title_font_weight?: string | null; style_title_line_height?: string | null; style_button_font?: string | null; style_button_font_size?: string | null; style_button_font_weight?: string | null; style_button_line_height?: string | null; style_radius?: string | null; style_button_radius?: string | null; style_border_width?: string | null; style_width?: Schemas['StyleWidth']; style_spacing?: string | null; style_highlight_width?: string | null; style_shadow?: Schemas['StyleShadow']; style_backdrop_opacity?: Schemas['StyleBackdropOpacity']; style_progress?: Schemas['StyleProgress']; style_scale?: Schemas['StyleScale']; style_motion?: Schemas['StyleMotion']; style_color_background?: string | null; style_color_text?: string | null; style_color_title?: string | null; style_color_link?: string | null; style_color_border?: string | null; style_color_button_highlight?: string | null; style_color_button_text?: string | null; style_color_button_hover?: string | null; style_color_button_border?: string | null; style_color_secondary_button_highlight?: string | null; style_color_secondary_button_text?: string | null; style_color_secondary_button_hover?: string | null; style_color_secondary_button_border?: string | null; style_color_dismiss?: string | null; style_color_shroud?: string | null; style_color_highlight?: string | null; style_color_hotspot?: string | null; style_color_icon?: string | null; style_color_icon_background?: string | null; style_color_progress?: string | null; style_color_checkmark?: string | null; style_color_timer?: string | null; style_dark_color_background?: string | null; style_dark_color_text?: string | null; style_dark_color_title?: string | null; style_dark_color_link?: string | null; style_dark_color_border?: string | null; style_dark_color_button_highlight?: string | null; style_dark_color_button_text?: string | null; style_dark_color_button_hover?: string | null; style_dark_color_button_border?: string | null; style_dark_color_secondary_button_highlight?: string | null; style_dark_color_secondary_button_text?: string | null; style_dark_color_secondary_button_hover?: string | null; style_dark_color_secondary_button_border?: string | null; style_dark_color_dismiss?: string | null; style_dark_color_shroud?: string | null; style_dark_color_highlight?: string | null; style_dark_color_hotspot?: string | null; style_dark_color_icon?: string | null; style_dark_color_icon_background?: string | null; style_dark_color_progress?: string | null; style_dark_color_checkmark?: string | null; style_dark_color_timer?: string | null };
    response: Schemas['CreateThemeResponse'];
  };
  'POST /v3/edit/themes/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateThemeResponse'];
  };
  'POST /v3/edit/themes/{id}/import': {
    params: { id: string } & ({ name?: string; description?: Schemas['Description2']; default?: boolean; published_at?: Schemas['NullableTime']; css?: Schemas['Css']; variations?: Schemas['Variations']; style_font?: string | null; style_font_size?: string | null; style_font_weight?: string | null; style_line_height?: string | null; style_title_font?: string | null; style_title_font_size?: string | null; style_title_font_weight?: string | null; style_title_line_height?: string | null; style_button_font?: string | null; style_button_font_size?: string | null; style_button_font_weight?: string | null; style_button_line_height?: string | null; style_radius?: string | null; style_button_radius?: string | null; style_border_width?: string | null; style_width?: Schemas['StyleWidth']; style_spacing?: string | null; style_highlight_width?: string | null; style_shadow?: Schemas['StyleShadow']; style_backdrop_opacity?: Schemas['StyleBackdropOpacity']; style_progress?: Schemas['StyleProgress']; style_scale?: Schemas['StyleScale']; style_motion?: Schemas['StyleMotion']; style_color_background?: string | null; style_color_text?: string | null; style_color_title?: string | null; style_color_link?: string | null; style_color_border?: string | null; style_color_button_highlight?: string | null; style_color_button_text?: string | null; style_color_button_hover?: string | null; style_color_button_border?: string | null; style_color_secondary_button_highlight?: string | null; style_color_secondary_button_text?: string | null; style_color_secondary_button_hover?: string | null; style_color_secondary_button_border?: string | null; style_color_dismiss?: string | null; style_color_shroud?: string | null; style_color_highlight?: string | null; style_color_hotspot?: string | null; style_color_icon?: string | null; style_color_icon_background?: string | null; style_color_progress?: string | null; style_color_checkmark?: string | null; style_color_timer?: string | null; style_dark_color_background?: string | null; style_dark_color_text?: string | null; style_dark_color_title?: string | null; style_dark_color_link?: string | null; style_dark_color_border?: string | null; style_dark_color_button_highlight?: string | null; style_dark_color_button_text?: string | null; style_dark_color_button_hover?: string | null; style_dark_color_button_border?: string | null; style_dark_color_secondary_button_highlight?: string | null; style_dark_color_secondary_button_text?: string | null; style_dark_color_secondary_button_hover?: string | null; style_dark_color_secondary_button_border?: string | null; style_dark_color_dismiss?: string | null; style_dark_color_shroud?: string | null; style_dark_color_highlight?: string | null; style_dark_color_hotspot?: string | null; style_dark_color_icon?: string | null; style_dark_color_icon_background?: string | null; style_dark_color_progress?: string | null; style_dark_color_checkmark?: string | null; style_dark_color_timer?: string | null });
    response: Schemas['CreateThemeResponse'];
  };
  'POST /v3/edit/themes/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateThemeResponse'];
  };
  'POST /v3/edit/themes/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateThemeResponse'];
  };
  'POST /v3/edit/tooltips': {
    params: { name: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; steps?: Schemas['Steps2']; template_id?: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center' };
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/i18n': {
    params: Schemas['DownloadToursTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tooltips/i18n.{format}': {
    params: { format: string } & Schemas['DownloadToursTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tooltips/proposals': {
    params: Schemas['ProposeNewTourRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/tooltips/{id}/audience': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CountTourAudienceResponse'];
  };
  'POST /v3/edit/tooltips/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/{id}/explanations': {
    params: { id: string } & Schemas['ExplainTourRequest'];
    response: Schemas['ExplainTourResponse'];
  };
  'POST /v3/edit/tooltips/{id}/file': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/tooltips/{id}/i18n': {
    params: { id: string } & Schemas['DownloadTourTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tooltips/{id}/i18n.{format}': {
    params: { id: string; format: string } & Schemas['DownloadTourTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tooltips/{id}/import': {
    params: { id: string } & ({ name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; steps?: Schemas['Steps2'] });
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/{id}/people': {
    params: { id: string } & Schemas['SaveTourPeopleRequest'];
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/tooltips/{id}/proposals': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/tooltips/{id}/publish': {
    params: { id: string } & Schemas['PublishTourRequest'];
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateTooltipResponse'];
  };
  'POST /v3/edit/tooltips/{id}/steps': {
    params: { id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'POST /v3/edit/tooltips/{id}/steps/{step_id}/buttons': {
    params: { id: string; step_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'POST /v3/edit/tours': {
    params: { name: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; steps?: Schemas['Steps2']; template_id?: 'welcome_tour' | 'onboarding_checklist' | 'feature_announcement' | 'new_feature_tooltip' | 'webinar_invitation' | 'nps' | 'satisfaction_survey' | 'product_market_survey' | 'cancellation_survey' | 'upgrade_offer' | 'trial_ending' | 'banner' | 'help_center' };
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/i18n': {
    params: Schemas['DownloadToursTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tours/i18n.{format}': {
    params: { format: string } & Schemas['DownloadToursTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tours/proposals': {
    params: Schemas['ProposeNewTourRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/tours/{id}/audience': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CountTourAudienceResponse'];
  };
  'POST /v3/edit/tours/{id}/duplicate': {
    params: { id: string } & Schemas['DuplicateThemeRequest'];
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/{id}/explanations': {
    params: { id: string } & Schemas['ExplainTourRequest'];
    response: Schemas['ExplainTourResponse'];
  };
  'POST /v3/edit/tours/{id}/file': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['ReplaceTourWithFileResponse'];
  };
  'POST /v3/edit/tours/{id}/i18n': {
    params: { id: string } & Schemas['DownloadTourTextsByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tours/{id}/i18n.{format}': {
    params: { id: string; format: string } & Schemas['DownloadTourTextsAsFileByPostRequest'];
    response: Schemas['TranslationFileAnswer'];
  };
  'POST /v3/edit/tours/{id}/import': {
    params: { id: string } & ({ name?: string; position?: Schemas['Position']; segment_ids?: string[]; segments_op?: 'and' | 'or'; excluded_segment_ids?: string[]; url_group_ids?: Schemas['UrlGroupIds']; tag_ids?: Schemas['TagIds']; theme_id?: Schemas['ThemeId']; published_at?: Schemas['NullableTime']; published_until?: Schemas['NullableTime']; archived_at?: Schemas['NullableTime']; rate_unlimit_at?: Schemas['NullableTime']; experiment_at?: Schemas['NullableTime']; experiment_range?: Schemas['ExperimentRange']; goal?: string | null; goals?: Schemas['Goals']; without_consent?: boolean; repeat_days?: number | null; segment_id?: Schemas['SegmentId2']; excluded_segment_id?: Schemas['ExcludedSegmentId']; style?: 'auto' | 'manual' | 'banner' | 'card'; steps?: Schemas['Steps2'] });
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/{id}/people': {
    params: { id: string } & Schemas['SaveTourPeopleRequest'];
    response: Schemas['SaveFunnelPeopleResponse'];
  };
  'POST /v3/edit/tours/{id}/proposals': {
    params: { id: string } & Schemas['ProposeTourChangeRequest'];
    response: Schemas['ProposeNewTourResponse'];
  };
  'POST /v3/edit/tours/{id}/publish': {
    params: { id: string } & Schemas['PublishTourRequest'];
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/{id}/resume': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/{id}/revert': {
    params: { id: string } & Schemas['RevertThemeRequest'];
    response: Schemas['CreateTourResponse'];
  };
  'POST /v3/edit/tours/{id}/steps': {
    params: { id: string } & Schemas['CreateTourStepRequest'];
    response: Schemas['CreateTourStepResponse'];
  };
  'POST /v3/edit/tours/{id}/steps/{step_id}/buttons': {
    params: { id: string; step_id: string } & Schemas['ButtonParameters'];
    response: Schemas['CreateTourStepButtonResponse'];
  };
  'POST /v3/edit/url_groups': {
    params: { name: string; description?: Schemas['Description']; short_name?: Schemas['ShortName']; style_short_name_color?: Schemas['StyleShortNameColor'] };
    response: Schemas['CreateUrlGroupResponse'];
  };
  'POST /v3/edit/urls': {
    params: { host: string; enabled?: 'off' | 'on' | 'subdomain' | true | false | null; unlisted?: boolean; archived_at?: Schemas['NullableTime']; url_group_id?: Schemas['NullableId'] };
    response: Schemas['CreateUrlResponse'];
  };
  'POST /v3/edit/urls/batch': {
    params: { ids: Schemas['Id'][]; enabled?: Schemas['Enabled']; archived_at?: Schemas['NullableTime']; url_group_id?: Schemas['NullableId'] };
    response: { urls: Schemas['ListOfUrl']; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/urls/{id}/move': {
    params: { id: string } & { url_group_id: Schemas['NullableId']; experience_ids?: Schemas['Id'][]; removed_experience_ids?: Schemas['Id'][]; updated_at?: Schemas['SeenUpdatedAt'] };
    response: { url: Schemas['Url']; experience_ids: Schemas['ListOfId']; removed_experience_ids: Schemas['ListOfId']; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/webhooks': {
    params: { kind?: 'webhook' | 'zapier_hook'; url: Schemas['Url2']; name?: string; topics: Schemas['Topics2']; experience_ids?: Schemas['ListOfId9']; experience_id?: Schemas['ExperienceId2']; id_header?: Schemas['IdHeader']; signature_header?: Schemas['SignatureHeader'] };
    response: { webhook: { id: Schemas['Id']; created_at: string; updated_at: string; kind: 'webhook' | 'zapier_hook'; uid: string; name: string; topics: Schemas['Topics']; experience_ids: Schemas['ListOfId']; id_header: string | null; signature_header: string | null; enabled: boolean; secret_rotated_at: Schemas['NullableTimestamp']; failing_since: Schemas['NullableTimestamp']; last_item_at: Schemas['NullableTimestamp']; last_item_state: 'sent' | 'failing' | 'failed' | 'disabled' | null; last_item_error: string | null; secret: Schemas['ShownOnce'] }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/edit/webhooks/{id}/items/{item_id}/retry': {
    params: { id: string; item_id: string } & Record<string, unknown>;
    response: Schemas['PingWebhookResponse'];
  };
  'POST /v3/edit/webhooks/{id}/ping': {
    params: { id: string } & Record<string, unknown>;
    response: Schemas['PingWebhookResponse'];
  };
  'POST /v3/edit/webhooks/{id}/rotate': {
    params: { id: string } & Record<string, unknown>;
    response: { webhook: { id: Schemas['Id']; created_at: string; updated_at: string; kind: 'webhook' | 'zapier_hook'; uid: string; name: string; topics: Schemas['Topics']; experience_ids: Schemas['ListOfId']; id_header: string | null; signature_header: string | null; enabled: boolean; secret_rotated_at: Schemas['NullableTimestamp']; failing_since: Schemas['NullableTimestamp']; last_item_at: Schemas['NullableTimestamp']; last_item_state: 'sent' | 'failing' | 'failed' | 'disabled' | null; last_item_error: string | null; secret: string }; warnings?: Schemas['Warnings'] };
  };
  'POST /v3/observe/hooks/companies': {
    params: Schemas['CompanyInput'];
    response: Schemas['SendCompanyResponse'];
  };
  'POST /v3/observe/hooks/companies/batch': {
    params: Schemas['SendCompaniesRequest'];
    response: Schemas['SendProfilesResponse'];
  };
  'POST /v3/observe/hooks/event': {
    params: Schemas['SendEventRequest'];
    response: Schemas['SendEventResponse'];
  };
  'POST /v3/observe/hooks/events': {
    params: Schemas['SendEventRequest'];
    response: Schemas['SendEventResponse'];
  };
  'POST /v3/observe/hooks/events/batch': {
    params: Schemas['SendEventsRequest'];
    response: Schemas['SendProfilesResponse'];
  };
  'POST /v3/observe/hooks/profiles': {
    params: Schemas['ProfileInput'];
    response: Schemas['SendProfileResponse'];
  };
  'POST /v3/observe/hooks/profiles/batch': {
    params: Schemas['SendProfilesRequest'];
    response: Schemas['SendProfilesResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/companies': {
    params: { account_secret: string } & Schemas['CompanyInput'];
    response: Schemas['SendCompanyResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/companies/batch': {
    params: { account_secret: string } & Schemas['SendCompaniesRequest'];
    response: Schemas['SendProfilesResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/event': {
    params: { account_secret: string } & Schemas['SendEventRequest'];
    response: Schemas['SendEventResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/events': {
    params: { account_secret: string } & Schemas['SendEventRequest'];
    response: Schemas['SendEventResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/events/batch': {
    params: { account_secret: string } & Schemas['SendEventsRequest'];
    response: Schemas['SendProfilesResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/profiles': {
    params: { account_secret: string } & Schemas['ProfileInput'];
    response: Schemas['SendProfileResponse'];
  };
  'POST /v3/observe/hooks/{account_secret}/profiles/batch': {
    params: { account_secret: string } & Schemas['SendProfilesRequest'];
    response: Schemas['SendProfilesResponse'];
  };
}


/** What webhooks receive, by topic. */
export interface Webhooks {
  'ping': { id: Schemas['Id']; kind: 'ping'; sent_at: string; data: { account: { id: Schemas['Id']; domain: string | null; name: string | null } } };
  'response.finished': { id: Schemas['Id']; kind: 'response.finished'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; survey: Schemas['Survey']; response: Schemas['Response'] } };
  'tour.started': { id: Schemas['Id']; kind: 'tour.started'; sent_at: string; data: Schemas['Data'] };
  'tour.completed': { id: Schemas['Id']; kind: 'tour.completed'; sent_at: string; data: Schemas['Data'] };
  'tour.exited': { id: Schemas['Id']; kind: 'tour.exited'; sent_at: string; data: Schemas['Data'] };
  'tour.snoozed': { id: Schemas['Id']; kind: 'tour.snoozed'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; tour: Schemas['Tour']; step: Schemas['Step3']; action: Schemas['Action3'] } };
  'tour.button.clicked': { id: Schemas['Id']; kind: 'tour.button.clicked'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; tour: Schemas['Tour']; step: Schemas['Step3']; button: Schemas['Button2']; action: Schemas['Action2'] } };
  'survey.started': { id: Schemas['Id']; kind: 'survey.started'; sent_at: string; data: Schemas['Data2'] };
  'survey.completed': { id: Schemas['Id']; kind: 'survey.completed'; sent_at: string; data: Schemas['Data2'] };
  'survey.exited': { id: Schemas['Id']; kind: 'survey.exited'; sent_at: string; data: Schemas['Data2'] };
  'survey.snoozed': { id: Schemas['Id']; kind: 'survey.snoozed'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; survey: Schemas['Survey']; step: Schemas['Step3']; action: Schemas['Action3'] } };
  'survey.button.clicked': { id: Schemas['Id']; kind: 'survey.button.clicked'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; survey: Schemas['Survey']; step: Schemas['Step3']; button: Schemas['Button2']; action: Schemas['Action2'] } };
  'embed.started': { id: Schemas['Id']; kind: 'embed.started'; sent_at: string; data: Schemas['Data3'] };
  'embed.completed': { id: Schemas['Id']; kind: 'embed.completed'; sent_at: string; data: Schemas['Data3'] };
  'embed.exited': { id: Schemas['Id']; kind: 'embed.exited'; sent_at: string; data: Schemas['Data3'] };
  'embed.snoozed': { id: Schemas['Id']; kind: 'embed.snoozed'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; embed: Schemas['Tour']; step: Schemas['Step3']; action: Schemas['Action3'] } };
  'embed.button.clicked': { id: Schemas['Id']; kind: 'embed.button.clicked'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; embed: Schemas['Tour']; step: Schemas['Step3']; button: Schemas['Button2']; action: Schemas['Action2'] } };
  'delivery.triggered': { id: Schemas['Id']; kind: 'delivery.triggered'; sent_at: string; data: { profile: Schemas['EmbeddedProfile']; profile_truncated?: Schemas['ProfileTruncated']; tour?: Schemas['Tour']; survey?: Schemas['Survey']; delivery: Schemas['Delivery'] | Schemas['Account'] } };
  'experience.target_missing': { id: Schemas['Id']; kind: 'experience.target_missing'; sent_at: string; data: { experience: Schemas['Tour']; step: { id: Schemas['Id']; index: number; preset: string | null; title: string | null; body: string | null } | null; problem: { elements: Schemas['ListOfPageElement']; path: string; browser: string; users_count: number; total_users_count: number; share: number; since: string } } };
  'alert.triggered': { id: Schemas['Id']; kind: 'alert.triggered'; sent_at: string; data: { alert_group: { id: Schemas['Id']; name: string; kind: string; style: string; interval: number }; experiences: ({ id: Schemas['Id']; created_at: string; kind: 'tour' | 'survey' | 'launcher' | 'tooltip' | 'embed'; name: string | null; published_at: Schemas['NullableTimestamp']; segment_id: Schemas['NullableId']; since: string })[]; experiences_count: number } };
}
