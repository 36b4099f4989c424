import { useLocation } from 'wouter';
import type { ParamsOf } from '../../api/api.ts';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import type { SavedSegment } from '../../filters/segment-draft.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';

const texts = text.segments;
const MAX_NAME = 255;

/** Duplicates and deletes Segments. A Segment that can be deleted is not used anywhere, so undo can create it again. */
export function useSegmentActions() {
  const [, navigate] = useLocation();
  const create = useSend('POST /v3/edit/segments');
  const remove = useSend('DELETE /v3/edit/segments/{id}');
  const paramsOf = ({ items, items_op }: SavedSegment, name: string) =>
    ({ name, items: items.map(({ id: _, ...filter }) => filter), items_op }) as ParamsOf<'POST /v3/edit/segments'>;
  return {
    duplicate: (segment: SavedSegment) =>
      create.mutate(paramsOf(segment, text.ui.copyOf(segment.name).slice(0, MAX_NAME)), {
        onSuccess: ({ segment: { id, name } }) => {
          showToast({ title: texts.duplicated(name) });
          navigate(`/app/segments/${id}`);
        },
        onError: showError,
      }),
    remove: (segment: SavedSegment, onRemoved?: () => void) =>
      remove.mutate(
        { id: segment.id },
        {
          onSuccess: () => {
            onRemoved?.();
            showUndo({
              title: texts.removed(segment.name),
              about: [`segments/${segment.id}`],
              undo: async () => {
                await create.mutateAsync(paramsOf(segment, segment.name));
                showToast({ title: texts.restored(segment.name) });
              },
            });
          },
          onError: showError,
        },
      ),
  };
}
