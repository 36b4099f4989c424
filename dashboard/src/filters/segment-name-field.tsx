import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { SegmentDraft } from './segment-draft.ts';

const texts = text.segments.form;

interface SegmentNameFieldProps {
  draft: SegmentDraft;
  error?: string | undefined;
  isDisabled?: boolean;
}

/** The name follows the conditions until somebody types another name. */
export function SegmentNameField({ draft, error, isDisabled = false }: SegmentNameFieldProps) {
  return (
    <div className="flex flex-col items-start gap-1">
      <TextField
        label={texts.name}
        value={draft.shownName}
        onChange={draft.setName}
        placeholder={draft.suggested}
        help={draft.hasOwnName ? undefined : texts.nameHelp}
        error={error}
        isDisabled={isDisabled}
        className="w-full"
      />
      {draft.hasOwnName && !isDisabled && (
        <Button look="quiet" size="small" className="-ml-2" onPress={() => draft.setName(undefined)}>
          {texts.ownName}
        </Button>
      )}
    </div>
  );
}
