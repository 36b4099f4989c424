import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { accountPrompt } from '../api/prompt.ts';
import { type SignedIn, sessionQuery } from '../api/session.ts';
import { announceUser } from '../api/shown-user.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { withoutAsking } from './unsaved-changes.ts';
import { useRequest } from './use-request.ts';

/** Another tab has switched the account. What was typed here stays until the person has chosen one of the two. */
export function AccountPrompt() {
  const isOpen = accountPrompt.useReason() !== undefined;
  const client = useQueryClient();
  const shown = client.getQueryData<SignedIn>(sessionQuery.queryKey);
  const { data: now, isFetching } = useQuery({
    queryKey: ['session-now'],
    queryFn: () => api('GET /v3/session'),
    enabled: isOpen,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const { submit, error, isPending } = useRequest(
    () => api('PATCH /v3/session', { account_id: shown?.account.id ?? '' }),
    (session) => {
      client.setQueryData(sessionQuery.queryKey, session);
      announceUser(session.user.id);
      accountPrompt.finish();
    },
  );
  if (!shown) return null;
  const texts = text.accountPrompt;
  const isSamePerson = now?.person.id === shown.person.id;
  const description = !now
    ? texts.signedOut
    : isSamePerson
      ? texts.switched(now.account.name)
      : texts.otherPerson(now.person.name);
  return (
    <Dialog
      isOpen={isOpen && !isFetching}
      onClose={() => accountPrompt.cancel()}
      keepsOpen
      title={texts.title(shown.account.name)}
      description={description}
      buttons={
        <>
          <Button onPress={() => withoutAsking(() => location.assign('/app'))}>
            {now && isSamePerson ? texts.goOn : texts.reload}
          </Button>
          {isSamePerson && (
            <Button look="primary" isPending={isPending} onPress={submit} autoFocus>
              {texts.switchBack}
            </Button>
          )}
        </>
      }
    >
      <ErrorNotice error={error} />
    </Dialog>
  );
}
