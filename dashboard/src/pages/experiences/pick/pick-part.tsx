import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { useRememberedPick } from '../../../picks/remembered-picks.ts';
import { type CurrentPick, usePick } from '../../../picks/use-pick.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { PickDialog } from './pick-dialog.tsx';
import type { PickTarget } from './pick-target.ts';

const texts = text.pick.status;

interface PickPartProps {
  editor: Editor;
  target: PickTarget;
  isOpen: boolean;
  /** The initial page, if a link names one. */
  page: string | null;
  onOpen: () => void;
  onClose: () => void;
}

/** The dialog. While it is closed, one line about a pick that is in progress or has a result to review. */
export function PickPart(props: PickPartProps) {
  const { target, isOpen, onOpen } = props;
  const current = usePick(useRememberedPick(target.id));
  const { over, forget } = current;
  useEffect(() => {
    if (over && !isOpen) forget();
  });
  if (isOpen) return <PickDialog {...props} current={current} />;
  return <PickStatus current={current} onOpen={onOpen} />;
}

function PickStatus({ current: { pick, over, end }, onOpen }: { current: CurrentPick; onOpen: () => void }) {
  const isPicked = pick?.result != null;
  return (
    <div className="flex items-center gap-2 rounded-6 bg-accent-tint py-1 pe-1 ps-2.5 text-13 empty:hidden forced-colors:border">
      {pick && !over && (
        <>
          <span role="status" className="min-w-0 flex-1">
            {isPicked ? texts.picked : texts.waiting}
          </span>
          <Button size="small" look={isPicked ? 'primary' : 'plain'} onPress={onOpen}>
            {isPicked ? texts.look : texts.show}
          </Button>
          <IconButton icon={X} size="small" label={texts.discard} onPress={end} />
        </>
      )}
    </div>
  );
}
