import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';

/**
 * Other pages open the dialog for a new record with `?dialog=new`. Going back afterwards shows the page without the
 * dialog.
 */
export function useNewDialog(onRequest: () => void): void {
  const [params, setParams] = useSearchParams();
  const isRequested = params.get('dialog') === 'new';
  useEffect(() => {
    if (!isRequested) return;
    onRequest();
    const others = [...params].filter(([name]) => name !== 'dialog');
    setParams(others, { replace: true });
  });
}

/**
 * Like `useNewDialog`, for a dialog that is either open or closed. A person who may only look gets the page without the
 * dialog, also if a colleague sent the address.
 */
export function useNewDialogState(isAllowed = true) {
  const [isOpen, setOpen] = useState(false);
  useNewDialog(() => setOpen(isAllowed));
  return [isOpen, setOpen] as const;
}
