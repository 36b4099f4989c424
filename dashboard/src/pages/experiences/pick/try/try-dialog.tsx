import { useState } from 'react';
import type { Editor } from '../../../../editor/use-editor.ts';
import * as text from '../../../../messages/text.ts';
import { PersonField } from '../../../../people/person-field.tsx';
import { OpeningError } from '../../../../picks/opening-error.tsx';
import { PageView, useChosenPage } from '../../../../picks/page-view.tsx';
import { createPick } from '../../../../picks/pick-api.ts';
import { useOpening } from '../../../../picks/use-opening.ts';
import { usePick } from '../../../../picks/use-pick.ts';
import { WaitingView } from '../../../../picks/waiting-view.tsx';
import { Button } from '../../../../ui/button.tsx';
import { RadioGroup } from '../../../../ui/choice.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { pageRulesOf } from '../page-rules-of.ts';
import { useTriedAs } from './use-tried-as.ts';

const texts = text.tryOnSite;

/**
 * Opens a page of the customer that plays the draft. The bar on that page has more options: from this step, or with the
 * real triggers.
 */
export function TryDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const { document, openPart } = editor;
  const step = document.steps.find(({ id }) => id === openPart.current);
  const page = useChosenPage(
    editor.id,
    pageRulesOf(document, step?.quantifier_urls ?? []),
    useState<string | null>(null),
  );
  const [as, setAs] = useTriedAs();
  const current = usePick(useState<string | null>(null));
  const [isChoosing, setChoosing] = useState(true);
  const { pick, over } = current;
  const opening = useOpening(
    editor.save,
    () =>
      createPick({
        purpose: 'try',
        experience_id: editor.id,
        href: page.href ?? '',
        ...(step && { step_id: step.id }),
        ...(as.profileId !== null && as.kind === 'person' && { profile_id: as.profileId }),
      }),
    (pick) => {
      page.remember();
      setChoosing(false);
      current.start(pick);
    },
  );
  const shared = { onClose, isOpen: true, keepsOpen: true, title: texts.title };
  const isReady = page.href !== undefined && (as.kind === 'self' || as.profileId !== null);
  if (isChoosing || !pick || over)
    return (
      <Dialog
        {...shared}
        description={texts.intro}
        onSubmit={() => isReady && void opening.submit()}
        buttons={
          <>
            <Button onPress={onClose}>{text.ui.cancel}</Button>
            <Button
              look="primary"
              type="submit"
              isPending={opening.isPending}
              isDisabled={!isReady}
              autoFocus={isReady}
            >
              {texts.action}
            </Button>
          </>
        }
      >
        {over && !opening.error && <Notice kind="warning">{texts.over[over]}</Notice>}
        <OpeningError error={opening.error} />
        <PageView page={page} label={texts.page} help={texts.pageHelp} />
        <RadioGroup
          label={texts.as}
          options={[
            { value: 'self', label: texts.self, help: texts.selfHelp },
            { value: 'person', label: texts.person, help: texts.personHelp },
          ]}
          value={as.kind}
          onChange={(kind) => setAs({ kind })}
        />
        {as.kind === 'person' && (
          <PersonField value={as.profileId} onChange={(profileId) => setAs({ profileId })} isWide />
        )}
      </Dialog>
    );
  return (
    <Dialog
      {...shared}
      buttons={
        <>
          <Button
            look="quiet"
            className="me-auto"
            onPress={() => {
              current.end();
              setChoosing(true);
            }}
          >
            {texts.stop}
          </Button>
          <Button onPress={() => setChoosing(true)}>{texts.other}</Button>
          <Button look="primary" onPress={onClose} autoFocus>
            {texts.close}
          </Button>
        </>
      }
    >
      <WaitingView
        pick={pick}
        opening={opening}
        words={texts.waiting}
        isDone={pick.state === 'opened'}
        closeHelp={texts.closeHelp}
        lastHelp={
          <>
            {texts.none} <Link href="/app/settings/install">{texts.install}</Link>
          </>
        }
      />
    </Dialog>
  );
}
