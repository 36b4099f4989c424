import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { answerLeaving, useIsAskedToLeave } from './unsaved-changes.ts';

/** Asks before unsaved changes are lost. */
export function UnsavedDialog() {
  const { title, description, stay, leave } = text.forms.unsaved;
  return (
    <Dialog
      isOpen={useIsAskedToLeave()}
      onClose={() => answerLeaving(false)}
      role="alertdialog"
      title={title}
      description={description}
      buttons={
        <>
          <Button onPress={() => answerLeaving(true)}>{leave}</Button>
          <Button look="primary" autoFocus onPress={() => answerLeaving(false)}>
            {stay}
          </Button>
        </>
      }
    />
  );
}
