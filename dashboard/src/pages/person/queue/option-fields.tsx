import { Braces, List, Plus, X } from 'lucide-react';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { newRow, type OptionRow, type OptionsDraft, readDraft, toJson, toRows, withUsed } from './option-rows.ts';

const texts = text.queue.form.values;

interface OptionFieldsProps {
  draft: OptionsDraft;
  onChange: (draft: OptionsDraft) => void;
  /** The names that the texts of the Experience use. */
  used: readonly string[];
  error: string | undefined;
}

/** The values of a Delivery for its texts: a list of names and values, or JSON. */
export function OptionFields({ draft, onChange, used, error }: OptionFieldsProps) {
  const read = readDraft(draft, used);
  const asRows = 'json' in draft && 'options' in read ? toRows(read.options) : undefined;
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="pb-1 text-13 font-medium">{text.queue.form.fields.options}</legend>
      {'json' in draft ? (
        <>
          <TextArea
            label={texts.json}
            value={draft.json}
            onChange={(json) => onChange({ json })}
            error={error}
            {...('options' in read && !asRows && { help: texts.onlyJson })}
            rows={6}
            className="font-mono"
          />
          {asRows && (
            <Button
              size="small"
              look="quiet"
              icon={List}
              className="self-start"
              onPress={() => onChange({ rows: asRows })}
            >
              {texts.asRows}
            </Button>
          )}
        </>
      ) : (
        <Rows rows={withUsed(draft.rows, used)} onChange={(rows) => onChange({ rows })} used={used} error={error}>
          {'options' in read && (
            <Button size="small" look="quiet" icon={Braces} onPress={() => onChange({ json: toJson(read.options) })}>
              {texts.asJson}
            </Button>
          )}
        </Rows>
      )}
    </fieldset>
  );
}

interface RowsProps {
  rows: readonly OptionRow[];
  onChange: (rows: OptionRow[]) => void;
  used: readonly string[];
  error: string | undefined;
  children: React.ReactNode;
}

function Rows({ rows, onChange, used, error, children }: RowsProps) {
  const change = (id: string, change: Partial<OptionRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...change } : row)));
  return (
    <>
      <p className="text-13 text-soft">{used.length === 0 ? texts.none : texts.some}</p>
      {rows.map((row, index) =>
        used.includes(row.key) ? (
          <TextField
            key={row.id}
            label={row.key}
            value={row.text}
            onChange={(value) => change(row.id, { text: value })}
            isOptional
          />
        ) : (
          <div key={row.id} className="flex items-end gap-2">
            <TextField
              label={texts.key(index + 1)}
              value={row.key}
              onChange={(key) => change(row.id, { key })}
              placeholder="manager.name"
              className="min-w-0 flex-1"
              // A new row gets the focus, because its name is typed next.
              autoFocus={row.key === ''}
            />
            <TextField
              label={texts.value(index + 1)}
              value={row.text}
              onChange={(value) => change(row.id, { text: value })}
              className="min-w-0 flex-1"
            />
            <IconButton
              icon={X}
              label={texts.remove(row.key || texts.unnamed)}
              onPress={() => onChange(rows.filter(({ id }) => id !== row.id))}
            />
          </div>
        ),
      )}
      {error !== undefined && (
        <p role="alert" className="text-13 text-bad">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={Plus} onPress={() => onChange([...rows, newRow()])}>
          {texts.add}
        </Button>
        {children}
      </div>
    </>
  );
}
