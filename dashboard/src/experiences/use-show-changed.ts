import { useQueryClient } from '@tanstack/react-query';
import { invalidate } from '../api/nouns.ts';
import { query } from '../api/queries.ts';
import type { ShownExperience } from '../editor/document.ts';
import type { Editor } from '../editor/use-editor.ts';

/** Shows in all lists, and in the editor, what a request of this page has changed. */
export function useShowChanged(editor: Editor | undefined) {
  const client = useQueryClient();
  return async (experience?: ShownExperience) => {
    if (experience) {
      editor?.receive(experience);
      client.setQueryData(query('GET /v3/edit/experiences/{id}', { id: experience.id }).queryKey, { experience });
    }
    await invalidate(client, 'experiences', 'kinds', 'live', 'unpublished', 'attention');
  };
}
