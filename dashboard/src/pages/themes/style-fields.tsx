import {
  type Contrast,
  DARK,
  describeThemeValue,
  LIGHT,
  listContrasts,
  readThemeValue,
  type Scheme,
  shownColor,
  type ThemeField,
  type ThemeGroup,
  type ThemeStyles,
  themeFields,
} from '@usher/domain/themes';
import { X } from 'lucide-react';
import { useState } from 'react';
import { capitalize, fieldLabel } from '../../messages/field-names.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { inputLook } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ThemeProblem } from './use-theme-editor.ts';

const texts = text.themes;
const AS_PAGE = 'as_page';

interface StyleProps {
  /** The values that the theme shows. */
  styles: ThemeStyles;
  isReadOnly: boolean;
  problems: readonly ThemeProblem[];
  onChange: (values: ThemeStyles) => void;
}

/** All fields of a group, as the catalog of themes lists them. A color has a field for light and one for dark pages. */
export function StyleFields({ group, ...props }: StyleProps & { group: ThemeGroup }) {
  const contrasts = listContrasts(props.styles);
  const own = Object.entries(themeFields).filter(
    ([name, field]) => field.group === group && !field.isUnseen && !name.startsWith(DARK),
  );
  return own.map(([name, field]) =>
    field.type === 'color' ? (
      <ColorFields key={name} {...props} color={name.slice(LIGHT.length)} field={field} contrasts={contrasts} />
    ) : (
      <ValueField
        key={name}
        name={name}
        value={props.styles[name] ?? null}
        isReadOnly={props.isReadOnly}
        onChange={(value) => props.onChange({ [name]: value })}
      />
    ),
  );
}

interface ValueFieldProps {
  name: string;
  value: string | null;
  isReadOnly: boolean;
  onChange: (value: string | null) => void;
  /** Whether the value may have merge tags, which the server checks. */
  hasMergeTags?: boolean;
}

/** One field that is not a color, or any field of a variation. An empty field is as the page. */
export function ValueField({ name, value, isReadOnly, onChange, hasMergeTags = false }: ValueFieldProps) {
  const field = themeFields[name] as ThemeField;
  const read = (typed: string) => (hasMergeTags && typed.includes('{{') ? typed.trim() : readThemeValue(field, typed));
  const typing = useTyping(value, read, onChange);
  const label = fieldLabel(name);
  const unit = texts.units[field.type];
  if (field.type === 'word' && !hasMergeTags)
    return (
      <Select
        label={label}
        isDisabled={isReadOnly}
        options={[
          { value: AS_PAGE, label: texts.asPage },
          ...Object.keys(field.words ?? {}).map((word) => ({
            value: word,
            label: capitalize(texts.words[word] ?? word),
          })),
        ]}
        value={value ?? AS_PAGE}
        onChange={(word) => onChange(word === AS_PAGE ? null : word)}
      />
    );
  return (
    <TextField
      label={unit ? `${label} (${unit})` : label}
      isReadOnly={isReadOnly}
      value={typing.shown}
      onChange={typing.type}
      placeholder={hasMergeTags ? '' : placeholderOf(field)}
      {...(field.type !== 'font' && !hasMergeTags && { inputMode: 'decimal' as const })}
      error={typing.isWrong ? texts.wrong(plain(describeThemeValue(field))) : undefined}
    />
  );
}

const plain = (words: string) => words.replaceAll('`', '');

function placeholderOf({ initial }: ThemeField): string {
  return typeof initial === 'string' ? `${texts.asPage}, ${initial}` : texts.asPage;
}

/** A text that is no valid value stays in the field and changes nothing, until the value changes elsewhere. */
function useTyping(
  value: string | null,
  read: (typed: string) => string | undefined,
  onChange: (value: string | null) => void,
  format = (stored: string) => stored,
) {
  const [typed, setTyped] = useState<{ text: string; value: string | null; isWrong: boolean }>();
  const isCurrent = typed !== undefined && typed.value === value;
  return {
    shown: isCurrent ? typed.text : value === null ? '' : format(value),
    isWrong: isCurrent && typed.isWrong,
    type: (next: string) => {
      const result = next.trim() === '' ? null : read(next);
      if (result === undefined) return setTyped({ text: next, value, isWrong: true });
      setTyped({ text: next, value: result, isWrong: false });
      if (result !== value) onChange(result);
    },
    /** Shows the value as it is stored. */
    finish: () => isCurrent && !typed.isWrong && setTyped(undefined),
  };
}

