import { useState } from 'react';
import type { Editor } from '../editor/use-editor.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { nameOfAuthor } from './name-of-author.ts';

const texts = text.editor;

/** The draft is not saved, or somebody else has changed it. */
export function SavingNotices({ editor }: { editor: Pick<Editor, 'saved' | 'save' | 'merged'> }) {
  const { saved } = editor;
  return (
    <>
      {saved.kind === 'rejected' && (
        <Notice
          kind="error"
          title={texts.rejected.title}
          action={
            <Button size="small" onPress={() => editor.save()}>
              {texts.rejected.retry}
            </Button>
          }
        >
          {texts.rejected.description(saved.message)}
        </Notice>
      )}
      <MergedNotice editor={editor} />
    </>
  );
}

/** Says that somebody else has changed the draft while it was open here. */
function MergedNotice({ editor }: { editor: Pick<Editor, 'merged'> }) {
  const [seen, setSeen] = useState<number>();
  const { merged } = editor;
  if (!merged || merged.at === seen) return null;
  return (
    <div role="status">
      <Notice
        action={
          <Button size="small" onPress={() => setSeen(merged.at)}>
            {texts.merged.dismiss}
          </Button>
        }
      >
        {texts.merged[merged.what](nameOfAuthor(merged.by))}
      </Notice>
    </div>
  );
}
