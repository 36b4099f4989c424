import { isOneOf } from '../basics/records.ts';
import { additionalActions } from '../fields/button-fields.ts';
import { listShownFields, withArticle } from '../fields/derive.ts';
import type { ElementTarget, Field, Fields, PageElement, Question } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { askOf, isShownInQuestion, listQuestionTexts, questionNameOf } from '../fields/question.ts';
import { isExclusive, kinds } from '../kinds/kinds.ts';
import { findPatternProblem, type QuantifierUrl } from '../patterns/url-match.ts';
import { parseVideo } from '../pictures/video.ts';
import { parseMarkdown } from '../rich-text/markdown.ts';
import { isAddress, type RichNode } from '../rich-text/merge.ts';
import { listMergePaths, parseText } from '../rich-text/merge-tag.ts';
import { countSigns, MAX_SIGNS_IN_EXPERIENCE } from '../rich-text/text-cost.ts';
import { listDocumentFilters } from './document-filters.ts';
import type { Button, Document, ListItem, Step } from './experience.ts';
import { beginsAsHotspot } from './hotspot.ts';
import { isFindable, toTarget } from './page-element.ts';
import { checkQuestion } from './publish-questions.ts';
import { findSelectorProblem, findShadowSelectorProblem } from './selector.ts';
import { findShortcutProblem } from './shortcut.ts';
import { listPathProblems } from './survey-paths.ts';
import { listTranslatableSteps } from './translatable-texts.ts';

/*
 * Checks that an Experience works for users. A draft may be incomplete; these checks run when it is published. The messages
 * are for its author, who knows steps and buttons, but not the names of fields.
 */

/** The limit for one Experience: parsing this many characters takes about 10 ms. */
const MAX_REGEX_CHARACTERS = 20_000;

/** What keeps a document from being published. */
export interface PublishProblem {
  /** The path of the field with the problem, such as `steps.0.title`. Empty if the problem is about the whole Experience. */
  path: string;
  /** A whole sentence, which names the step. */
  message: string;
  /** The message for an author who already looks at the field, so it does not name the step. */
  detail: string;
}

type AddProblem = (problem: string, path: string, detail?: string) => void;
/** Whether a tour or survey is live, by its ID. Deleted ones are missing. */
type Campaigns = ReadonlyMap<string, boolean>;
/** What the checks know of the account. */
interface Surroundings {
  campaigns: Campaigns;
  /** Whether texts may show values of the page's `window`. */
  allowGlobals: boolean;
  /** Whether it shows to users who have not consented. */
  withoutConsent: boolean;
}

/** The messages of `listPublishProblems`. */
export function findPublishProblems(document: Document, campaigns: Campaigns, allowGlobals = false): string[] {
  return listPublishProblems(document, campaigns, allowGlobals).map(({ message }) => message);
}

/** Lists the problems that keep a document from being published. Each message names the step. */
export function listPublishProblems(document: Document, campaigns: Campaigns, allowGlobals = false): PublishProblem[] {
  const around: Surroundings = { campaigns, allowGlobals, withoutConsent: document.without_consent };
  // Check this before parsing, because parsing takes long.
  const signs = listTranslatableSteps('', document)
    .flatMap(({ texts }) => texts)
    .reduce((sum, { text }) => sum + countSigns(text), 0);
  if (signs > MAX_SIGNS_IN_EXPERIENCE)
    return [{ path: '', message: formatTooManySigns(document, signs), detail: formatTooManySigns(document, signs) }];
  const problems: PublishProblem[] = [];
  const addProblem: AddProblem = (message, path, detail = message) => problems.push({ path, message, detail });
  const tooLong = findRegexProblem(document);
  if (tooLong) return [{ path: '', message: tooLong, detail: tooLong }];
  checkExperience(document, around, addProblem);
  for (const [index, step] of document.steps.entries())
    checkStep(step, document, around, prefixProblems(addProblem, 'Step', `steps.${index}`, step));
  for (const [index, item] of (document.items ?? []).entries())
    checkItem(item, around, prefixProblems(addProblem, 'Item', `items.${index}`, item));
  return problems;
}

