import { useQuery } from '@tanstack/react-query';
import { itemKinds } from '@usher/domain/fields';
import { isTask, startsTask, type TaskKind } from '@usher/domain/kinds';
import { query } from '../../../api/queries.ts';
import type { ListItem } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { FilterBuilder } from '../../../filters/filter-builder.tsx';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { launcherTarget, PickRow } from '../pick/index.ts';
import { CampaignField } from './campaign-field.tsx';
import { RichField } from './rich-field.tsx';

const texts = text.content;
const icons = [
  ...(['help', 'info', 'list', 'chat', 'star', 'bell', 'book'] as const),
  ...(['bulb', 'flag', 'gift', 'heart', 'play', 'rocket', 'user'] as const),
];
const badges = ['count', 'dot', 'text', 'none'] as const;
const MAX_OFFSET = 500;
/** The distance in pixels for which nothing is stored. */
const DEFAULT_OFFSET = 16;
const MAX_ICON = 200;
const MAX_DAYS = 3650;
/** The size of the icon for which nothing is stored. */
const DEFAULT_ICON = 24;
const corners = ['bottom_right', 'bottom_left', 'top_right', 'top_left', 'bottom', 'top', 'center'] as const;

/** The fields of the launcher itself: its texts, and what opens it. */
export function LauncherInspector({ editor }: { editor: Editor }) {
  const { document } = editor;
  const fields = fieldsOf(editor, '', document);
  const hasTask = document.items?.some((item) => isTask(item) && !item.hide);
  const options = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
    values.map((value) => ({ value, label: labels[value] }));
  return (
    <>
      <RichField {...fields.text('title')} />
      <RichField {...fields.text('description')} isMarkdown rows={3} />
      <Select
        label={texts.listType}
        options={options(['default', 'checklist'] as const, texts.listTypes)}
        {...fields.choice('list_type')}
        {...(document.list_type === 'checklist' && { help: hasTask ? texts.checklistHelp : texts.nothingToTickOff })}
      />
      {document.list_type === 'checklist' && <ChecklistFields editor={editor} />}
      <Select
        label={texts.opensBy}
        options={options(['icon', 'tab', 'element'] as const, texts.triggerTypes)}
        {...fields.choice('trigger_type')}
      />
      {document.trigger_type === 'icon' && (
        <Select
          label={texts.icon}
          options={options(icons, texts.icons)}
          {...fields.choice('trigger')}
          value={icons.find((icon) => icon === document.trigger) ?? null}
        />
      )}
      {document.trigger_type === 'icon' && (
        <NumberField
          label={texts.iconSize}
          value={document.icon_size ?? DEFAULT_ICON}
          onChange={(pixels) => fields.set({ icon_size: pixels === DEFAULT_ICON ? null : pixels })}
          max={MAX_ICON}
          problem={texts.iconSizeProblem}
          isReadOnly={editor.isReadOnly}
          {...fieldMark('', 'icon_size')}
        />
      )}
      {document.trigger_type === 'tab' && <RichField {...fields.text('trigger_text')} />}
      {document.trigger_type === 'element' && (
        <>
          <TextField {...fields.text('trigger')} placeholder="#help" />
          <PickRow editor={editor} target={launcherTarget(editor)} />
        </>
      )}
      <Select
        label={texts.corner}
        options={corners.map((value) => ({ value, label: texts.corners[value] }))}
        {...fields.choice('screen_position')}
      />
      {document.trigger_type !== 'element' && <OpenerFields editor={editor} />}
      <TextField {...fields.text('shortcut')} placeholder="Alt+H" help={texts.shortcutHelp} isOptional />
      <Fold title={texts.more}>
        <RichField {...fields.text('empty_state_content')} isMarkdown rows={3} />
        <Checkbox
          label={texts.atTrigger}
          isSelected={document.position_type === 'snap_to_trigger'}
          onChange={(isOn) => fields.set({ position_type: isOn ? 'snap_to_trigger' : 'relative_to_screen' })}
          isDisabled={editor.isReadOnly}
        />
      </Fold>
    </>
  );
}

