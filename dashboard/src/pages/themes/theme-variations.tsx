import type { ThemeVariation } from '@usher/domain';
import { themeFields, themeGroups } from '@usher/domain/themes';
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { FilterBuilder } from '../../filters/filter-builder.tsx';
import { fieldLabel } from '../../messages/field-names.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Fold } from '../../ui/fold.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { FixButton, ValueField } from './style-fields.tsx';
import type { ThemeEditor } from './use-theme-editor.ts';

const texts = text.themes.variations;
const MAX_VARIATIONS = 20;

interface ThemeVariationsProps {
  editor: ThemeEditor;
  /** The variation that the preview shows. */
  open: number | undefined;
  onOpen: (at: number | undefined) => void;
}

/** What the theme looks like for some users, in the order in which the variations are tried. */
export function ThemeVariations({ editor, open, onOpen }: ThemeVariationsProps) {
  const { theme, isReadOnly, set } = editor;
  const { variations } = theme;
  const add = () => {
    const made = { name: texts.newName(variations.length + 1), filters: [], filters_op: 'and' as const, overrides: {} };
    set({ variations: [...variations, made] });
    onOpen(variations.length);
  };
  const change = (at: number, values: Partial<ThemeVariation>) =>
    set({ variations: variations.map((one, index) => (index === at ? { ...one, ...values } : one)) });
  const move = (at: number, to: number) => {
    const moved = variations.toSpliced(at, 1).toSpliced(to, 0, variations[at] as ThemeVariation);
    set({ variations: moved });
    onOpen(to);
  };
  const remove = (at: number) => {
    set({ variations: variations.toSpliced(at, 1) });
    onOpen(undefined);
  };
  return (
    <>
      <p className="text-13 text-soft">{variations.length === 0 ? texts.none : texts.intro}</p>
      <ol className="flex min-w-0 flex-col gap-3 empty:hidden">
        {variations.map((variation, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: variations have no identity but their order
          <li key={at} className="flex min-w-0 flex-col gap-2 rounded-10 border border-line bg-surface p-3">
            <div className="flex items-center gap-1">
              <Button
                look="quiet"
                size="small"
                aria-expanded={open === at}
                onPress={() => onOpen(open === at ? undefined : at)}
                className="min-w-0 flex-1 justify-start overflow-hidden [&>span]:min-w-0"
              >
                <span className="text-soft">{at + 1}.</span>
                <bdi className="truncate">{variation.name}</bdi>
              </Button>
              {!isReadOnly && (
                <>
                  <IconButton
                    icon={ArrowUp}
                    size="small"
                    label={texts.up(variation.name)}
                    isDisabled={at === 0}
                    onPress={() => move(at, at - 1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    size="small"
                    label={texts.down(variation.name)}
                    isDisabled={at === variations.length - 1}
                    onPress={() => move(at, at + 1)}
                  />
                  <IconButton icon={X} size="small" label={texts.remove(variation.name)} onPress={() => remove(at)} />
                </>
              )}
            </div>
            {open === at && (
              <OneVariation editor={editor} variation={variation} at={at} onChange={(values) => change(at, values)} />
            )}
          </li>
        ))}
      </ol>
      {!isReadOnly && variations.length < MAX_VARIATIONS && (
        <Button icon={Plus} className="self-start" onPress={add}>
          {texts.add}
        </Button>
      )}
    </>
  );
}

interface OneVariationProps {
  editor: ThemeEditor;
  variation: ThemeVariation;
  at: number;
  onChange: (values: Partial<ThemeVariation>) => void;
}

function OneVariation({ editor, variation, at, onChange }: OneVariationProps) {
  const { isReadOnly, problems } = editor;
  const { name, filters, filters_op, overrides } = variation;
  const path = `variations.${at}.overrides.`;
  const left = themeGroups.flatMap((group) =>
    Object.entries(themeFields).flatMap(([field, { group: own, isUnseen }]) =>
      own === group && !isUnseen && !(field in overrides) ? field : [],
    ),
  );
  const set = (values: Record<string, string | null>) => {
    const all = Object.entries({ ...overrides, ...values }).filter(([, value]) => value !== null);
    onChange({ overrides: Object.fromEntries(all) as Record<string, string> });
  };
  return (
    <>
      <TextField
        label={texts.name}
        value={name}
        isReadOnly={isReadOnly}
        maxLength={255}
        onChange={(next) => next.trim() !== '' && onChange({ name: next })}
      />
      <h2 className="text-13 font-medium">{texts.who}</h2>
      <FilterBuilder value={{ filters, filters_op }} onChange={onChange} hasActivity={false} isDisabled={isReadOnly} />
      <Fold title={texts.overrides} isOpen>
        {Object.entries(overrides).map(([field, value]) => (
          <div key={field} className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <ValueField
                name={field}
                value={value}
                isReadOnly={isReadOnly}
                hasMergeTags
                onChange={(next) => next !== null && set({ [field]: next })}
              />
            </div>
            {!isReadOnly && (
              <IconButton
                icon={X}
                label={texts.removeOverride(fieldLabel(field))}
                onPress={() => set({ [field]: null })}
              />
            )}
          </div>
        ))}
        {problems
          .filter((problem) => problem.path.startsWith(path))
          .map((problem) => (
            <div key={problem.message} className="flex flex-col gap-1">
              <p className="text-13 text-bad">{problem.message.replaceAll('`', '')}</p>
              {!isReadOnly && <FixButton problem={problem} onFix={set} />}
            </div>
          ))}
        {!isReadOnly && (
          <ComboBox
            key={left.length}
            label={texts.addOverride}
            placeholder={texts.chooseField}
            help={texts.mergeHelp}
            options={left.map((field) => ({ value: field, label: fieldLabel(field) }))}
            value={null}
            onChange={(field) => field !== null && set({ [field]: firstValue(editor, field) })}
          />
        )}
      </Fold>
    </>
  );
}

/** A new override has the value of the theme, or of the script. */
function firstValue({ theme }: ThemeEditor, name: string): string {
  const own = theme[name as `style_${string}`];
  const { type, initial = 'sans-serif' } = themeFields[name] ?? {};
  if (own) return own;
  if (typeof initial === 'string') return initial;
  return type === 'color' ? (initial[name.startsWith('style_dark') ? 1 : 0] ?? '').replace('#', '') : '';
}
