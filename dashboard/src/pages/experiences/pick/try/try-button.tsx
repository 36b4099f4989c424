import { MonitorPlay } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../../../app/lazy-component.ts';
import type { Editor } from '../../../../editor/use-editor.ts';
import * as text from '../../../../messages/text.ts';
import { Button } from '../../../../ui/button.tsx';

const TryDialog = lazyComponent(() => import('./try-dialog.tsx').then((module) => module.TryDialog));

/** Plays the draft on a page of the customer. The dialog is loaded when it is opened. */
export function TryButton({ editor }: { editor: Editor }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={MonitorPlay} onPress={() => setOpen(true)}>
        {text.editor.tryOnSite}
      </Button>
      <Suspense>{isOpen && <TryDialog editor={editor} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
