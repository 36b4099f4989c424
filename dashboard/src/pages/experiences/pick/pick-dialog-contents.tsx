import type { ComponentProps } from 'react';
import * as text from '../../../messages/text.ts';
import { OpeningError } from '../../../picks/opening-error.tsx';
import { PageView, type useChosenPage } from '../../../picks/page-view.tsx';
import type { PickedElement } from '../../../picks/pick-api.ts';
import type { Opening } from '../../../picks/use-opening.ts';
import type { CurrentPick } from '../../../picks/use-pick.ts';
import { WaitingView } from '../../../picks/waiting-view.tsx';
import { Button } from '../../../ui/button.tsx';
import type { Dialog } from '../../../ui/dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { checkSelector } from './check-selector.ts';
import { ManualView } from './manual-view.tsx';
import type { PickTarget } from './pick-target.ts';
import type { PickWish, pickViewOf } from './pick-view.ts';
import { type ChosenCandidates, ResultView } from './result-view.tsx';

/*
 * The content of the pick dialog in each of its views. These are functions and not components, so that the dialog stays
 * mounted.
 */

/** The state that the views show and change. */
export interface PickDialogState {
  setWish: (wish: PickWish) => void;
  selector: string;
  setSelector: (selector: string) => void;
  page: ReturnType<typeof useChosenPage>;
  choice: ChosenCandidates;
  opening: Opening;
  use: (elements: readonly PickedElement[]) => void;
  target: PickTarget;
  current: CurrentPick;
  onClose: () => void;
}

type Contents = Omit<ComponentProps<typeof Dialog>, 'isOpen' | 'onClose' | 'keepsOpen'>;

const texts = text.pick;

export const pickContents: Record<ReturnType<typeof pickViewOf>, (state: PickDialogState) => Contents> = {
  page: pageContents,
  manual: manualContents,
  loading: loadingContents,
  waiting: waitingContents,
  result: resultContents,
};

function pageContents({ page, opening, current: { over }, setWish, onClose }: PickDialogState): Contents {
  return {
    title: texts.title,
    description: texts.page.intro,
    onSubmit: () => page.href !== undefined && void opening.submit(),
    buttons: (
      <>
        <Button look="quiet" onPress={() => setWish('manual')} className="me-auto">
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
    ),
    children: (
      <>
        {over && !opening.error && <Notice kind="warning">{texts.over[over]}</Notice>}
        <OpeningError error={opening.error} />
        <PageView page={page} label={texts.page.label} help={texts.page.help} />
      </>
    ),
  };
}

function manualContents({ selector, setSelector, opening, current, use, setWish }: PickDialogState): Contents {
  const { pick } = current;
  const check = checkSelector(selector);
  const isRight = check !== undefined && check.problem === undefined;
  const tried = opening.created && { href: opening.created.pick.href, at: opening.created.at };
  return {
    title: texts.manual.title,
    size: 'medium',
    onSubmit: () => isRight && use([{ selector: selector.trim() }]),
    buttons: (
      <>
        <Button onPress={() => setWish('page')}>{texts.manual.back}</Button>
        <Button look="primary" type="submit" isDisabled={!isRight}>
          {texts.manual.action}
        </Button>
      </>
    ),
    children: (
      <ManualView
        tried={tried ?? (pick && { href: pick.href, at: new Date(pick.created_at) })}
        typed={selector}
        onType={setSelector}
      />
    ),
  };
}

function loadingContents({ onClose }: PickDialogState): Contents {
  return {
    title: texts.title,
    buttons: <Button onPress={onClose}>{texts.waiting.close}</Button>,
    children: (
      <div role="status" aria-label={texts.states.loading} className="flex flex-col gap-3">
        <Skeleton width="60%" />
        <Skeleton height={96} />
      </div>
    ),
  };
}

function waitingContents({ opening, current, setWish, onClose }: PickDialogState): Contents {
  const { pick, end } = current;
  return {
    title: texts.title,
    buttons: (
      <>
        <Button look="quiet" className="me-auto" onPress={end}>
          {texts.waiting.stop}
        </Button>
        <Button onPress={() => setWish('page')}>{texts.waiting.other}</Button>
        <Button look="primary" onPress={onClose} autoFocus>
          {texts.waiting.close}
        </Button>
      </>
    ),
    children: pick && (
      <WaitingView
        pick={pick}
        opening={opening}
        words={{ ...texts.states, steps: texts.waiting.steps, until: texts.waiting.pickUntil }}
        closeHelp={texts.waiting.closeHelp}
        lastHelp={
          <>
            {texts.help.none}{' '}
            <Button size="small" look="quiet" onPress={() => setWish('manual')}>
              {texts.help.manual}
            </Button>
          </>
        }
      />
    ),
  };
}

function resultContents({ choice, current, target, use, setWish, onClose }: PickDialogState): Contents {
  const { pick, end } = current;
  const { chosen, isFragile } = choice;
  const discard = () => {
    end();
    onClose();
  };
  return {
    title: texts.title,
    size: 'large',
    buttons: (
      <>
        <Button look="quiet" className="me-auto" onPress={discard}>
          {texts.result.discard}
        </Button>
        <Button look={isFragile ? 'primary' : 'plain'} onPress={() => setWish('page')}>
          {texts.result.again}
        </Button>
        <Button look={isFragile ? 'plain' : 'primary'} isDisabled={chosen.length === 0} onPress={() => use(chosen)}>
          {isFragile ? texts.result.anyway : texts.result.action(chosen.length)}
        </Button>
      </>
    ),
    children: pick?.result && <ResultView pick={pick} result={pick.result} target={target} choice={choice} />,
  };
}