function formatTooManySigns({ kind }: Document, signs: number): string {
  return `The texts of the ${kind} have ${signs} line breaks and signs such as \`*\`, \`_\`, \`[\` and \`{{\`: ${MAX_SIGNS_IN_EXPERIENCE} at most can be read. Make them plainer, or make several`;
}

function prefixProblems(
  addProblem: AddProblem,
  what: string,
  at: string,
  { position, title }: { position: number; title: string | null },
): AddProblem {
  const name = title?.trim() ? ` ("${title.trim()}")` : '';
  return (problem, field, detail = problem) =>
    addProblem(`${what} ${position + 1}${name}: ${problem}`, field ? `${at}.${field}` : at, detail);
}

function checkExperience(document: Document, around: Surroundings, addProblem: AddProblem): void {
  const { kind, steps } = document;
  const { parts, fields, asks } = kinds[kind];
  if (parts === 'items') checkLauncher(document, addProblem);
  else if (steps.length === 0) addProblem(`The ${kind} has no steps: add one`, 'steps');
  checkTexts(document, fields, around, (problem, field, name) =>
    addProblem(`The ${name} of the ${kind}: ${problem}`, field, problem),
  );
  checkUrls(document.quantifier_urls ?? [], (problem, field) => addProblem(`The ${kind}: ${problem}`, field));
  if (asks && steps.length > 0) checkQuestions(document, addProblem);
  if (document.without_consent) checkWithoutConsent(document, addProblem);
  if (document.experiment_at !== null && document.experiment_range === null)
    addProblem(
      'The experiment has no range: choose which percents of the users take part, such as 0-50',
      'experiment_range',
    );
}

/** Checked before parsing, because parsing the regular expressions takes the time. */
function findRegexProblem({ quantifier_urls = [], steps }: Document): string | undefined {
  const length = countRegexCharacters([...quantifier_urls, ...steps.flatMap((step) => step.quantifier_urls)]);
  if (length <= MAX_REGEX_CHARACTERS) return undefined;
  return `The URL patterns of the match type regex have ${length} characters together, and ${MAX_REGEX_CHARACTERS} are the most: shorten them, or use the match type simple`;
}

function countRegexCharacters(urls: readonly QuantifierUrl[]): number {
  return urls.reduce((sum, { url, match_type }) => sum + (match_type === 'regex' ? url.length : 0), 0);
}

function checkQuestions({ kind, steps }: Document, addProblem: AddProblem): void {
  for (const { index, path, message } of listPathProblems(steps, (step) => listAnswersIn(kind, step)))
    prefixProblems(addProblem, 'Step', `steps.${index}`, steps[index] as Step)(message, path);
  if (!steps.some((step) => askOf(step) && step.preset !== 'response'))
    addProblem(`The ${kind} asks nothing: choose a kind of question, such as NPS, for one of its steps`, 'steps');
  const [first] = steps;
  if (first?.preset === 'response' || first?.preset === 'thank_you')
    prefixProblems(
      addProblem,
      'Step',
      'steps.0',
      first,
    )('it answers a question, so it cannot be the first: move the question before it', 'preset');
}

/** The steps whose answers are shown in the texts of a step. */
function listAnswersIn(kind: Document['kind'], step: object): string[] {
  const texts = listTranslatableSteps('', { kind, steps: [step] } as unknown as Document);
  return texts
    .flatMap(({ texts }) => texts)
    .flatMap(({ text }) => {
      if (!text.includes('{{')) return [];
      const read = parseText(text);
      return 'problem' in read ? [] : listMergePaths(read).answers;
    });
}

