import { useIsReachable } from '../../app/reachable-paths.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { tourCommand } from './tour-command.ts';

const { command: words, demo } = text.home.start;
const SECRETS = '/app/settings/secrets';

interface TourCommandDialogProps {
  isOpen: boolean;
  onClose: () => void;
  serverUrl: string;
  demoUrl: string | null;
}

/** How to create and publish a tour while the dashboard has no editor. */
export function TourCommandDialog({ isOpen, onClose, serverUrl, demoUrl }: TourCommandDialogProps) {
  const canCreateSecret = useIsReachable()(SECRETS);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="medium"
      title={words.title}
      description={demoUrl === null ? words.asDraft : words.onDemo}
      buttons={
        <Button look="primary" onPress={onClose}>
          {text.ui.close}
        </Button>
      }
    >
      <p>
        {words.secret} {canCreateSecret ? <Link href={SECRETS}>{words.secretLink}</Link> : words.secretFromOwner}
      </p>
      <div className="shrink-0">
        <CodeBlock label={words.label} code={tourCommand(serverUrl, demoUrl !== null)} autoFocus />
      </div>
      {demoUrl !== null && (
        <p>
          {words.next} <Link href={demoUrl}>{demo}</Link>
        </p>
      )}
      <p className="text-13 text-soft">{words.guide}</p>
    </Dialog>
  );
}
