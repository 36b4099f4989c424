import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { api } from '../../api/api.ts';
import { keyOf } from '../../api/nouns.ts';
import { useSession } from '../../api/session.ts';
import { EditableHeading } from '../../app/editable-heading.tsx';
import { setFields } from '../../editor/commands.ts';
import type { ShownExperience } from '../../editor/document.ts';
import type { Editor } from '../../editor/use-editor.ts';
import { ShownState } from '../../experiences/shown-state.tsx';
import * as text from '../../messages/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { ExperienceActions } from './experience-actions.tsx';
import { listOf } from './experience-tabs.ts';
import { useOpenEditors } from './use-open-editors.ts';

/** The name, which is edited in place, the state, and the actions of the Experience. */
export function ExperienceHeader({
  experience,
  editor,
  onClash,
}: {
  experience: ShownExperience;
  editor: Editor;
  onClash: () => void;
}) {
  const { kind } = experience;
  const { user } = useSession();
  const count = useUnpublishedCount(experience);
  const texts = text.editor;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-2">
      <div className="flex min-w-0 items-center gap-1.5">
        <Link href={`${listOf(user.role)}?kind=${kind}`} isQuiet className="shrink-0 text-14 text-soft">
          {texts.kindLists[kind]}
        </Link>
        <span aria-hidden className="text-faint">
          /
        </span>
        <EditableHeading
          value={editor.document.name}
          isReadOnly={editor.isReadOnly}
          onChange={(name) => editor.change(setFields({ name }))}
        />
      </div>
      <span className="flex flex-wrap items-center gap-2 text-13 text-soft">
        <ShownState experience={experience} />
        {count > 0 && <span>{texts.unpublished(count)}</span>}
        <OpenEditors id={experience.id} isEditing={!editor.isReadOnly} />
        {editor.isReadOnly && user.role !== 'translator' && <span>{texts.readOnly}</span>}
      </span>
      {editor.clashes.length > 0 && (
        <Button size="small" look="danger" onPress={onClash}>
          {texts.clash.open}
        </Button>
      )}
      <ExperienceActions experience={experience} editor={editor} />
    </div>
  );
}

function OpenEditors({ id, isEditing }: { id: string; isEditing: boolean }) {
  const { editors, isInOtherTab } = useOpenEditors(id, isEditing);
  const names = editors.map(({ name }) => name);
  return (
    <span role="status" className="flex flex-wrap items-center gap-1.5 empty:hidden">
      {names.length > 0 && (
        <>
          <Avatar name={names[0] ?? ''} />
          <span>{text.editor.alsoOpen(names)}</span>
        </>
      )}
      {isInOtherTab && <span>{text.editor.openInOtherTab}</span>}
    </span>
  );
}

/** How many changes the publish dialog would list. The code for the sentences is loaded when there are changes. */
function useUnpublishedCount({ id, kind, state, updated_at }: ShownExperience): number {
  const { data } = useQuery({
    queryKey: keyOf('unpublished', id, updated_at),
    queryFn: async () => {
      const [summary, { countUnpublished }] = await Promise.all([
        api('GET /v3/edit/{kind}/{id}/changes/summary', { kind: pathOfKind(kind), id }),
        import('../../changes/count-unpublished.ts'),
      ]);
      return countUnpublished(summary, kind);
    },
    enabled: state !== 'draft' && state !== 'archived',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return state === 'draft' || state === 'archived' ? 0 : (data ?? 0);
}
