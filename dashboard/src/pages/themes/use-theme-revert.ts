import { useQueryClient } from '@tanstack/react-query';
import type { Theme } from '@usher/domain';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { useRevertOf } from '../../changes/use-revert.ts';
import type { ThemeEditor } from './use-theme-editor.ts';

/** Goes back to an earlier state of the theme, and offers Undo. */
export function useThemeRevert(editor: ThemeEditor) {
  const client = useQueryClient();
  const { id } = editor;
  return useRevertOf({
    save: editor.save,
    send: async (to) => {
      const { theme } = await api('POST /v3/edit/themes/{id}/revert', { id, ...to });
      editor.receive(theme as unknown as Theme);
      await invalidate(client, 'themes');
    },
    newestChange: async () => {
      const { changes } = await api('GET /v3/edit/themes/{id}/changes', { id, limit: 1 });
      return changes[0]?.id ?? '';
    },
  });
}
