import { toTarget } from '@usher/domain';
import { additionalActions, foreignActions } from '@usher/domain/fields';
import type { Step, Button as StepButton } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import type { Fields } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { buttonTarget, PickRow } from '../pick/index.ts';
import { CampaignField } from './campaign-field.tsx';
import { ButtonImportNotice } from './import-notice.tsx';

const texts = text.content;
type AnyAction = StepButton['additional_actions'][number];
type Action = (typeof additionalActions)[number];
type ForeignAction = Exclude<AnyAction, Action>;

/** "Also: opens a page, tags the user", or that nothing else happens. */
export function describeActions(button: StepButton): string {
  const actions = furtherActions(button);
  if (actions.length === 0) return texts.noActions;
  return texts.alsoActions(
    actions.map((action) => (isForeign(action) ? texts.foreignAction.short(action) : texts.actions[action].short)),
  );
}

type Chosen = NonNullable<StepButton['tour_action']> | 'url' | 'none';

/**
 * Whether a button only opens a page. Most buttons that do not move through the tour do that, so it is an option of its
 * own.
 */
export function onlyOpensPage({ tour_action, additional_actions }: ActionFieldsOf): boolean {
  return tour_action === null && additional_actions.includes('cta_url');
}

/**
 * The fields for one option of what a click does. The address is kept, in case the administrator chooses this option
 * again.
 */
export function chooseAction(button: ActionFieldsOf, chosen: Chosen): Partial<ActionFieldsOf> {
  const tour_action = chosen === 'url' || chosen === 'none' ? null : chosen;
  const others = button.additional_actions.filter((action) => action !== 'cta_url');
  if (chosen === 'url') return { tour_action, additional_actions: ['cta_url', ...others] };
  // A button that opens a page and moves through the tour keeps both actions.
  return chosen === 'none' || onlyOpensPage(button) ? { tour_action, additional_actions: others } : { tour_action };
}

type ActionFieldsOf = Pick<StepButton, 'tour_action' | 'additional_actions'>;

function isForeign(action: AnyAction): action is ForeignAction {
  return Object.hasOwn(foreignActions, action);
}

function furtherActions(button: ActionFieldsOf): readonly AnyAction[] {
  const { additional_actions: actions } = button;
  return onlyOpensPage(button) ? actions.filter((action) => action !== 'cta_url') : actions;
}

interface ButtonActionsProps {
  editor: Editor;
  step: Step;
  button: StepButton;
  fields: Fields;
}

/**
 * The actions of a click besides moving through the tour. A tour and a survey share one field, so only one of them can
 * start.
 */
export function ButtonActions(props: ButtonActionsProps) {
  const { editor, button, fields } = props;
  const { additional_actions: actions } = button;
  const toggle = (action: AnyAction, isOn: boolean) => {
    const others = actions.filter((one) => one !== action && !(isOn && isCampaign(action) && isCampaign(one)));
    const isOther = isOn && isCampaign(action);
    fields.set({
      additional_actions: isOn ? [...others, action] : others,
      ...(isOther && { action_campaign_id: null }),
    });
  };
  return (
    <>
      <ForeignActions button={button} isDisabled={editor.isReadOnly} onRemove={(action) => toggle(action, false)} />
      {additionalActions
        .filter((action) => action !== 'cta_url' || !onlyOpensPage(button))
        .map((action) => (
          <div key={action} className="flex flex-col gap-2">
            <Checkbox
              label={texts.actions[action].label}
              isSelected={actions.includes(action)}
              onChange={(isOn) => toggle(action, isOn)}
              isDisabled={editor.isReadOnly}
            />
            {actions.includes(action) && (
              <div className="flex flex-col gap-2 pl-6">
                <ActionFields {...props} action={action} />
              </div>
            )}
          </div>
        ))}
    </>
  );
}

interface ForeignActionsProps {
  button: StepButton;
  isDisabled: boolean;
  onRemove: (action: ForeignAction) => void;
}

/** The imported actions that Usher does not have. They can only be removed. */
function ForeignActions({ button, isDisabled, onRemove }: ForeignActionsProps) {
  const actions = button.additional_actions.filter(isForeign);
  if (actions.length === 0) return null;
  return (
    <div className="flex flex-col gap-2" {...fieldMark(button.id, 'additional_actions')}>
      {actions.map((action) => (
        <div key={action} className="flex flex-col gap-1">
          <Checkbox
            label={texts.foreignAction.label(action)}
            isSelected
            onChange={() => onRemove(action)}
            isDisabled={isDisabled}
          />
          <p className="pl-6 text-13 text-warn">
            {texts.foreignAction.help(foreignActions[action].replaceAll('`', ''))}
          </p>
        </div>
      ))}
    </div>
  );
}

const isCampaign = (action: AnyAction) => action === 'tour' || action === 'survey';

function ActionFields({ action, ...props }: ButtonActionsProps & { action: Action }) {
  const { fields } = props;
  switch (action) {
    case 'cta_url':
      return <PageFields fields={fields} />;
    case 'element_click':
      return <ElementFields {...props} />;
    case 'tour':
    case 'survey':
      return <CampaignField kind={action} {...fields.choice('action_campaign_id')} />;
    case 'property':
      return (
        <>
          <TextField {...fields.text('action_property')} />
          <TextField {...fields.text('action_value')} />
        </>
      );
    case 'tag_user':
      return <TextField {...fields.text('action_tag')} />;
    case 'code':
      return <TextArea {...fields.text('action_script')} help={texts.codeHelp} className="[&_textarea]:font-mono" />;
  }
}

/** The page that a click opens. */
export function PageFields({ fields }: { fields: Fields }) {
  return (
    <>
      <TextField {...fields.text('action_url')} placeholder="https://" />
      <Checkbox label={texts.newWindow} {...fields.flag('action_new_window')} />
    </>
  );
}

/** The element that is clicked: by its selector, by a text in it, or by both. */
function ElementFields({ editor, step, button, fields }: ButtonActionsProps) {
  const { isReadOnly } = editor;
  const element = button.action_element
    ? toTarget(button.action_element)
    : { selector: null, text: null, shadow_selector: null };
  const set = (changes: object) => {
    const next = { ...element, ...changes };
    const isEmpty = Object.values(next).every((value) => value === null);
    fields.set({ action_element: isEmpty ? null : next });
  };
  const { error } = fields.choice('action_element');
  return (
    <div className="flex flex-col gap-2" {...fieldMark(button.id, 'action_element')}>
      <TextField
        label={texts.selector}
        value={element.selector ?? ''}
        onChange={(value) => set({ selector: value || null })}
        error={error}
        isReadOnly={isReadOnly}
        placeholder="#save"
      />
      <TextField
        label={texts.elementText}
        value={element.text ?? ''}
        onChange={(value) => set({ text: value || null })}
        isReadOnly={isReadOnly}
        isOptional
      />
      <ButtonImportNotice editor={editor} step={step} button={button} />
      <PickRow editor={editor} target={buttonTarget(step, button)} />
    </div>
  );
}
