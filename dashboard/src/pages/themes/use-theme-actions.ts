import { useQueryClient } from '@tanstack/react-query';
import type { Theme } from '@usher/domain';
import { useLocation } from 'wouter';
import { api } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { showToast } from '../../ui/toast.tsx';

const { done } = text.themes;
const MAX_NAME = 255;

/** What can be done with a theme without a dialog, in the list and on its page. */
export function useThemeActions() {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const run = (work: () => Promise<void>) => work().catch(showError);
  return {
    resume: ({ id }: { id: string }, receive?: (theme: Theme) => void) =>
      run(async () => {
        const { theme } = await api('POST /v3/edit/themes/{id}/resume', { id });
        receive?.(theme as unknown as Theme);
        await invalidate(client, 'themes', 'experiences', 'kinds');
      }),
    duplicate: ({ id, name }: Theme) =>
      run(async () => {
        const copied = [...text.ui.copyOf(name)].slice(0, MAX_NAME).join('');
        const { theme } = await api('POST /v3/edit/themes/{id}/duplicate', { id, name: copied });
        await invalidate(client, 'themes');
        showToast({ title: done.duplicated(theme.name) });
        navigate(`/app/themes/${theme.id}`);
      }),
  };
}
