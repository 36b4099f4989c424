import type { QuantifierUrl } from '@usher/domain';
import { CircleCheck, Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { AddressField } from '../../../addresses/address-field.tsx';
import type { Editor } from '../../../editor/use-editor.ts';
import { fieldMark } from '../../../fields/field-focus.ts';
import type { Fields } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';

const texts = text.targeting.pages;
const types = ['simple', 'inverse_simple', 'exact', 'inverse_exact', 'regex'] as const;
const MAX_RULES = 50;

interface PageRulesProps {
  editor: Editor;
  /** The fields of the step, or of the launcher. */
  fields: Fields;
  /** The path of the rules, such as `steps.0.quantifier_urls`, to find their problems. */
  path: string;
  /** The text that shows while there is no rule. */
  empty: string;
  /** The index of the rule that matches the tested page. */
  matched?: number | undefined;
}

/** A row without an address. It is not a rule yet, so it is not saved. */
interface BlankRow {
  at: number;
  type: QuantifierUrl['match_type'];
}

/** The pages on which a step shows. */
export function PageRules({ editor, fields, path, empty, matched }: PageRulesProps) {
  const list = useRef<HTMLDivElement>(null);
  const [kept, setBlank] = useState<BlankRow | null>(null);
  const rules = (fields.read('quantifier_urls') ?? []) as QuantifierUrl[];
  // Undo, or another person, may have removed rules before the blank row.
  const blank = kept && { ...kept, at: Math.min(kept.at, rules.length) };
  const rows = blank ? rules.toSpliced(blank.at, 0, { url: '', match_type: blank.type }) : rules;
  const { isReadOnly } = editor;
  /** Rules without an address are not saved; the last one stays as a row to type into. */
  const set = (next: QuantifierUrl[]) => {
    const at = next.findIndex(({ url }) => url.trim() === '');
    const rest = next.filter(({ url }) => url.trim() !== '');
    setBlank(at < 0 ? null : { at, type: next[at]?.match_type ?? 'simple' });
    if (!isSame(rest, rules)) fields.set({ quantifier_urls: rest });
  };
  const change = (index: number, values: Partial<QuantifierUrl>) =>
    set(rows.map((rule, at) => (at === index ? { ...rule, ...values } : rule)));
  /** The index of a row among the rules. */
  const placeOf = (row: number) => (blank && blank.at < row ? row - 1 : row);
  const isBlank = (row: number) => row === blank?.at;
  const focusAfterwards = (selector: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = () => {
    if (!blank) setBlank({ at: rules.length, type: 'simple' });
    focusAfterwards(`[data-rule="${blank?.at ?? rules.length}"] input[role=combobox]`);
  };
  return (
    <div ref={list} className="flex flex-col gap-2" {...fieldMark(fields.of, 'quantifier_urls')}>
      {rows.length === 0 && <p className="text-14 text-soft">{empty}</p>}
      {rows.map(({ url, match_type }, index) => (
        // Rules have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: typing must not replace the field
        <div key={index} data-rule={index} className="flex items-start gap-2 max-sm:flex-wrap">
          <Select
            label={texts.type(index + 1)}
            options={types.map((value) => ({
              value,
              label: texts.types[value].name,
              description: texts.types[value].help,
            }))}
            value={match_type}
            onChange={(value) => change(index, { match_type: value })}
            isDisabled={isReadOnly}
            className="w-32 shrink-0 max-sm:w-full [&>:first-child]:sr-only"
          />
          <AddressField
            label={texts.address(index + 1)}
            value={url}
            onChange={(value) => value !== url && change(index, { url: value })}
            placeholder="/settings/*"
            isReadOnly={isReadOnly}
            error={isBlank(index) ? undefined : problemAt(editor, `${path}.${placeOf(index)}.url`)}
            className="min-w-0 flex-1 [&>:first-child]:sr-only"
          />
          {matched === placeOf(index) && !isBlank(index) && (
            <CircleCheck size={16} role="img" aria-label={texts.matches} className="mt-2 shrink-0 text-good" />
          )}
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.remove(index + 1)}
              onPress={() => {
                set(rows.toSpliced(index, 1));
                focusAfterwards('[data-add]');
              }}
            />
          )}
        </div>
      ))}
      {rows.length > 0 && <p className="text-13 text-soft">{texts.help}</p>}
      {!isReadOnly && rows.length < MAX_RULES && (
        <Button size="small" icon={Plus} className="self-start" data-add onPress={add}>
          {texts.add}
        </Button>
      )}
    </div>
  );
}

function isSame(some: readonly QuantifierUrl[], others: readonly QuantifierUrl[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ url, match_type }, at) => url === others[at]?.url && match_type === others[at]?.match_type)
  );
}

function problemAt({ problems }: Editor, path: string): string | undefined {
  const found = problems.find((problem) => problem.path === path)?.detail.replaceAll('`', '');
  return found && `${found.charAt(0).toUpperCase()}${found.slice(1)}.`;
}
