import { useState } from 'react';
import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import * as text from '../../messages/text.ts';
import { OpeningError } from '../../picks/opening-error.tsx';
import { PageView, useChosenPage } from '../../picks/page-view.tsx';
import { createPick, type PickResult } from '../../picks/pick-api.ts';
import { useRememberedPick } from '../../picks/remembered-picks.ts';
import { useOpening } from '../../picks/use-opening.ts';
import { usePick } from '../../picks/use-pick.ts';
import { WaitingView } from '../../picks/waiting-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { ShownEvent } from './event-page.tsx';

const texts = text.pick;
const own = text.events.definition.pick;

interface PickElementDialogProps {
  event: ShownEvent;
  definition: NonNullable<ShownEvent['definition']>;
  onClose: () => void;
}

/** Picks the element of an event on a page of the customer, where clicks on it can be tested. */
export function PickElementDialog({ event, definition, onClose }: PickElementDialogProps) {
  const current = usePick(useRememberedPick(event.id));
  const [isOther, setOther] = useState(false);
  const page = useChosenPage(event.id, definition.quantifier_urls, useState<string | null>(null));
  const update = useSend('PATCH /v3/edit/event_names/{id}');
  const create = () => createPick({ purpose: 'event', event_name_id: event.id, href: page.href ?? '' });
  const opening = useOpening(
    async () => true,
    create,
    (pick) => {
      page.remember();
      setOther(false);
      current.start(pick);
    },
  );
  const { id, pick, over, end } = current;
  const use = (elements: PickResult['elements']) =>
    update.mutate(
      {
        id: event.id,
        definition: {
          kind: 'click',
          elements: elements.map(({ selector = null, text = null, shadow_selector = null }) => ({
            ...{ selector, text, shadow_selector },
          })),
        },
      },
      {
        onSuccess: () => {
          end();
          showToast({ title: own.used });
          onClose();
        },
      },
    );
  if (!isOther && pick?.result) {
    const { result } = pick;
    return (
      <Dialog
        isOpen
        keepsOpen
        title={texts.title}
        onClose={onClose}
        buttons={
          <>
            <Button onPress={() => setOther(true)}>{texts.result.again}</Button>
            <Button look="primary" isPending={update.isPending} onPress={() => use(result.elements)}>
              {own.use}
            </Button>
          </>
        }
      >
        <ErrorNotice error={update.error} />
        <p className="text-14">{own.found}</p>
        <ol className="flex list-decimal flex-col gap-1 ps-5 text-13">
          {result.elements.map(({ selector, text: words, shadow_selector }) => (
            <li key={`${selector} ${shadow_selector} ${words}`} className="wrap-anywhere">
              <bdi className="font-mono text-12">{[selector, shadow_selector].filter(Boolean).join(' >>> ')}</bdi>
              {words !== undefined && ` “${words}”`}
            </li>
          ))}
        </ol>
        <p className="text-13 text-soft">{own.test}</p>
      </Dialog>
    );
  }
  if (!isOther && id !== null && !over && pick)
    return (
      <Dialog
        isOpen
        keepsOpen
        title={texts.title}
        onClose={onClose}
        buttons={
          <>
            <Button look="quiet" className="me-auto" onPress={end}>
              {texts.waiting.stop}
            </Button>
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
          closeHelp={own.closeHelp}
          lastHelp={texts.help.none}
        />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      keepsOpen
      title={texts.title}
      description={texts.page.intro}
      onClose={onClose}
      onSubmit={() => page.href !== undefined && void opening.submit()}
      buttons={
        <>
          <Button onPress={onClose}>{text.ui.cancel}</Button>
          <Button look="primary" type="submit" isPending={opening.isPending} isDisabled={page.href === undefined}>
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
}
