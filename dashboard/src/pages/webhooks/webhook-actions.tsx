import { Ellipsis, Power, RotateCcwKey, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useSend } from '../../api/queries.ts';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import { withoutAsking } from '../../app/unsaved-changes.ts';
import * as text from '../../messages/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { showToast } from '../../ui/toast.tsx';
import type { usePing } from './ping.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import type { ShownWebhook } from './webhook-state.tsx';

const webhooks = text.webhooks;

/** What can be done with a webhook besides changing its fields. */
export function WebhookActions({ webhook, ping }: { webhook: ShownWebhook; ping: ReturnType<typeof usePing> }) {
  const [open, setOpen] = useState<'rotate' | 'delete' | undefined>();
  const turn = useTurn(webhook);
  return (
    <>
      {webhook.enabled ? (
        <Button icon={Send} isPending={ping.isPending} onPress={ping.start}>
          {webhooks.ping.action}
        </Button>
      ) : (
        <Button look="primary" icon={Power} onPress={() => turn(true)}>
          {webhooks.turnOn}
        </Button>
      )}
      <Menu
        label={webhooks.more}
        placement="bottom end"
        trigger={<IconButton icon={Ellipsis} label={webhooks.more} look="plain" />}
        groups={[
          {
            entries: [
              {
                id: 'rotate',
                label: webhooks.rotate.action,
                icon: RotateCcwKey,
                onAction: () => setOpen('rotate'),
              },
              ...(webhook.enabled
                ? [{ id: 'off', label: webhooks.turnOff, icon: Power, onAction: () => turn(false) }]
                : []),
            ],
          },
          {
            entries: [
              { id: 'delete', label: webhooks.remove, icon: Trash2, isDanger: true, onAction: () => setOpen('delete') },
            ],
          },
        ]}
      />
      {open === 'rotate' && <RotateDialog id={webhook.id} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && <DeleteDialog webhook={webhook} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useTurn({ id }: ShownWebhook): (enabled: boolean) => void {
  const change = useSend('PATCH /v3/edit/webhooks/{id}');
  const turn = (enabled: boolean) =>
    change.mutate(
      { id, enabled },
      {
        onSuccess: () =>
          enabled
            ? showToast({ title: webhooks.turnedOn })
            : showUndo({ title: webhooks.turnedOff, about: [`webhooks/${id}`], undo: async () => turn(true) }),
        onError: showError,
      },
    );
  return turn;
}

function RotateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const rotate = useSend('POST /v3/edit/webhooks/{id}/rotate');
  const { title, description, confirm } = webhooks.rotate;
  if (rotate.data) return <SecretDialog secret={rotate.data.webhook.secret} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      description={description}
      onSubmit={() => rotate.mutate({ id }, { onError: showError })}
      action={confirm}
      isPending={rotate.isPending}
    />
  );
}

function DeleteDialog({ webhook, onClose }: { webhook: ShownWebhook; onClose: () => void }) {
  const [, navigate] = useLocation();
  const remove = useSend('DELETE /v3/edit/webhooks/{id}');
  const submit = () =>
    remove.mutate(
      { id: webhook.id },
      {
        onSuccess: () => {
          withoutAsking(() => navigate('/app/settings/webhooks'));
          showToast({ title: webhooks.removed(webhook.name) });
        },
        onError: showError,
      },
    );
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      {...webhooks.confirmRemove}
      phrase={webhook.name}
      action={webhooks.remove}
      onConfirm={submit}
      isPending={remove.isPending}
    />
  );
}
