import { proposeTheme } from '@usher/domain';
import { Pipette } from 'lucide-react';
import { useState } from 'react';
import * as text from '../messages/text.ts';
import { OpeningError } from '../picks/opening-error.tsx';
import { PageView, useChosenPage } from '../picks/page-view.tsx';
import { createPick } from '../picks/pick-api.ts';
import { useRememberedPick } from '../picks/remembered-picks.ts';
import { useOpening } from '../picks/use-opening.ts';
import { type CurrentPick, usePick } from '../picks/use-pick.ts';
import { WaitingView } from '../picks/waiting-view.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { TakenLooks } from './taken-looks.tsx';

const texts = text.takeFromPage;

interface TakeFromPageProps {
  themeId: string;
  /** Is called with the fields of the theme that look like the page, such as `style_radius`. Nothing is saved before. */
  onPropose: (fields: Record<string, string>) => void;
}

/** A button that takes the look of a theme from a page of the customer, and its dialog. */
export function TakeFromPage({ themeId, onPropose }: TakeFromPageProps) {
  const [isOpen, setOpen] = useState(false);
  const current = usePick(useRememberedPick(themeId));
  const isTaken = current.pick?.looks != null;
  return (
    <>
      <Button icon={Pipette} onPress={() => setOpen(true)}>
        {isTaken ? texts.ready : texts.open}
      </Button>
      {isOpen && (
        <TakeDialog themeId={themeId} current={current} onPropose={onPropose} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface TakeDialogProps extends TakeFromPageProps {
  current: CurrentPick;
  onClose: () => void;
}

/** Chooses the page, waits for what is taken there, and shows it. All views share one dialog, which keeps the focus. */
function TakeDialog({ themeId, current, onPropose, onClose }: TakeDialogProps) {
  const [isChoosing, setChoosing] = useState(false);
  const page = useChosenPage(themeId, [], useState<string | null>(null));
  const opening = useOpening(
    // The page needs nothing of the draft.
    async () => true,
    () => createPick({ purpose: 'theme', theme_id: themeId, href: page.href ?? '' }),
    (pick) => {
      page.remember();
      setChoosing(false);
      current.start(pick);
    },
  );
  const { pick, over, end } = current;
  const shared = { title: texts.title, isOpen: true, keepsOpen: true, onClose };
  const close = (after: () => void) => {
    after();
    end();
    onClose();
  };
  if (pick?.looks && !isChoosing) {
    const { looks } = pick;
    return (
      <Dialog
        {...shared}
        size="medium"
        buttons={
          <>
            <Button look="quiet" className="me-auto" onPress={() => close(() => {})}>
              {texts.discard}
            </Button>
            <Button onPress={() => setChoosing(true)}>{texts.again}</Button>
            <Button look="primary" onPress={() => close(() => onPropose(proposeTheme(looks)))}>
              {texts.use}
            </Button>
          </>
        }
      >
        <TakenLooks looks={looks} />
      </Dialog>
    );
  }
  if (pick && !over && !isChoosing)
    return (
      <Dialog
        {...shared}
        buttons={
          <>
            <Button look="quiet" className="me-auto" onPress={end}>
              {text.pick.waiting.stop}
            </Button>
            <Button onPress={() => setChoosing(true)}>{text.pick.waiting.other}</Button>
            <Button look="primary" onPress={onClose} autoFocus>
              {text.pick.waiting.close}
            </Button>
          </>
        }
      >
        <WaitingView
          pick={pick}
          opening={opening}
          words={{ ...texts.states, steps: texts.steps, until: texts.until }}
          closeHelp={texts.closeHelp}
          lastHelp={texts.none}
        />
      </Dialog>
    );
  return (
    <Dialog
      {...shared}
      description={texts.intro}
      onSubmit={() => page.href !== undefined && void opening.submit()}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            isPending={opening.isPending}
            isDisabled={page.href === undefined}
            autoFocus={page.href !== undefined}
          >
            {texts.action}
          </Button>
        </>
      }
    >
      {over && !opening.error && <Notice kind="warning">{texts.over[over]}</Notice>}
      <OpeningError error={opening.error} />
      <PageView page={page} label={texts.page} help={texts.pageHelp} />
    </Dialog>
  );
}