function checkLauncher(document: Document, addProblem: AddProblem): void {
  const { items = [], trigger = null, trigger_type, trigger_text = null } = document;
  if (!items.some(({ kind, hide }) => kind !== 'divider' && !hide))
    addProblem('The launcher has no items that show: add one, or show one that is hidden', 'items');
  if (trigger_type === 'tab' && isBlank(trigger_text))
    addProblem('The launcher opens by a tab without a text: write one', 'trigger_text');
  if (document.badge === 'text' && isBlank(document.badge_text ?? null))
    addProblem('The badge of the launcher is a text, but there is none: write one', 'badge_text');
  const problem = isBlank(document.shortcut ?? null) ? undefined : findShortcutProblem(document.shortcut ?? '');
  if (problem) addProblem(`The keyboard shortcut of the launcher: ${problem}`, 'shortcut', problem);
  if (trigger_type === 'element') {
    const problem = trigger === null ? 'is empty' : findSelectorProblem(trigger);
    if (problem) addProblem(`The launcher opens by an element, but its selector ${problem}`, 'trigger');
  }
}

function checkStep(step: Step, document: Document, around: Surroundings, addProblem: AddProblem): void {
  const { kind } = document;
  const { asks, place } = kinds[kind];
  const hasText = !isBlank(step.title) || !isBlank(step.body);
  const name = questionNameOf(step);
  const speaksByHint = name === 'survey_input' || name === 'text' || name === 'long_text' || name === 'email';
  if (!hasText && !(speaksByHint && !isBlank(step.placeholder)) && !(name === 'consent'))
    addProblem('it says nothing: write a title or a body', 'title');
  checkOwnTexts(step, partFields.steps, around, addProblem);
  if (!isBlank(step.video_url ?? null) && !parseVideo(step.video_url ?? ''))
    addProblem(
      `its video "${step.video_url}" is none that can be shown: give the address of an MP4 or WebM file that begins with https://, or of a video on YouTube, Vimeo or Loom`,
      'video_url',
    );
  if (place === 'inline' && step.position_type !== 'inline')
    addProblem(`${withArticle(kind)} is part of the page: place it inline, at an element`, 'position_type');
  checkPlace(step, document, addProblem);
  checkTriggers(step, addProblem);
  if (step.step_trigger === 'event') checkEvent(step, document, addProblem);
  checkUrls(step.quantifier_urls, addProblem);
  if (asks) {
    checkAnswers(step, addProblem);
    checkQuestion(step, addProblem);
  } else if (step.question || (step.next ?? []).length > 0)
    addProblem(`${withArticle(kind)} asks no questions: make a survey for them`, step.question ? 'question' : 'next');
  for (const [index, button] of step.buttons.entries())
    checkButton(button, around, (problem, field) =>
      addProblem(`${formatButtonName(button)}: ${problem}`, `buttons.${index}.${field}`, problem),
    );
}

function formatButtonName({ position, text }: Button): string {
  return `button ${position + 1}${isBlank(text) ? '' : ` ("${text?.trim()}")`}`;
}

function checkOwnTexts(model: object, fields: Fields, around: Surroundings, addProblem: AddProblem): void {
  checkTexts(model, fields, around, (problem, field, name) => addProblem(`its ${name}: ${problem}`, field, problem));
}

/** Checks that the texts that users read can be parsed. */
function checkTexts(
  model: object,
  fields: Fields,
  around: Surroundings,
  addProblem: (problem: string, field: string, name: string) => void,
): void {
  for (const field of listShownFields(fields)) {
    const { type, name, item } = fields[field] as Field;
    const value = (model as Record<string, unknown>)[field];
    const check = (text: unknown, path: string, called: string) => {
      const read = type === 'markdown' ? parseMarkdown(String(text)) : parseText(String(text));
      const problem =
        'problem' in read ? read.problem : (findGlobalProblem(read, around) ?? findUserProblem(read, around));
      if (problem) addProblem(problem, path, called);
    };
    if (type === 'question') checkQuestionTexts(value as Question | null, field, check);
    else if (Array.isArray(value))
      for (const [index, one] of value.entries()) check(one, `${field}.${index}`, `${item?.name} ${index + 1}`);
    else if (typeof value === 'string') check(value, field, name);
  }
}

