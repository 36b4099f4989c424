import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';

const texts = text.events;

/** Archives an event or restores it. Archived events are not suggested, and still counted. */
export function useArchive() {
  const update = useSend('PATCH /v3/edit/event_names/{id}');
  return ({ id, name }: { id: string; name: string }, hidden: boolean) =>
    update.mutate(
      { id, hidden },
      {
        onSuccess: () =>
          showUndo({
            title: hidden ? texts.archivedNotice(name) : texts.unarchivedNotice(name),
            ...(hidden && { description: texts.archivedHelp }),
            about: [`event_names/${id}`],
            undo: () => update.mutateAsync({ id, hidden: !hidden }),
          }),
        onError: showError,
      },
    );
}
