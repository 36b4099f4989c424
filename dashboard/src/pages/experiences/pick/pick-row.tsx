import { Crosshair } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSession } from '../../../api/session.ts';
import { lazyComponent } from '../../../app/lazy-component.ts';
import type { Editor } from '../../../editor/use-editor.ts';
import * as text from '../../../messages/text.ts';
import { picksKey } from '../../../picks/picks-key.ts';
import { Button } from '../../../ui/button.tsx';
import { useStoredValue } from '../../../ui/use-stored-value.ts';
import type { PickTarget } from './pick-target.ts';

const PickPart = lazyComponent(() => import('./pick-part.tsx').then((module) => module.PickPart));

interface PickRowProps {
  editor: Editor;
  target: PickTarget;
  children?: ReactNode;
}

/**
 * The button that picks an element of the page, beside a heading if there is one. Everything else is loaded when it is needed. A link
 * opens the dialog with `?pick=<ID of the step or button>&page=<address>`.
 */
export function PickRow({ editor, target, children }: PickRowProps) {
  const [params, setParams] = useSearchParams();
  const isLinked = params.get('pick') === target.id;
  const [isPressed, setPressed] = useState(false);
  const isOpen = isPressed || isLinked;
  const [stored] = useStoredValue(picksKey(useSession().user.id));
  const hasPick = stored?.includes(`"${target.id}":`) ?? false;
  const close = () => {
    setPressed(false);
    if (isLinked) setParams(withoutPick, { replace: true });
  };
  if (editor.isReadOnly) return children;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        {children}
        <Button size="small" icon={Crosshair} onPress={() => setPressed(true)}>
          {text.content.pickElement}
        </Button>
      </div>
      <Suspense>
        {(isOpen || hasPick) && (
          <PickPart
            editor={editor}
            target={target}
            isOpen={isOpen}
            page={isLinked ? params.get('page') : null}
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
