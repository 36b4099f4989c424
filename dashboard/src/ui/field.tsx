import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label as AriaLabel } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';

/** What the fields have in common: the label above, the help and the error below. */
export interface FieldTexts {
  label: string;
  /** One short sentence that helps to fill in the field. */
  help?: ReactNode;
  /** What is wrong, and what to do. */
  error?: string | undefined;
  /** Says "optional" beside the label. */
  isOptional?: boolean;
}

/** The look of everything that one can type into or choose in. */
export const inputLook =
  'w-full rounded-6 border border-edge bg-surface text-14 text-ink transition-colors data-hovered:border-soft ' +
  'data-focused:border-accent data-focused:outline-2 data-focused:-outline-offset-1 data-focused:outline-accent ' +
  'data-invalid:border-bad disabled:opacity-55 [&:is(input,textarea)]:read-only:bg-ground';

export function FieldLabel({
  label,
  isOptional,
  optional,
}: {
  label: string;
  isOptional?: boolean | undefined;
  optional: string;
}) {
  return (
    <AriaLabel className="flex items-baseline gap-1.5 text-13 font-medium text-ink">
      {label}
      {isOptional && <span className="font-normal text-faint">{optional}</span>}
    </AriaLabel>
  );
}

export function FieldHelp({ help, error }: Pick<FieldTexts, 'help' | 'error'>) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className="text-13 text-soft">
          {help}
        </Text>
      )}
      <FieldError className="text-13 text-bad">{error}</FieldError>
    </>
  );
}

export const fieldLayout = 'flex flex-col gap-1';
