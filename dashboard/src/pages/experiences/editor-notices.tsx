import { pathOfKind } from '@usher/domain';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, type ParamsOf } from '../../api/api.ts';
import { useSession } from '../../api/session.ts';
import { showError } from '../../app/show-error.ts';
import { SavingNotices } from '../../changes/saving-notices.tsx';
import { type ShownExperience, shownIn } from '../../editor/document.ts';
import type { Editor } from '../../editor/use-editor.ts';
import { FailingNotices } from '../../failing-steps/failing-notices.tsx';
import { ManagedNotice } from '../../files/managed-notice.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';

const texts = text.editor;

/**
 * What the person must know before they continue: the Experience is deleted or not saved, somebody else has changed it,
 * or people do not see a step.
 */
export function EditorNotices({ experience, editor }: { experience: ShownExperience; editor: Editor }) {
  const { saved } = editor;
  const { user } = useSession();
  return (
    <div className="flex flex-col gap-2 pt-2 empty:hidden">
      {saved.kind === 'gone' && <DeletedNotice experience={experience} editor={editor} />}
      <SavingNotices editor={editor} />
      <ManagedNotice id={experience.id} />
      {user.role !== 'translator' && <FailingNotices experience={experience} editor={editor} />}
    </div>
  );
}

/** The Experience was deleted, but the page still has its content, so it can be created again. */
function DeletedNotice({ experience, editor }: { experience: ShownExperience; editor: Editor }) {
  const [isPending, setPending] = useState(false);
  const [, navigate] = useLocation();
  const { can } = useSession();
  const create = async () => {
    const { kind: _, published_at: __, archived_at: ___, ...fields } = editor.document;
    setPending(true);
    try {
      // Groups of filters contain filters, which the types of the parameters do not say.
      const params = { ...fields, kind: pathOfKind(experience.kind) } as unknown as ParamsOf<'POST /v3/edit/{kind}'>;
      const created = shownIn(await api('POST /v3/edit/{kind}', params), experience.kind);
      showToast({ title: texts.deleted.created(created.name) });
      navigate(`/app/experiences/${created.id}`);
    } catch (error) {
      showError(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Notice
      kind="error"
      title={texts.deleted.title}
      action={
        can('edit') && (
          <Button size="small" isPending={isPending} onPress={create}>
            {texts.deleted.action}
          </Button>
        )
      }
    >
      {texts.deleted.text}
    </Notice>
  );
}
