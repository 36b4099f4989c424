import { Crosshair } from 'lucide-react';
import { Suspense, useState } from 'react';
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

/**
 * Opens the dialog that picks the element of a step. Everything else is loaded when it is needed. A link opens it with
 * `?pick=<ID of the step>&page=<address>`.
 */
export function PickButton({ experienceId, editor, step }: { experienceId: string; editor: Editor; step: Step }) {
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
      <Button size="small" icon={Crosshair} className="self-start" onPress={() => setPressed(true)}>
        {text.content.pickElement}
      </Button>
      <Suspense>
        {(isOpen || hasPick) && (
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
