import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { NewPasswordField } from '../../app/new-password-field.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { LinkPage } from './link-page.tsx';
import { PlainLayout } from './plain-layout.tsx';
import { useEnter } from './use-enter.ts';

const setup = text.setup;

/** The page for the first start: the person who sets Usher up becomes its owner. */
export default function SetupPage() {
  return (
    <LinkPage kind="setup">
      {(_, token) => (
        <PlainLayout title={setup.title} intro={setup.intro}>
          <SetupForm token={token} />
        </PlainLayout>
      )}
    </LinkPage>
  );
}

function SetupForm({ token }: { token: string }) {
  const enter = useEnter();
  const { values, bind } = useFields({ name: '', email: '', password: '', product_name: '', domain: '' });
  const { submit, error, isPending } = useRequest(
    () => api('POST /v3/links/setup', { token, ...values, domain: values.domain.trim() || null }),
    (session) => enter(session, '/app'),
  );
  const wrong = fieldErrors(error, {
    name: setup.name,
    email: setup.email,
    password: setup.password,
    product_name: setup.productName,
    domain: setup.domain,
  });
  return (
    <Form onSubmit={submit}>
      {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
      <TextField
        label={setup.name}
        {...bind('name')}
        placeholder={setup.namePlaceholder}
        autoComplete="name"
        error={wrong.name}
        autoFocus
        isRequired
      />
      <TextField
        label={setup.email}
        {...bind('email')}
        type="email"
        autoComplete="username"
        help={setup.emailHelp}
        error={wrong.email}
        isRequired
      />
      <NewPasswordField
        label={setup.password}
        {...bind('password')}
        error={wrong.password}
        about={[values.name, values.email]}
        isRequired
      />
      <hr className="border-line" />
      <TextField
        label={setup.productName}
        {...bind('product_name')}
        placeholder={setup.productPlaceholder}
        autoComplete="organization"
        error={wrong.product_name}
        isRequired
      />
      <TextField
        label={setup.domain}
        {...bind('domain')}
        placeholder={setup.domainPlaceholder}
        autoComplete="off"
        help={setup.domainHelp}
        error={wrong.domain}
        isOptional
      />
      <Button look="primary" type="submit" isPending={isPending}>
        {setup.action}
      </Button>
    </Form>
  );
}
