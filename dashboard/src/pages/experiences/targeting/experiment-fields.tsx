import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import { fieldsOf } from '../../../fields/fields-of.ts';
import { formatDateTime } from '../../../messages/format.ts';
import * as text from '../../../messages/text.ts';
import { Checkbox } from '../../../ui/choice.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { NumberField } from '../../../ui/number-field.tsx';

const texts = text.targeting.experiment;
const FIRST_RANGE = '0-50';

/**
 * Shows the Experience to a share of people. Most administrators want a share from 0; other ranges are under "More".
 */
export function ExperimentFields({ editor }: { editor: Editor }) {
  const { experiment_at: at, experiment_range: range } = editor.document;
  const fields = fieldsOf(editor, '', editor.document);
  const { error } = fields.choice('experiment_range');
  const isOn = at !== null;
  const toggle = (on: boolean) =>
    fields.set(
      on
        ? { experiment_at: new Date().toISOString(), experiment_range: range ?? FIRST_RANGE }
        : { experiment_at: null, experiment_range: null },
    );
  return (
    <div className="flex flex-col gap-3" {...fieldMark('', 'experiment_range')}>
      <Checkbox label={texts.on} help={texts.help} isSelected={isOn} onChange={toggle} isDisabled={editor.isReadOnly} />
      {isOn && <ShareFields editor={editor} range={range ?? '0-100'} error={error} />}
      {at !== null && Date.parse(at) > Date.now() && (
        <p className="text-13 text-soft">{texts.starts(formatDateTime(new Date(at)))}</p>
      )}
    </div>
  );
}

function ShareFields({ editor, range, error }: { editor: Editor; range: string; error: string | undefined }) {
  const [low = 0, high = 100] = range.split('-').map(Number);
  const fields = fieldsOf(editor, '', editor.document);
  const set = (from: number, to: number) => {
    if (from <= to) fields.set({ experiment_range: `${from}-${to}` });
  };
  const field = { max: 100, isReadOnly: editor.isReadOnly, className: 'flex-1' };
  return (
    <>
      {low === 0 && (
        <NumberField
          {...field}
          label={texts.share}
          value={high}
          onChange={(to) => set(0, to)}
          problem={texts.shareProblem}
          error={error}
          className="w-60 max-w-full"
        />
      )}
      <Fold title={text.targeting.more} isOpen={low > 0}>
        <div className="flex gap-2">
          <NumberField
            {...field}
            label={texts.from}
            value={low}
            onChange={(from) => set(from, high)}
            problem={texts.problem}
          />
          <NumberField
            {...field}
            label={texts.to}
            value={high}
            onChange={(to) => set(low, to)}
            problem={texts.problem}
          />
        </div>
        <p className="text-13 text-soft">{texts.rangeHelp}</p>
      </Fold>
    </>
  );
}
