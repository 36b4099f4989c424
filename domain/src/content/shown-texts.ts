import type { Document, ListItem, Step } from './experience.ts';
import { listTranslatableSteps, type TranslatableText } from './translatable-texts.ts';

/*
 * Which texts of a document users can see. A document keeps the texts of other choices: the labels of a scale stay when the
 * question becomes a list. Translation files have all texts, but only these are missing when they are not translated.
 */

/** Lists the texts that users can see, in the order of a file. */
export function listShownTexts(id: string, document: Document): TranslatableText[] {
  const isShown = findShownTexts(id, document);
  return listTranslatableSteps(id, document).flatMap(({ texts }) => texts.filter(isShown));
}

type FieldTest = (field: string) => boolean;
const always: FieldTest = () => true;
const never: FieldTest = () => false;

/** Returns a test of the texts of a document. The rules are those by which the browser script paints. */
export function findShownTexts(id: string, document: Document): (text: TranslatableText) => boolean {
  const tests = new Map<string, FieldTest>();
  if (document.kind === 'launcher') {
    tests.set(id, launcherTest(document));
    for (const item of document.items ?? []) tests.set(item.id, item.hide || item.kind === 'divider' ? never : always);
  } else
    for (const step of document.steps) {
      const shown = shownFields(step, document.kind);
      tests.set(step.id, (field) => shown.has(field.replace(/\.\d+$/, '')));
      for (const button of step.buttons) tests.set(button.id, shown.has('buttons') ? always : never);
    }
  return ({ modelId, field, text }) => text.trim() !== '' && (tests.get(modelId) ?? never)(field);
}

function launcherTest({ title, trigger_type, items = [] }: Document): FieldTest {
  return (field) => {
    // The text of the tab is also the title of the list if it has none.
    if (field === 'trigger_text') return trigger_type === 'tab' || !title;
    if (field === 'empty_state_content') return !items.some(isForEveryone);
    return true;
  };
}

/** Whether the list has this item for every user. Tours and surveys may not be live, and an account may not allow scripts. */
function isForEveryone({ kind, hide, segment_id, url }: ListItem): boolean {
  if (hide || segment_id !== null) return false;
  return kind === 'divider' || (kind === 'url' && url !== null && !url.includes('{{'));
}

type Preset = NonNullable<Step['preset']>;

const withButtons = ['title', 'body', 'dismiss_text', 'buttons'];
const scale = ['title', 'body', 'dismiss_text', 'label_low', 'label_high'];
const input = [...withButtons, 'placeholder'];
/** What a survey shows of a step, where that is not `withButtons`. A scale has buttons of its own. */
const fieldsByPreset: Partial<Record<Preset, readonly string[]>> = {
  survey_nps: scale,
  survey_csat: scale,
  survey_ces: scale,
  survey_input: input,
  response: input,
  survey_dropdown: [...input, 'dropdown_items', 'other_text'],
  thank_you: ['title', 'body', 'buttons'],
};

function shownFields({ preset }: Step, kind: Document['kind']): ReadonlySet<string> {
  // A tooltip closes when the pointer leaves it.
  if (kind === 'tooltip') return new Set(['title', 'body', 'buttons']);
  return new Set((kind === 'survey' && preset && fieldsByPreset[preset]) || withButtons);
}
