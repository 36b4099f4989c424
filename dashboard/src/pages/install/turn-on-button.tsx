import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';

const { check } = text.install;

interface TurnOnButtonProps {
  host: string;
  urlId: string;
  look?: ButtonLook;
  size?: 'small' | 'medium';
}

/** Turns a domain on, which can be undone. */
export function TurnOnButton({ host, urlId, look = 'plain', size = 'medium' }: TurnOnButtonProps) {
  const change = useSend('PATCH /v3/edit/urls/{id}', ['installation']);
  const turnOff = () =>
    change.mutate(
      { id: urlId, enabled: 'off' },
      { onSuccess: () => showToast({ title: check.turnedOff(host) }), onError: showError },
    );
  const turnOn = () =>
    change.mutate(
      { id: urlId, enabled: 'on' },
      { onSuccess: () => showToast({ title: check.turnedOn(host), onUndo: turnOff }), onError: showError },
    );
  return (
    <Button look={look} size={size} isPending={change.isPending} onPress={turnOn}>
      {check.turnOn(host)}
    </Button>
  );
}
