import type { QueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { sketchesOf } from '../../../editor/preview/use-sketch.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import type { ElementPick } from '../../../picks/pick-api.ts';

/** Keeps the sketch of the page for the preview of the step. Without it, the preview shows its example page. */
export async function keepSketch(client: QueryClient, editor: Editor, pick: ElementPick | undefined): Promise<void> {
  if (!pick?.result?.sketch) return;
  const { queryKey } = sketchesOf(editor.document.kind, editor.id);
  // The picked element is used in any case.
  await api('POST /v3/edit/picks/{id}/sketch', { id: pick.id }).catch(() => undefined);
  await client.invalidateQueries({ queryKey });
}
