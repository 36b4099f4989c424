import { useState } from 'react';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { checkSelector } from './check-selector.ts';
import { ManualView } from './manual-view.tsx';
import { OpeningError } from './opening-error.tsx';
import { PageView, useChosenPage } from './page-view.tsx';
import { createPick, type PickedElement } from './pick-api.ts';
import type { PickTarget } from './pick-target.ts';
import { type ChosenCandidates, ResultView, useChosen } from './result-view.tsx';
import { useOpening } from './use-opening.ts';
import type { CurrentPick } from './use-pick.ts';
import { WaitingView } from './waiting-view.tsx';

const texts = text.pick;

interface PickDialogProps {
  editor: Editor;
  target: PickTarget;
  current: CurrentPick;
  /** The page to begin with, if a link names one. */
  page: string | null;
  onClose: () => void;
}

/** What the person wants to see, whatever the pick does meanwhile. */
type Wish = 'page' | 'manual' | undefined;

/** Picks an element on the customer's page: choose the page, wait for the pick, look at it, and use it or not. */
export function PickDialog({ editor, target, current, page: linked, onClose }: PickDialogProps) {
  // Whoever follows a link to a page wants to open that one.
  const [wish, setWish] = useState<Wish>(linked === null ? undefined : 'page');
  const [selector, setSelector] = useState('');
  const page = useChosenPage(editor, target.urls, useState(linked));
  const { pick, id, over } = current;
  const choice = useChosen(pick?.result ?? null, target.holds);
  const opening = useOpening(
    editor,
    () =>
      createPick({
        purpose: 'pick',
        experience_id: editor.id,
        ...(target.stepId !== undefined && { step_id: target.stepId }),
        href: page.href ?? '',
      }),
    (pick) => {
      page.remember();
      setWish(undefined);
      current.start(pick);
    },
  );
  const use = (elements: readonly PickedElement[]) => {
    const { apply } = target.set(elements.map(toElement));
    editor.change({ apply });
    current.end();
    showToast({ title: texts.result.used[target.what] });
    onClose();
  };
  const shared = { onClose, isOpen: true, keepsOpen: true };
  const toPage = () => setWish('page');
  const toManual = () => setWish('manual');
  if (wish === 'manual') {
    const check = checkSelector(selector);
    const isRight = check !== undefined && check.problem === undefined;
    const tried = opening.created && { href: opening.created.pick.href, at: opening.created.at };
    return (
      <Dialog
        {...shared}
        title={texts.manual.title}
        size="medium"
        onSubmit={() => isRight && use([{ selector: selector.trim() }])}
        buttons={
          <>
            <Button onPress={toPage}>{texts.manual.back}</Button>
            <Button look="primary" type="submit" isDisabled={!isRight}>
              {texts.manual.action}
            </Button>
          </>
        }
      >
        <ManualView
          tried={tried ?? (pick && { href: pick.href, at: new Date(pick.created_at) })}
          typed={selector}
          onType={setSelector}
        />
      </Dialog>
    );
  }
  if (wish === 'page' || id === null || over)
    return (
      <Dialog
        {...shared}
        title={texts.title}
        description={texts.page.intro}
        onSubmit={() => page.href !== undefined && void opening.submit()}
        buttons={
          <>
            <Button look="quiet" onPress={toManual} className="me-auto">
              {texts.page.manual}
            </Button>
            <Button onPress={onClose}>{text.ui.cancel}</Button>
            <Button
              look="primary"
              type="submit"
              isPending={opening.isPending}
              isDisabled={page.href === undefined}
              autoFocus={page.href !== undefined}
            >
              {texts.page.action}
            </Button>
          </>
        }
      >
        {over && !opening.error && <Notice kind="warning">{texts.over[over]}</Notice>}
        <OpeningError error={opening.error} />
        <PageView page={page} label={texts.page.label} help={texts.page.help} />
      </Dialog>
    );
  if (!pick)
    return (
      <Dialog {...shared} title={texts.title} buttons={<Button onPress={onClose}>{texts.waiting.close}</Button>}>
        <div role="status" aria-label={texts.states.loading} className="flex flex-col gap-3">
          <Skeleton width="60%" />
          <Skeleton height={96} />
        </div>
      </Dialog>
    );
  if (!pick.result)
    return (
      <Dialog
        {...shared}
        title={texts.title}
        buttons={
          <>
            <Button look="quiet" className="me-auto" onPress={current.end}>
              {texts.waiting.stop}
            </Button>
            <Button onPress={toPage}>{texts.waiting.other}</Button>
            <Button look="primary" onPress={onClose} autoFocus>
              {texts.waiting.close}
            </Button>
          </>
        }
      >
        <WaitingView
          pick={pick}
          opening={opening}
          words={{ ...texts.states, steps: texts.waiting.steps, until: texts.waiting.pickUntil }}
          closeHelp={texts.waiting.closeHelp}
          lastHelp={
            <>
              {texts.help.none}{' '}
              <Button size="small" look="quiet" onPress={toManual}>
                {texts.help.manual}
              </Button>
            </>
          }
        />
      </Dialog>
    );
  return (
    <Dialog
      {...shared}
      title={texts.title}
      size="large"
      buttons={
        <ResultButtons
          choice={choice}
          onDiscard={() => {
            current.end();
            onClose();
          }}
          onAgain={toPage}
          onUse={() => use(choice.chosen)}
        />
      }
    >
      <ResultView pick={pick} result={pick.result} target={target} choice={choice} />
    </Dialog>
  );
}

/** A way to find an element, as steps have it. */
const toElement = ({ selector, text, shadow_selector }: PickedElement) => ({
  selector: selector ?? null,
  text: text ?? null,
  shadow_selector: shadow_selector ?? null,
});

interface ResultButtonsProps {
  choice: ChosenCandidates;
  onDiscard: () => void;
  onAgain: () => void;
  onUse: () => void;
}

function ResultButtons({ choice: { chosen, isFragile }, onDiscard, onAgain, onUse }: ResultButtonsProps) {
  return (
    <>
      <Button look="quiet" className="me-auto" onPress={onDiscard}>
        {texts.result.discard}
      </Button>
      <Button look={isFragile ? 'primary' : 'plain'} onPress={onAgain}>
        {texts.result.again}
      </Button>
      <Button look={isFragile ? 'plain' : 'primary'} isDisabled={chosen.length === 0} onPress={onUse}>
        {isFragile ? texts.result.anyway : texts.result.action(chosen.length)}
      </Button>
    </>
  );
}
