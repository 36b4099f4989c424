import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../api/api.ts';
import { whileSwitching } from '../api/shown-user.ts';
import { startSession } from '../api/start-session.ts';
import * as text from '../messages/text.ts';
import { showToast } from '../ui/toast.tsx';
import { showError } from './show-error.ts';
import { confirmLeaving, withoutAsking } from './unsaved-changes.ts';

/** Switches to another account of the same person. No data of the previous account is kept. */
export function useSwitchAccount(): (id: string) => Promise<void> {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  return async (id) => {
    if (!(await confirmLeaving())) return;
    try {
      const session = await whileSwitching(async () => {
        const session = await api('PATCH /v3/session', { account_id: id });
        startSession(client, session);
        return session;
      });
      withoutAsking(() => navigate('/app'));
      showToast({ title: text.frame.switched(session.account.name) });
    } catch (error) {
      showError(error);
    }
  };
}
