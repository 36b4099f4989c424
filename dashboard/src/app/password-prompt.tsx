import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import { ApiError } from '../api/errors.ts';
import { passwordPrompt } from '../api/prompt.ts';
import { type SignedIn, sessionQuery } from '../api/session.ts';
import * as text from '../messages/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { ErrorNotice } from './error-notice.tsx';

/** Asks for the password while the person is working. The page behind it keeps what was typed. */
export function PasswordPrompt() {
  const reason = passwordPrompt.useReason();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const session = client.getQueryData<SignedIn>(sessionQuery.queryKey);
  const reset = () => {
    setPassword('');
    setError(undefined);
  };
  const cancel = () => {
    reset();
    passwordPrompt.cancel();
  };
  const submit = async () => {
    setPending(true);
    try {
      if (reason === 'confirm') await api('POST /v3/session/confirm', { password });
      else if (session) client.setQueryData(sessionQuery.queryKey, await signInAgain(session, password));
      reset();
      passwordPrompt.finish();
    } catch (error) {
      if (reason === 'confirm' && error instanceof ApiError && error.status === 401) passwordPrompt.change('ended');
      else setError(error);
    } finally {
      setPending(false);
    }
  };
  const texts = text.passwordPrompt[reason ?? 'confirm'];
  const isWrong = error instanceof ApiError && error.status === 403;
  return (
    <Dialog
      isOpen={reason !== undefined}
      onClose={cancel}
      keepsOpen
      title={texts.title}
      description={texts.description}
      onSubmit={submit}
      buttons={
        <>
          {'other' in texts ? (
            <Button look="quiet" onPress={() => location.assign('/')}>
              {texts.other}
            </Button>
          ) : (
            <Button onPress={cancel}>{text.ui.cancel}</Button>
          )}
          <Button look="primary" type="submit" isPending={isPending}>
            {texts.action}
          </Button>
        </>
      }
    >
      {!isWrong && <ErrorNotice error={error} />}
      {/* Password managers need to know whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={session?.person.email ?? ''} readOnly hidden />
      <PasswordField
        label={`${text.signIn.password} (${session?.person.email ?? ''})`}
        value={password}
        onChange={setPassword}
        error={isWrong ? text.passwordPrompt.wrong : undefined}
        autoFocus
      />
    </Dialog>
  );
}

/** Signs the same person in again, in the same account. */
async function signInAgain({ person, account }: SignedIn, password: string): Promise<SignedIn> {
  const session = await api('POST /v3/session', { email: person.email, password });
  return session.account.id === account.id ? session : api('PATCH /v3/session', { account_id: account.id });
}
