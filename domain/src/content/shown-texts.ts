import { isShownIn } from '../fields/derive.ts';
import type { Fields, QuestionName } from '../fields/field.ts';
import { partFields } from '../fields/part-fields.ts';
import { isShownInQuestion, questionNameOf } from '../fields/question.ts';
import { scales } from '../fields/step-fields.ts';
import { fieldsOfKind, kinds } from '../kinds/kinds.ts';
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

/** Returns a test for whether users can see a text of a document. The browser script paints by the same rules. */
export function findShownTexts(id: string, document: Document): (text: TranslatableText) => boolean {
  const tests = new Map<string, FieldTest>();
  if (kinds[document.kind].parts === 'items') {
    tests.set(id, launcherTest(document));
    for (const item of document.items ?? []) tests.set(item.id, item.hide || item.kind === 'divider' ? never : always);
  } else {
    tests.set(id, always);
    for (const step of document.steps) {
      const shown = shownFields(step, document.kind);
      const { question } = step;
      tests.set(step.id, (field) => {
        const [name = '', ...path] = field.split('.');
        if (!shown.has(name)) return false;
        return name !== 'question' || (!!question && isShownInQuestion(question, path.join('.')));
      });
      for (const button of step.buttons) tests.set(button.id, shown.has('buttons') ? always : never);
    }
  }
  return ({ modelId, field, text }) => text.trim() !== '' && (tests.get(modelId) ?? never)(field);
}

function launcherTest({ kind, title, trigger_type, items = [] }: Document): FieldTest {
  return (field) => {
    // It came with an import, and has no effect here.
    if (fieldsOfKind(kind)[field]?.isForServer) return false;
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

/** What a step shows. Only a survey has questions. */
function shownFields(step: Step, kind: Document['kind']): ReadonlySet<string> {
  const question = kinds[kind].asks ? questionNameOf(step) : null;
  const isHidden = (name: string) => {
    if (name === 'picture_alt') return !step.picture && !step.video_url;
    return name === 'question' && (question === null || step.preset !== null);
  };
  const names = Object.entries(partFields.steps as Fields).flatMap(([name, field]) =>
    isShownIn(field, kind, question) && !isHidden(name) ? name : [],
  );
  return new Set([...names, ...(isScale(question) ? [] : ['buttons'])]);
}

function isScale(question: QuestionName | null): boolean {
  return scales.some((one) => one === question);
}
