import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api/queries.ts';
import * as text from '../../messages/text.ts';
import { OpeningError } from '../../picks/opening-error.tsx';
import { PageView, useChosenPage } from '../../picks/page-view.tsx';
import { createPick } from '../../picks/pick-api.ts';
import { useOpening } from '../../picks/use-opening.ts';
import { usePick } from '../../picks/use-pick.ts';
import { WaitingView } from '../../picks/waiting-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import type { ThemeEditor } from './use-theme-editor.ts';

const texts = text.tryOnSite;
const MAX_LISTED = 100;

/** Opens a page of the customer that plays an Experience with the draft of the theme. */
export function TryThemeDialog({ editor, onClose }: { editor: ThemeEditor; onClose: () => void }) {
  const { id } = editor;
  const experiences = useExperiences(id);
  const [chosen, setChosen] = useState<string>();
  const experience_id = chosen ?? experiences?.[0]?.id;
  const page = useChosenPage(id, [], useState<string | null>(null));
  const current = usePick(useState<string | null>(null));
  const [isChoosing, setChoosing] = useState(true);
  const { pick, over } = current;
  const opening = useOpening(
    editor.save,
    () => createPick({ purpose: 'try', experience_id: experience_id ?? '', theme_id: id, href: page.href ?? '' }),
    (pick) => {
      page.remember();
      setChoosing(false);
      current.start(pick);
    },
  );
  const shared = { onClose, isOpen: true, keepsOpen: true, title: texts.title };
  const isReady = page.href !== undefined && experience_id !== undefined;
  if (isChoosing || !pick || over)
    return (
      <Dialog
        {...shared}
        description={texts.themeIntro}
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
        {experiences?.length === 0 ? (
          <Notice kind="warning">{texts.noExperience}</Notice>
        ) : (
          <Select
            label={texts.experience}
            options={(experiences ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={experience_id ?? null}
            onChange={setChosen}
          />
        )}
        <PageView page={page} label={texts.page} help={texts.pageHelp} />
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

/** What the theme can be tried on: the Experiences that have it first. */
function useExperiences(id: string): readonly { id: string; name: string }[] | undefined {
  const own = useQuery(query('GET /v3/edit/themes/{id}/experiences', { id, limit: MAX_LISTED })).data?.experiences;
  const all = useQuery(query('GET /v3/edit/experiences', { limit: MAX_LISTED })).data?.experiences;
  if (!own || !all) return undefined;
  return [...new Map([...own, ...all].map((one) => [one.id, { id: one.id, name: one.name }])).values()];
}
