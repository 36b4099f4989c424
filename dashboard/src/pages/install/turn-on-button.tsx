import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
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
  const turnOff = async (updated_at: string) => {
    await change.mutateAsync({ id: urlId, enabled: 'off', updated_at });
    showToast({ title: check.turnedOff(host) });
  };
  const turnOn = () =>
    change.mutate(
      { id: urlId, enabled: 'on' },
      {
        onSuccess: ({ url: { updated_at } }) =>
          showUndo({ title: check.turnedOn(host), about: [`urls/${urlId}`], undo: () => turnOff(updated_at) }),
        onError: showError,
      },
    );
  return (
    <Button look={look} size={size} isPending={change.isPending} onPress={turnOn}>
      {check.turnOn(host)}
    </Button>
  );
}
