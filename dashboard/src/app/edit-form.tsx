import type { ReactNode } from 'react';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Form } from './form.tsx';
import type { EditForm as EditFormState } from './use-edit-form.ts';

interface EditFormProps<Values extends object> {
  form: EditFormState<Values>;
  /** The verb with its object: "Save account". */
  action: string;
  /** How a value is shown in a sentence. */
  describe?: (name: keyof Values & string, value: unknown) => string;
  children: ReactNode;
}

/** The fields of an existing record, and a bar with the button that saves them. */
export function EditForm<Values extends object>({ form, action, describe, children }: EditFormProps<Values>) {
  const { submit, isPending, isDirty, error, wrong, conflicts, discard, labels } = form;
  return (
    <Form onSubmit={submit} className="gap-6">
      {children}
      <div
        className={cx(
          'bottom-0 z-10 -mx-4 flex flex-col gap-3 bg-ground px-4 py-3',
          // While there are unsaved changes, the button stays in view.
          isDirty && 'sticky border-t border-line',
        )}
      >
        {conflicts && <ConflictNotice conflicts={conflicts} labels={labels} {...(describe && { describe })} />}
        {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
        <div className="flex flex-wrap items-center gap-2">
          <Button look="primary" type="submit" isPending={isPending} isDisabled={!isDirty}>
            {action}
          </Button>
          {isDirty && (
            <Button look="quiet" onPress={discard}>
              {text.forms.discard}
            </Button>
          )}
          <p role="status" className="ml-auto text-13 text-soft">
            {isDirty && text.forms.notSaved}
          </p>
        </div>
      </div>
    </Form>
  );
}