/** Before the user has consented, nothing is known of them. */
function findUserProblem(text: readonly RichNode[], { withoutConsent }: Surroundings): string | undefined {
  const { props, options } = listMergePaths(text);
  const [name] = withoutConsent ? [...props, ...options] : [];
  return name === undefined
    ? undefined
    : `it shows \`${name}\` of the user, of whom nothing is known before they have consented: remove it, or turn off “Before consent”`;
}

function checkWithoutConsent(document: Document, addProblem: AddProblem): void {
  const { segment_ids, excluded_segment_ids, experiment_at, items = [] } = document;
  const unknown = 'nothing is known of a user who has not consented: remove';
  if (segment_ids.length > 0) addProblem(`It is for Segments, but ${unknown} them`, 'segment_ids');
  if (excluded_segment_ids.length > 0) addProblem(`It excludes Segments, but ${unknown} them`, 'excluded_segment_ids');
  if (experiment_at !== null) addProblem(`It is an experiment, but ${unknown} it`, 'experiment_at');
  for (const [index, { segment_id }] of items.entries())
    if (segment_id !== null)
      addProblem(`Item ${index + 1} is for a Segment, but ${unknown} it`, `items.${index}.segment_id`);
  for (const { filters, path } of listDocumentFilters(document))
    if (filters.length > 0) addProblem(`It has conditions, but ${unknown} them`, path.replace(/\[(\d+)\]/g, '.$1'));
}

function checkQuestionTexts(
  question: Question | null | undefined,
  field: string,
  check: (text: unknown, path: string, called: string) => void,
): void {
  if (!question) return;
  for (const { path, text } of listQuestionTexts(question)) {
    const [name = '', id] = path.split('.');
    const at = question.options?.findIndex((option) => option.id === id) ?? -1;
    if (isShownInQuestion(question, path))
      check(text, id === undefined ? `${field}.${name}` : `${field}.options.${at}.text`, id ?? name.replace('_', ' '));
  }
}

/** Describes the problem of a text that shows a value of the page, if the account does not allow that. */
function findGlobalProblem(text: readonly RichNode[], { allowGlobals }: Surroundings): string | undefined {
  const [path] = allowGlobals ? [] : listMergePaths(text).globals;
  return path === undefined
    ? undefined
    : `\`{{global "${path}"}}\` shows a value of the page, which this account does not allow: send the value as a property of the user, or let an owner turn on \`allow_globals\` in the settings of the account`;
}

const placesAtElement: Partial<Record<Step['position_type'], string>> = {
  snap_to_element: 'it stands at an element of the page',
  snap_to_trigger: 'it stands at the element that triggers it',
  inline: 'it is part of the page, inside an element',
};
const startsAtElement: Partial<Record<Step['step_trigger'], string>> = {
  element_match: 'it waits until an element is on the page',
  element_not_match: 'it waits until an element is gone from the page',
};
const waitsForElement: Partial<Record<NonNullable<Step['secondary_trigger']>, string>> = {
  click: 'it waits for a click on an element',
  hover: 'it waits for the pointer over an element',
  input: 'it waits for a text in an element',
};

function checkPlace(step: Step, document: Document, addProblem: AddProblem): void {
  const { kind, steps } = document;
  const why =
    (kinds[kind].place === 'element' ? `${withArticle(kind)} stands at an element of the page` : undefined) ??
    placesAtElement[step.position_type] ??
    (steps[0] === step && beginsAsHotspot(document) ? 'it begins as a hotspot at an element of the page' : undefined) ??
    startsAtElement[step.step_trigger] ??
    (step.secondary_trigger ? waitsForElement[step.secondary_trigger] : undefined);
  const elements = step.elements.map(toTarget);
  if (why && !elements.some(isFindable))
    addProblem(`${why}, but none is chosen: give the CSS selector of one, or a text that it holds`, 'elements');
  for (const [index, element] of elements.entries())
    checkElement(element, (problem, field) =>
      addProblem(`${elements.length > 1 ? `element ${index + 1}: ` : ''}${problem}`, `elements.${index}.${field}`),
    );
}

