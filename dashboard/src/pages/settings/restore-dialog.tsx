import { useEffect, useState } from 'react';
import { formatTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Backup } from './backups-page.tsx';

const texts = text.backups.restore;
const RESUME = 'npx usher webhooks resume';

interface RestoreDialogProps {
  backup: Backup | undefined;
  engine: 'sqlite' | 'postgres';
  onClose: () => void;
}

/** The commands that restore a backup, and what they do. */
export function RestoreDialog({ backup, engine, onClose }: RestoreDialogProps) {
  // The dialog keeps its texts while it closes.
  const [shown, setShown] = useState(backup);
  useEffect(() => {
    if (backup) setShown(backup);
  }, [backup]);
  if (!shown) return null;
  const { lost, kept, forgotten, back, paused } = texts.effect;
  return (
    <Dialog
      isOpen={backup !== undefined}
      onClose={onClose}
      title={texts.title}
      size="medium"
      description={texts.why}
      buttons={<Button onPress={onClose}>{text.ui.close}</Button>}
    >
      <h3 className="text-14 font-medium">{texts.of(formatTime(new Date(shown.created_at)))}</h3>
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-14">
        <li>{texts.steps.stop}</li>
        <li>
          <p className="mb-2">{texts.steps.run}</p>
          <CodeBlock label={texts.command} code={shown.restore_command} />
        </li>
        <li>
          <p className="mb-2">{texts.steps.start}</p>
          <CodeBlock label={texts.resume} code={RESUME} />
        </li>
      </ol>
      <h3 className="text-14 font-medium">{texts.effects}</h3>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-14 text-soft">
        {[lost, kept[engine], forgotten, back, paused].map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </Dialog>
  );
}
