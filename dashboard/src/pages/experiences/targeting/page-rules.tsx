import type { QuantifierUrl } from '@usher/domain';
import { CircleCheck, Plus, X } from 'lucide-react';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import type { Fields } from '../content/fields-of.ts';
import { fieldMark } from '../content/use-selection.ts';
import { AddressField } from './address-field.tsx';

const texts = text.targeting.pages;
const types = ['simple', 'inverse_simple', 'exact', 'inverse_exact', 'regex'] as const;
const MAX_RULES = 50;

interface PageRulesProps {
  editor: Editor;
  /** The fields of the step, or of the launcher. */
  fields: Fields;
  /** The path of the rules, such as `steps.0.quantifier_urls`, to find their problems. */
  path: string;
  /** What it says without a rule. */
  empty: string;
  /** The rule that fits the page that is tested. */
  matched?: number | undefined;
}

/** The pages on which a step shows. */
export function PageRules({ editor, fields, path, empty, matched }: PageRulesProps) {
  const rules = (fields.read('quantifier_urls') ?? []) as QuantifierUrl[];
  const set = (next: QuantifierUrl[]) => fields.set({ quantifier_urls: next });
  const change = (index: number, values: Partial<QuantifierUrl>) =>
    set(rules.map((rule, at) => (at === index ? { ...rule, ...values } : rule)));
  const { isReadOnly } = editor;
  return (
    <div className="flex flex-col gap-2" {...fieldMark(fields.of, 'quantifier_urls')}>
      {rules.length === 0 && <p className="text-14 text-soft">{empty}</p>}
      {rules.map(({ url, match_type }, index) => (
        // Rules have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: typing must not replace the field
        <div key={index} className="flex items-start gap-2">
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
            className="w-32 shrink-0 [&>:first-child]:sr-only"
          />
          <AddressField
            label={texts.address(index + 1)}
            value={url}
            onChange={(value) => value !== url && change(index, { url: value })}
            placeholder="/settings/*"
            isReadOnly={isReadOnly}
            error={problemAt(editor, `${path}.${index}.url`)}
            className="min-w-0 flex-1 [&>:first-child]:sr-only"
          />
          {matched === index && (
            <CircleCheck size={16} role="img" aria-label={texts.matches} className="mt-2 shrink-0 text-good" />
          )}
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.remove(index + 1)}
              onPress={() => set(rules.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {rules.length > 0 && <p className="text-13 text-soft">{texts.help}</p>}
      {!isReadOnly && rules.length < MAX_RULES && (
        <Button
          size="small"
          icon={Plus}
          className="self-start"
          onPress={() => set([...rules, { url: '', match_type: 'simple' }])}
        >
          {texts.add}
        </Button>
      )}
    </div>
  );
}

function problemAt({ problems }: Editor, path: string): string | undefined {
  const found = problems.find((problem) => problem.path === path)?.detail.replaceAll('`', '');
  return found && `${found.charAt(0).toUpperCase()}${found.slice(1)}.`;
}
