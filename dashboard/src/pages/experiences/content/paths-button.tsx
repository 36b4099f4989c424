import { GitFork } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { Selection } from './use-selection.ts';

const PathsDialog = lazyComponent(() => import('./paths-dialog.tsx').then((module) => module.PathsDialog));

/** Opens the drawing of the paths through a survey. */
export function PathsButton({ editor, selection }: { editor: Editor; selection: Selection }) {
  const [isOpen, setOpen] = useState(false);
  const goTo = (id: string) => {
    setOpen(false);
    // The dialog gives the focus back to the button first.
    requestAnimationFrame(() => selection.goTo(id, 'next'));
  };
  return (
    <>
      <Button look="quiet" size="small" icon={GitFork} className="self-start" onPress={() => setOpen(true)}>
        {text.content.showPaths}
      </Button>
      <Suspense>{isOpen && <PathsDialog editor={editor} onStep={goTo} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
