import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../api/errors.ts';
import { ErrorNotice } from '../../../app/error-notice.tsx';
import { useRequest } from '../../../app/use-request.ts';
import { setPart } from '../../../editor/commands.ts';
import type { Document, Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { waitsForElement } from '../content/trigger-fields.tsx';
import { checkSelector } from './check-selector.ts';
import { ManualView } from './manual-view.tsx';
import { PageView, useChosenPage } from './page-view.tsx';
import { createPick, type ElementPick, type PickedElement } from './pick-api.ts';
import { ResultView, useChosen } from './result-view.tsx';
import type { CurrentPick } from './use-pick.ts';
import { WaitingView } from './waiting-view.tsx';

const texts = text.pick;

interface PickDialogProps {
  experienceId: string;
  editor: Editor;
  step: Step;
  current: CurrentPick;
  /** The page to begin with, if a link names one. */
  page: string | null;
  onClose: () => void;
}

/** What the person has asked for, whatever the pick does meanwhile. */
type Wish = 'page' | 'manual' | undefined;

/** Picks an element on the customer's page: choose the page, wait for the pick, look at it, and use it or not. */
export function PickDialog({ experienceId, editor, step, current, page: linked, onClose }: PickDialogProps) {
  const [wish, setWish] = useState<Wish>();
  const [selector, setSelector] = useState('');
  const [created, setCreated] = useState<ElementPick>();
  const typed = useState(linked);
  const page = useChosenPage(experienceId, editor.document, step, typed);
  const { pick, id, over } = current;
  const choice = useChosen(pick?.result ?? null);
  const opening = useRequest(
    async () => {
      // The server must know the step.
      if (!(await editor.save())) throw new NotSavedError();
      return createPick({ experience_id: experienceId, step_id: step.id, href: page.href ?? '' });
    },
    (pick) => {
      page.remember();
      setCreated(pick);
      setWish(undefined);
      current.start(pick);
      // The page gets no way back to this tab. If the browser blocks it, the next view has a link.
      if (pick.address !== undefined) window.open(pick.address, '_blank', 'noopener,noreferrer');
    },
  );
  const use = (elements: readonly PickedElement[]) => {
    const { apply } = setPart(step.id, {
      elements: elements.map(toElement),
      ...(isOnScreen(editor.document, step) && { position_type: 'snap_to_element' }),
    });
    editor.change({ apply });
    current.end();
    showToast({ title: texts.result.used });
    onClose();
  };
  const shared = { onClose, isOpen: true, keepsOpen: true };
  const toPage = () => setWish('page');
  if (wish === 'manual') {
    const check = checkSelector(selector);
    const isRight = check !== undefined && check.problem === undefined;
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
        <ManualView wasTried={created !== undefined || over !== undefined} typed={selector} onType={setSelector} />
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
            <Button look="quiet" onPress={() => setWish('manual')} className="mr-auto">
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
        <PageView page={page} />
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
            <Button look="quiet" className="mr-auto" onPress={current.end}>
              {texts.waiting.stop}
            </Button>
            <Button onPress={toPage}>{texts.waiting.other}</Button>
            <Button look="primary" onPress={onClose} autoFocus>
              {texts.waiting.close}
            </Button>
          </>
        }
      >
        <WaitingView pick={pick} {...secretsOf(created, pick)} onManual={() => setWish('manual')} />
      </Dialog>
    );
  return (
    <Dialog
      {...shared}
      title={texts.title}
      size="large"
      buttons={
        <ResultButtons
          count={choice.chosen.length}
          onDiscard={() => {
            current.end();
            onClose();
          }}
          onAgain={toPage}
          onUse={() => use(choice.chosen)}
        />
      }
    >
      <ResultView
        pick={pick}
        result={pick.result}
        step={step}
        candidates={choice.candidates}
        keys={choice.keys}
        onChoose={choice.choose}
      />
    </Dialog>
  );
}

class NotSavedError extends Error {}

/** The step has had nothing to do with an element: it stands at the picked one from now on. */
function isOnScreen({ kind }: Document, step: Step): boolean {
  return (
    kind !== 'tooltip' && kind !== 'embed' && step.position_type === 'relative_to_screen' && !waitsForElement(step)
  );
}

/** A way to find an element, as steps have it. */
const toElement = ({ selector, text, shadow_selector }: PickedElement) => ({
  selector: selector ?? null,
  text: text ?? null,
  shadow_selector: shadow_selector ?? null,
});

/** The address and the code are only in the response that has created the pick. */
const secretsOf = (created: ElementPick | undefined, { id }: ElementPick) => ({
  address: created?.id === id ? created.address : undefined,
  code: created?.id === id ? created.code : undefined,
});

function OpeningError({ error }: { error: unknown }): ReactNode {
  if (error instanceof NotSavedError)
    return (
      <Notice kind="error" title={texts.page.notSaved}>
        {texts.page.notSavedHelp}
      </Notice>
    );
  const isAboutDomain = error instanceof ApiError && error.status === 422;
  return (
    <>
      <ErrorNotice error={error} />
      {isAboutDomain && (
        <p className="text-13">
          <Link href="/app/domains">{texts.page.domains}</Link>
        </p>
      )}
    </>
  );
}

interface ResultButtonsProps {
  count: number;
  onDiscard: () => void;
  onAgain: () => void;
  onUse: () => void;
}

function ResultButtons({ count, onDiscard, onAgain, onUse }: ResultButtonsProps) {
  return (
    <>
      <Button look="quiet" className="mr-auto" onPress={onDiscard}>
        {texts.result.discard}
      </Button>
      <Button onPress={onAgain}>{texts.result.again}</Button>
      <Button look="primary" isDisabled={count === 0} onPress={onUse}>
        {texts.result.action(count)}
      </Button>
    </>
  );
}
