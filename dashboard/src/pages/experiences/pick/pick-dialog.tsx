import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { useChosenPage } from '../../../picks/page-view.tsx';
import { createPick, type PickedElement } from '../../../picks/pick-api.ts';
import { useOpening } from '../../../picks/use-opening.ts';
import type { CurrentPick } from '../../../picks/use-pick.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { keepSketch } from './keep-sketch.ts';
import { pageRulesOf } from './page-rules-of.ts';
import { type PickDialogState, pickContents } from './pick-dialog-contents.tsx';
import type { PickTarget } from './pick-target.ts';
import { type PickWish, pickViewOf } from './pick-view.ts';
import { useChosen } from './result-view.tsx';

interface PickDialogProps {
  editor: Editor;
  target: PickTarget;
  current: CurrentPick;
  /** The initial page, if a link names one. */
  page: string | null;
  onClose: () => void;
}

/**
 * Picks an element on the customer's page: choose the page, wait for the pick, review the result, and use it or not.
 */
export function PickDialog(props: PickDialogProps) {
  const { wish, ...state } = usePickDialog(props);
  const contents = pickContents[pickViewOf(wish, state.current)](state);
  // All views share one dialog, which keeps its place and the focus when the view changes.
  return <Dialog {...contents} isOpen keepsOpen onClose={props.onClose} />;
}

function usePickDialog({
  editor,
  target,
  current,
  page: linked,
  onClose,
}: PickDialogProps): PickDialogState & { wish: PickWish } {
  // A link that names a page leads to that page.
  const [wish, setWish] = useState<PickWish>(linked === null ? undefined : 'page');
  const [selector, setSelector] = useState('');
  const client = useQueryClient();
  const page = useChosenPage(editor.id, pageRulesOf(editor.document, target.urls), useState(linked));
  const choice = useChosen(current.pick?.result ?? null, target.holds);
  const create = () =>
    createPick({
      purpose: 'pick',
      experience_id: editor.id,
      ...(target.stepId !== undefined && { step_id: target.stepId }),
      href: page.href ?? '',
    });
  const opening = useOpening(editor.save, create, (pick) => {
    page.remember();
    setWish(undefined);
    current.start(pick);
  });
  const use = (elements: readonly PickedElement[]) => {
    const { apply } = target.set(elements.map(toElement));
    editor.change({ apply });
    if (target.what === 'step') void keepSketch(client, editor, current.pick);
    current.end();
    showToast({ title: text.pick.result.used[target.what] });
    onClose();
  };
  return { wish, setWish, selector, setSelector, page, choice, opening, use, target, current, onClose };
}

/** A way to find an element, as steps have it. */
const toElement = ({ selector, text, shadow_selector }: PickedElement) => ({
  selector: selector ?? null,
  text: text ?? null,
  shadow_selector: shadow_selector ?? null,
});
