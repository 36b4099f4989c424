import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSend } from '../api/queries.ts';
import { sampleDataQuery } from '../api/sample-data.ts';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { showToast } from '../ui/toast.tsx';
import { showError } from './show-error.ts';

const { loaded, loadedHelp } = text.sampleData;

/**
 * Whether this person can load or remove sample data in this account, and how to load it. The dashboard requests it while
 * `isNeeded`.
 */
export function useSampleData(isNeeded = true) {
  const { can } = useSession();
  const client = useQueryClient();
  const isAllowed = can('edit') && can('publish');
  const { data } = useQuery({ ...sampleDataQuery, enabled: isNeeded && isAllowed });
  const { mutateAsync, isPending } = useSend('POST /v3/edit/sample_data');
  const load = async () => {
    try {
      await mutateAsync({});
      showToast({ title: loaded, description: loadedHelp });
    } catch (error) {
      showError(error);
    }
    await client.invalidateQueries();
  };
  return {
    canLoad: isAllowed && data?.sample_data.can_load === true,
    isAccountEmpty: data?.sample_data.is_account_empty === true,
    canRemove: isAllowed && typeof data?.sample_data.loaded_at === 'string',
    counts: data?.sample_data.counts,
    load,
    isPending,
  };
}

/** Home asks before it removes the sample data. */
export const REMOVE_SAMPLE_DATA = 'remove-sample-data';
