import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { NewPasswordField } from '../../app/new-password-field.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { LinkPage } from './link-page.tsx';
import { PlainLayout } from './plain-layout.tsx';
import { useEnter } from './use-enter.ts';

const reset = text.reset;

/** The page of a link that the command line has printed, to choose a new password. */
export default function ResetPage() {
  return (
    <LinkPage kind="reset">
      {({ email }, token) => (
        <PlainLayout title={reset.title} intro={reset.intro(email ?? '')}>
          <ResetForm token={token} email={email ?? ''} />
        </PlainLayout>
      )}
    </LinkPage>
  );
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const enter = useEnter();
  const { values, bind } = useFields({ password: '' });
  const { submit, error, isPending } = useRequest(
    () => api('POST /v3/links/reset', { token, ...values }),
    (session) => enter(session, '/app'),
  );
  const wrong = fieldErrors(error, { password: reset.password });
  return (
    <Form onSubmit={submit}>
      {wrong.password === undefined && <ErrorNotice error={error} />}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField
        label={reset.password}
        {...bind('password')}
        error={wrong.password}
        about={[email]}
        isRequired
        autoFocus
      />
      <Button look="primary" type="submit" isPending={isPending}>
        {reset.action}
      </Button>
    </Form>
  );
}