/** Describes the first problem of an element. */
export function findElementProblem(element: ElementTarget): string | undefined {
  const problems: string[] = [];
  checkElement(element, (problem) => problems.push(problem));
  return problems[0];
}

function checkElement({ selector, shadow_selector }: ElementTarget, addProblem: AddProblem): void {
  const problems = {
    selector: selector === null ? undefined : findSelectorProblem(selector),
    shadow_selector: shadow_selector === null ? undefined : findShadowSelectorProblem(shadow_selector),
  };
  if (problems.selector) addProblem(`the selector "${selector}" ${problems.selector}`, 'selector');
  if (problems.shadow_selector)
    addProblem(`the selector "${shadow_selector}" ${problems.shadow_selector}`, 'shadow_selector');
  if (shadow_selector !== null && selector === null)
    addProblem('it names an element inside another, but not the other: give the selector of that one too', 'selector');
}

function checkTriggers(step: Step, addProblem: AddProblem): void {
  const { secondary_trigger, trigger_delay, trigger_scroll_percent, custom_trigger } = step;
  if ((secondary_trigger === 'time_on_page' || secondary_trigger === 'smart_delay') && trigger_delay === null)
    addProblem('it waits for some time, but not how long: give a number of seconds', 'trigger_delay');
  if (secondary_trigger === 'scroll_percent' && trigger_scroll_percent === null)
    addProblem(
      'it waits until people have scrolled, but not how far: give a percentage from 1 to 100',
      'trigger_scroll_percent',
    );
  if (secondary_trigger === 'custom_trigger' && isBlank(custom_trigger))
    addProblem('it waits for code of yours, but there is none: write it, or choose another trigger', 'custom_trigger');
}

function checkEvent({ trigger_event }: Step, { kind }: Document, addProblem: AddProblem): void {
  if (!isExclusive({ kind }))
    addProblem(`${withArticle(kind)} cannot wait for an event: choose another start`, 'step_trigger');
  else if (!trigger_event)
    addProblem('it waits for an event, but none is named: give the name of the event', 'trigger_event');
  else if (trigger_event.delay_seconds >= trigger_event.within_seconds)
    addProblem(
      'it could never start, because its time is over before the delay is: make the delay shorter, or the time longer',
      'trigger_event',
    );
}

function checkUrls(urls: readonly QuantifierUrl[], addProblem: AddProblem): void {
  for (const [index, { url, match_type }] of urls.entries()) {
    const problem = findPatternProblem(url, match_type);
    if (problem) addProblem(`the URL pattern "${url}" ${problem}`, `quantifier_urls.${index}.url`);
  }
}

/** How many buttons a question needs. Scales have their own buttons. */
const buttonCounts: Partial<Record<NonNullable<Step['preset']>, number>> = {
  survey_two: 2,
  survey_three: 3,
  survey_four: 4,
  survey_five: 5,
};

function checkAnswers({ preset, buttons, dropdown_items }: Step, addProblem: AddProblem): void {
  const wanted = preset ? buttonCounts[preset] : undefined;
  if (wanted !== undefined && buttons.length !== wanted)
    addProblem(
      `it asks for one of ${wanted} answers, but has ${buttons.length} buttons: make one button for each answer`,
      'buttons',
    );
  if (preset === 'survey_dropdown' && dropdown_items.length === 0)
    addProblem('it asks for an answer from a list, but the list is empty: add the answers', 'dropdown_items');
}

