import type { ReactNode } from 'react';
import { text } from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Form } from './form.tsx';
import type { Conflict, EditForm as EditFormState } from './use-edit-form.ts';

interface EditFormProps<Values extends object> {
  form: EditFormState<Values>;
  /** The verb with its object: "Save account". */
  action: string;
  /** How a value is shown in a sentence. */
  describe?: (name: keyof Values & string, value: unknown) => string;
  children: ReactNode;
}

/** The fields of something that exists, and a bar with the button that saves them. */
export function EditForm<Values extends object>({ form, action, describe, children }: EditFormProps<Values>) {
  const { submit, isPending, isDirty, error, wrong, conflicts, discard, labels } = form;
  return (
    <Form onSubmit={submit} className="gap-6">
      {children}
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-3 border-t border-line bg-ground px-4 py-3">
        {conflicts && <ConflictNotice conflicts={conflicts} labels={labels} describe={describe} />}
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

interface ConflictNoticeProps<Values extends object> {
  conflicts: readonly Conflict<Values>[];
  labels: { readonly [Name in keyof Values & string]: string };
  describe: EditFormProps<Values>['describe'] | undefined;
}

/** What somebody else has changed. What this person typed is still in the fields. */
function ConflictNotice<Values extends object>({ conflicts, labels, describe }: ConflictNoticeProps<Values>) {
  const { forms } = text;
  const show = (name: keyof Values & string, value: unknown) => describe?.(name, value) ?? String(value);
  return (
    <Notice kind="error" title={forms.conflict.title}>
      {conflicts.length > 0 && (
        <ul className="list-disc pl-4">
          {conflicts.map(({ name, before, now }) => (
            <li key={name} className="wrap-anywhere">
              {forms.conflict.change(labels[name], show(name, before), show(name, now))}
            </li>
          ))}
        </ul>
      )}
      <p>{forms.conflict.next}</p>
    </Notice>
  );
}
