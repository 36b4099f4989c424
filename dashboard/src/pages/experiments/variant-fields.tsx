import { Plus, X } from 'lucide-react';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ExperienceSelect } from './experience-select.tsx';

const texts = text.experiments;
const MAX_VARIANTS = 10;

export interface VariantValues {
  name: string;
  experience_id: string | null;
  share: number;
}

interface VariantFieldsProps {
  value: readonly VariantValues[];
  onChange: (variants: VariantValues[]) => void;
  /** Whether only names and shares can change. */
  isFixed: boolean;
  error?: string | undefined;
}

/** The variants with their shares. Without an Experience, a variant is the control. */
export function VariantFields({ value, onChange, isFixed, error }: VariantFieldsProps) {
  const change = (at: number, changed: Partial<VariantValues>) =>
    onChange(value.map((variant, index) => (index === at ? { ...variant, ...changed } : variant)));
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1 text-13 font-medium">{texts.fields.variants}</legend>
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      {value.map((variant, at) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: variants have no ID before they are saved
          key={at}
          aria-label={texts.variant(at + 1)}
          className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_8rem_auto]"
        >
          <TextField label={texts.variantName} value={variant.name} onChange={(name) => change(at, { name })} />
          {variant.experience_id === null && at === 0 ? (
            <TextField label={texts.variantExperience} value={texts.nothing} isReadOnly />
          ) : (
            <ExperienceSelect
              label={texts.variantExperience}
              value={variant.experience_id}
              onChange={(id) => change(at, { experience_id: id })}
              isDisabled={isFixed}
            />
          )}
          <NumberField
            label={texts.share}
            value={variant.share}
            onChange={(share) => change(at, { share })}
            max={100}
            problem={texts.wrongNumber}
          />
          {!isFixed && value.length > 2 && (
            <Button icon={X} className="sm:mt-6" onPress={() => onChange(value.filter((_, index) => index !== at))}>
              {texts.removeVariant(variant.name)}
            </Button>
          )}
        </fieldset>
      ))}
      {!isFixed && value.length < MAX_VARIANTS && (
        <Button
          icon={Plus}
          className="self-start"
          onPress={() => onChange([...value, { name: texts.variant(value.length + 1), experience_id: null, share: 0 }])}
        >
          {texts.addVariant}
        </Button>
      )}
    </fieldset>
  );
}
