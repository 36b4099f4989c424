import { Plus, X } from 'lucide-react';
import type { Step } from '../../../editor/document.ts';
import type { Fields } from '../../../fields/fields-of.ts';
import * as text from '../../../messages/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const texts = text.content;

/** The answers that a person chooses from. */
export function AnswerList({ step, fields, isReadOnly }: { step: Step; fields: Fields; isReadOnly: boolean }) {
  const answers = step.dropdown_items;
  const set = (next: string[]) => fields.set({ dropdown_items: next });
  const { error } = fields.choice('dropdown_items');
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-13 font-medium">{texts.answers}</h3>
      {answers.map((answer, index) => (
        // Answers have no identity but their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: typing must not replace the field
        <div key={index} className="flex items-end gap-1">
          <TextField
            label={texts.answer(index + 1)}
            value={answer}
            onChange={(value) => set(answers.map((one, at) => (at === index ? value : one)))}
            isReadOnly={isReadOnly}
            className="flex-1"
          />
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={texts.removeAnswer(index + 1)}
              onPress={() => set(answers.filter((_, at) => at !== index))}
            />
          )}
        </div>
      ))}
      {error !== undefined && <p className="text-13 text-bad">{error}</p>}
      {!isReadOnly && (
        <Button
          look="quiet"
          size="small"
          icon={Plus}
          className="self-start"
          onPress={() => set([...answers, texts.answer(answers.length + 1)])}
        >
          {texts.addAnswer}
        </Button>
      )}
    </div>
  );
}
