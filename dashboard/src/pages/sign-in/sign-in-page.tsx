import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { ApiError } from '../../api/errors.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { PlainLayout } from './plain-layout.tsx';
import { useEnter } from './use-enter.ts';

const signIn = text.signIn;

export default function SignInPage() {
  return <PlainLayout title={signIn.title}>{isSecureContext ? <SignInForm /> : <InsecureNotice />}</PlainLayout>;
}

function SignInForm() {
  const enter = useEnter();
  const { values, bind } = useFields({ email: '', password: '' });
  const { submit, error, isPending } = useRequest(() => api('POST /v3/session', values), enter);
  const wrong = fieldErrors(error, { email: signIn.email, password: signIn.password });
  const isWrong = error instanceof ApiError && error.status === 403;
  return (
    <Form onSubmit={submit}>
      {isWrong ? (
        <Notice kind="error" title={signIn.wrong}>
          {signIn.wrongHelp}
        </Notice>
      ) : (
        Object.keys(wrong).length === 0 && <ErrorNotice error={error} />
      )}
      <TextField
        label={signIn.email}
        {...bind('email')}
        type="email"
        autoComplete="username"
        error={wrong.email}
        autoFocus
        isRequired
      />
      <PasswordField label={signIn.password} {...bind('password')} error={wrong.password} isRequired />
      <Button look="primary" type="submit" isPending={isPending}>
        {signIn.action}
      </Button>
      <details className="text-13 text-soft">
        <summary className="rounded-4">{signIn.forgotten}</summary>
        <div className="pt-2">
          <CodeBlock label={signIn.forgottenLabel} code={signIn.forgottenCommand(values.email)} />
        </div>
      </details>
    </Form>
  );
}

/**
 * Says that signing in needs HTTPS: browsers and the server reject secure cookies over plain HTTP, except on the same
 * machine.
 */
function InsecureNotice() {
  const { hostname, port } = location;
  const at = port || '80';
  return (
    <div className="flex flex-col gap-4">
      <Notice kind="warning" title={signIn.insecure.title}>
        {signIn.insecure.description}
      </Notice>
      <CodeBlock label={signIn.insecure.tunnel} code={`ssh -L ${at}:127.0.0.1:${at} ${hostname}`} />
      <p className="text-13 text-soft">{signIn.insecure.openThen(`http://127.0.0.1:${at}`)}</p>
    </div>
  );
}