interface ColorFieldsProps extends StyleProps {
  color: string;
  field: ThemeField;
  contrasts: readonly Contrast[];
}

function ColorFields({ color, field, contrasts, ...props }: ColorFieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="text-13 font-medium">{capitalize(field.name)}</legend>
      <div className="grid grid-cols-2 gap-2">
        {(['light', 'dark'] as const).map((scheme) => (
          <OneColor
            key={scheme}
            {...props}
            color={color as Parameters<typeof shownColor>[1]}
            scheme={scheme}
            field={field}
            contrasts={contrasts}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface OneColorProps extends StyleProps {
  color: Parameters<typeof shownColor>[1];
  scheme: Scheme;
  field: ThemeField;
  contrasts: readonly Contrast[];
}

function OneColor({ color, scheme, field, contrasts, styles, isReadOnly, problems, onChange }: OneColorProps) {
  const name = (scheme === 'light' ? LIGHT : DARK) + color;
  const value = styles[name] ?? null;
  const label = `${capitalize(field.name)}, ${texts.schemes[scheme].toLowerCase()}`;
  const set = (next: string | null) => onChange({ [name]: next });
  const typing = useTyping(
    value,
    (typed) => readThemeValue(field, typed),
    set,
    (stored) => `#${stored}`,
  );
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <span aria-hidden className="text-12 text-soft">
        {texts.schemes[scheme]}
      </span>
      <div className="relative flex items-center">
        <input
          type="color"
          aria-label={texts.picker(label)}
          disabled={isReadOnly}
          value={`#${shownColor(styles, color, scheme)}`}
          onChange={(event) => typing.type(event.currentTarget.value)}
          className={cx(
            'absolute left-1 size-6 cursor-pointer rounded-4 border p-0 forced-color-adjust-none [&::-moz-color-swatch]:border-0 [&::-webkit-color-swatch]:rounded-4 [&::-webkit-color-swatch]:border-0 [&::-webkit-color-swatch-wrapper]:p-0',
            value === null ? 'border-dashed border-edge' : 'border-edge',
          )}
        />
        <input
          aria-label={label}
          value={typing.shown}
          readOnly={isReadOnly}
          placeholder={texts.asPage}
          spellCheck={false}
          autoComplete="off"
          maxLength={7}
          {...(typing.isWrong && { 'aria-invalid': true, 'data-invalid': true })}
          onChange={(event) => typing.type(event.currentTarget.value)}
          onBlur={typing.finish}
          className={cx(inputLook, 'h-8 pr-7 pl-9 tabular-nums placeholder:text-faint')}
        />
        {value !== null && !isReadOnly && (
          <span className="absolute right-0.5">
            <IconButton icon={X} size="small" label={texts.clear(label)} onPress={() => set(null)} />
          </span>
        )}
      </div>
      {typing.isWrong && <p className="text-12 text-bad">{texts.wrong(plain(describeThemeValue(field)))}</p>}
      <ContrastLine contrasts={contrasts.filter(({ fields }) => fields[0] === name)} />
      {!isReadOnly &&
        problems
          .filter(({ path }) => path === name)
          .map((problem) => <FixButton key={problem.message} problem={problem} onFix={onChange} />)}
    </div>
  );
}

/** The lowest contrast of a color with what is behind it. */
function ContrastLine({ contrasts }: { contrasts: readonly Contrast[] }) {
  const [lowest] = contrasts.toSorted((one, other) => one.ratio / one.min - other.ratio / other.min);
  if (!lowest) return null;
  const { ratio, min, under } = lowest;
  // Rounded down, so that a contrast that is just too low does not look like one that is enough.
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1);
  const other = themeFields[LIGHT + under]?.name ?? '';
  return (
    <p className={cx('text-12', ratio < min ? 'text-bad' : 'text-soft')}>
      {ratio < min ? texts.lowContrast(shown, String(min), other) : texts.contrast(shown, other)}
    </p>
  );
}

/** Takes the nearest color that has enough contrast. */
export function FixButton({ problem, onFix }: { problem: ThemeProblem; onFix: (values: ThemeStyles) => void }) {
  const { suggestion } = problem;
  if (!suggestion) return null;
  return (
    <Button size="small" className="self-start" onPress={() => onFix({ [suggestion.field]: suggestion.value })}>
      <span
        aria-hidden
        className="size-3 rounded-4 border border-edge forced-color-adjust-none"
        style={{ background: `#${suggestion.value}` }}
      />
      {texts.fix(`#${suggestion.value}`)}
    </Button>
  );
}