function checkButton(button: Button, around: Surroundings, addProblem: AddProblem): void {
  const { campaigns } = around;
  if (isBlank(button.text)) addProblem('it has no text: write what a click does', 'text');
  checkTexts(button, partFields.buttons, around, (problem, field) => addProblem(problem, field));
  const checks: Record<(typeof additionalActions)[number], () => void> = {
    cta_url: () => checkAddress(button.action_url, around, (problem) => addProblem(problem, 'action_url')),
    element_click: () => checkClick(button.action_element, (problem) => addProblem(problem, 'action_element')),
    tour: () =>
      checkCampaign('tour', button.action_campaign_id, campaigns, (problem) =>
        addProblem(problem, 'action_campaign_id'),
      ),
    survey: () =>
      checkCampaign('survey', button.action_campaign_id, campaigns, (problem) =>
        addProblem(problem, 'action_campaign_id'),
      ),
    property: () =>
      isBlank(button.action_property) &&
      addProblem('it sets a property, but none is named: give the key of the property', 'action_property'),
    tag_user: () =>
      isBlank(button.action_tag) && addProblem('it tags the user, but without a tag: write the tag', 'action_tag'),
    code: () =>
      isBlank(button.action_script) && addProblem('it runs code, but there is none: write it', 'action_script'),
  };
  for (const action of new Set(button.additional_actions)) if (isOneOf(additionalActions, action)) checks[action]();
}

function checkClick(element: PageElement | null, addProblem: (problem: string) => void): void {
  const target = element && toTarget(element);
  if (target === null || !isFindable(target))
    addProblem('it clicks an element of the page, but none is chosen: give its CSS selector, or a text that it holds');
  if (target !== null) checkElement(target, addProblem);
}

function checkItem(item: ListItem, around: Surroundings, addProblem: AddProblem): void {
  checkOwnTexts(item, partFields.items, around, addProblem);
  if (item.kind === 'divider' || item.hide) return;
  if (isBlank(item.title)) addProblem('it has no title: write one', 'title');
  if (item.kind === 'url') checkAddress(item.url, around, (problem) => addProblem(problem, 'url'));
  else if (item.kind === 'script')
    isBlank(item.action_script) && addProblem('it runs code, but there is none: write it', 'action_script');
  else checkCampaign(item.kind, item.campaign_id, around.campaigns, (problem) => addProblem(problem, 'campaign_id'));
}

function checkCampaign(
  what: 'tour' | 'survey',
  id: string | null,
  campaigns: Campaigns,
  addProblem: (problem: string) => void,
): void {
  const isLive = id === null ? undefined : campaigns.get(id);
  if (id === null) addProblem(`it starts a ${what}, but none is chosen: choose one`);
  else if (isLive === undefined) addProblem(`it starts a ${what} that is gone: choose another`);
  else if (!isLive) addProblem(`it starts a ${what} that is not published: publish that one first, or choose another`);
}

function checkAddress(address: string | null, around: Surroundings, addProblem: (problem: string) => void): void {
  const problem = isBlank(address)
    ? 'it opens a page, but none is given: write its address'
    : findAddressProblem(address, around);
  if (problem) addProblem(problem);
}

function findAddressProblem(address: string, around: Surroundings): string | undefined {
  const nodes = parseText(address);
  if ('problem' in nodes) return `its address: ${nodes.problem}`;
  if (nodes.some((node) => typeof node === 'object' && 'if' in node))
    return `its address "${address}" has a condition in it, which none can: make a button for each address`;
  const parts = nodes.map((node) => (typeof node === 'string' ? node : ('or' in node && node.or) || 'a'));
  if (isPlaceholder(parts.join(''))) return `its address "${address}" is a placeholder: write the address of a page`;
  const notAllowed = findGlobalProblem(nodes, around);
  if (notAllowed) return `its address: ${notAllowed}`;
  if (isAddress(parts.join(''), 'href')) return undefined;
  return `its address "${address}" is none that can be opened: begin it with https://, http://, mailto:, tel: or /, and leave no spaces in it`;
}

/** Templates have such addresses. The top-level domain `example` is reserved, so no page has one. */
function isPlaceholder(address: string): boolean {
  return /^https?:\/\/([^/?#]*\.)?example([/?#:]|$)/i.test(address);
}

function isBlank(text: string | null): text is null {
  return text === null || text.trim() === '';
}