/** What happens as users complete the items. */
function ChecklistFields({ editor }: { editor: Editor }) {
  const { document } = editor;
  const fields = fieldsOf(editor, '', document);
  return (
    <>
      <Checkbox label={texts.inOrder} {...fields.flag('in_order')} />
      <Checkbox label={texts.celebration} {...fields.flag('celebration')} />
      <NumberField
        label={texts.hideAfterDays}
        help={texts.hideAfterDaysHelp}
        value={document.hide_after_completed_days ?? 0}
        onChange={(days) => fields.set({ hide_after_completed_days: days === 0 ? null : days })}
        max={MAX_DAYS}
        problem={texts.hideAfterDaysProblem}
        isReadOnly={editor.isReadOnly}
        {...fieldMark('', 'hide_after_completed_days')}
      />
    </>
  );
}

interface ConditionsProps {
  editor: Editor;
  item: ListItem;
  name: 'completed_when' | 'visible_when';
  title: string;
}

/** The conditions of an item, which only the server evaluates. */
function Conditions({ editor, item, name, title }: ConditionsProps) {
  const fields = fieldsOf(editor, item.id, item);
  const help = name === 'completed_when' ? texts.completedWhenHelp : texts.visibleWhenHelp;
  return (
    <Fold title={title} isOpen={item[name].length > 0}>
      <p className="text-13 text-soft">{help}</p>
      <FilterBuilder
        value={{ filters: item[name], filters_op: item[`${name}_op`] }}
        onChange={({ filters, filters_op }) => fields.set({ [name]: filters, [`${name}_op`]: filters_op })}
        isDisabled={editor.isReadOnly}
      />
    </Fold>
  );
}

/** The badge of the icon or tab, and its distance from the edges of the window. */
function OpenerFields({ editor }: { editor: Editor }) {
  const { document } = editor;
  const fields = fieldsOf(editor, '', document);
  const offset = (name: 'offset_x' | 'offset_y') => (
    <NumberField
      label={texts.offsets[name]}
      value={document[name] ?? DEFAULT_OFFSET}
      onChange={(pixels) => fields.set({ [name]: pixels === DEFAULT_OFFSET ? null : pixels })}
      max={MAX_OFFSET}
      problem={texts.offsets.problem}
      isReadOnly={editor.isReadOnly}
      {...fieldMark('', name)}
    />
  );
  return (
    <>
      <div className="grid grid-cols-2 items-end gap-3">
        {offset('offset_x')}
        {offset('offset_y')}
      </div>
      <Select
        label={texts.badge}
        options={badges.map((value) => ({ value, label: texts.badges[value] }))}
        {...fields.choice('badge')}
        value={document.badge ?? 'count'}
        help={document.badge === 'none' ? undefined : texts.badgeHelp}
      />
      {document.badge === 'text' && <RichField {...fields.text('badge_text')} />}
    </>
  );
}

/** The fields of one item of the launcher. */
export function ItemInspector({ editor, item }: { editor: Editor; item: ListItem }) {
  const fields = fieldsOf(editor, item.id, item);
  const segments = useQuery(query('GET /v3/edit/segments', { limit: 500 })).data?.segments ?? [];
  return (
    <>
      <RichField {...fields.text('title')} />
      <Select
        label={texts.itemDoes}
        options={itemKinds.map((value) => ({ value, label: texts.itemKinds[value] }))}
        {...fields.choice('kind')}
      />
      {item.kind === 'url' && <TextField {...fields.text('url')} placeholder="https://" />}
      {startsTask(item) && <CampaignField kind={item.kind as TaskKind} {...fields.choice('campaign_id')} />}
      {item.kind === 'script' && (
        <TextArea {...fields.text('action_script')} help={texts.codeHelp} className="[&_textarea]:font-mono" />
      )}
      {item.kind !== 'divider' && <RichField {...fields.text('description')} isMarkdown rows={3} />}
      {item.kind !== 'divider' && editor.document.list_type === 'checklist' && (
        <Conditions editor={editor} item={item} name="completed_when" title={texts.completedWhen} />
      )}
      <Conditions editor={editor} item={item} name="visible_when" title={texts.visibleWhen} />
      <Fold title={texts.more}>
        <Select
          label={texts.itemSegment}
          options={[
            { value: '', label: texts.everybody },
            ...segments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...fields.choice('segment_id')}
          value={item.segment_id ?? ''}
          onChange={(id) => fields.set({ segment_id: id || null })}
        />
        <Checkbox label={texts.hide} {...fields.flag('hide')} />
      </Fold>
    </>
  );
}
