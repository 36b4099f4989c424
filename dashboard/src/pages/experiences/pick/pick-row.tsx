import { Crosshair } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSession } from '../../../api/session.ts';
import { lazyPart } from '../../../app/lazy-part.ts';
import type { Step } from '../../../editor/document.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useStoredValue } from '../../../ui/use-stored-value.ts';
import { picksKey } from './picks-key.ts';

const PickPart = lazyPart(() => import('./pick-part.tsx').then((module) => module.PickPart));

interface PickRowProps {
  experienceId: string;
  editor: Editor;
  step: Step;
  children: ReactNode;
}

/**
 * A heading with the button that picks the element of a step. Everything else is loaded when it is needed. A link opens the dialog
 * with `?pick=<ID of the step>&page=<address>`.
 */
export function PickRow({ experienceId, editor, step, children }: PickRowProps) {
  const [params, setParams] = useSearchParams();
  const isAsked = params.get('pick') === step.id;
  const [isPressed, setPressed] = useState(false);
  const isOpen = isPressed || isAsked;
  const [stored] = useStoredValue(picksKey(useSession().user.id));
  const hasPick = stored?.includes(step.id) ?? false;
  const close = () => {
    setPressed(false);
    if (isAsked) setParams(withoutPick, { replace: true });
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {children}
        {!editor.isReadOnly && (
          <Button size="small" icon={Crosshair} onPress={() => setPressed(true)}>
            {text.content.pickElement}
          </Button>
        )}
      </div>
      <Suspense>
        {!editor.isReadOnly && (isOpen || hasPick) && (
          <PickPart
            experienceId={experienceId}
            editor={editor}
            step={step}
            isOpen={isOpen}
            page={isAsked ? params.get('page') : null}
            onOpen={() => setPressed(true)}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  );
}

function withoutPick(params: URLSearchParams): URLSearchParams {
  params.delete('pick');
  params.delete('page');
  return params;
}
