import * as text from '../messages/text.ts';
import { Notice } from '../ui/notice.tsx';
import type { Conflict } from './use-edit-form.ts';

interface ConflictNoticeProps<Values extends object> {
  conflicts: readonly Conflict<Values>[];
  labels: { readonly [Name in keyof Values & string]: string };
  /** How a value is shown in a sentence. */
  describe?: (name: keyof Values & string, value: unknown) => string;
}

/** Shows what somebody else has changed. The values that this person typed are still in the fields. */
export function ConflictNotice<Values extends object>({ conflicts, labels, describe }: ConflictNoticeProps<Values>) {
  const forms = text.forms;
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
