import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { ApiError } from '../../api/errors.ts';
import { sessionQuery } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { NewPasswordField } from '../../app/new-password-field.tsx';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type CheckedLink, LinkPage } from './link-page.tsx';
import { PlainLayout } from './plain-layout.tsx';
import { useEnter } from './use-enter.ts';

const join = text.join;
const setup = text.setup;
const signIn = text.signIn;
const roles = text.roles;

/**
 * The page of an invitation: for a new person, a person with a password on this server, or one who has signed in
 * already.
 */
export default function JoinPage() {
  return <LinkPage kind="invite">{(link, token) => <Join link={link} token={token} />}</LinkPage>;
}

function Join({ link, token }: { link: CheckedLink; token: string }) {
  const { data: session, isPending } = useQuery(sessionQuery);
  const [isOther, setOther] = useState(false);
  const title = join.title(link.account?.name ?? '');
  const intro = link.role ? join.intro(roles[link.role].name) : '';
  return (
    <PlainLayout title={title} intro={intro}>
      {session && !isOther ? (
        <JoinSignedIn token={token} name={session.person.name} onOther={() => setOther(true)} />
      ) : (
        !isPending && <JoinForm token={token} />
      )}
    </PlainLayout>
  );
}

function JoinSignedIn({ token, name, onOther }: { token: string; name: string; onOther: () => void }) {
  const enter = useEnter();
  const { submit, error, isPending } = useRequest(
    () => api('POST /v3/links/accept', { token }),
    (session) => enter(session, '/app'),
  );
  return (
    <div className="flex flex-col gap-3">
      <ErrorNotice error={error} />
      <Button look="primary" isPending={isPending} onPress={submit}>
        {join.asYou(name)}
      </Button>
      <Button look="quiet" onPress={onOther}>
        {join.someoneElse}
      </Button>
    </div>
  );
}

function JoinForm({ token }: { token: string }) {
  const enter = useEnter();
  const [who, setWho] = useState<'new' | 'known'>('new');
  const { values, bind } = useFields({ name: '', email: '', password: '' });
  const { name, ...known } = values;
  const { submit, error, isPending } = useRequest(
    () => api('POST /v3/links/accept', who === 'new' ? { token, ...values } : { token, ...known }),
    (session) => enter(session, '/app'),
  );
  const wrong = fieldErrors(error, { name: setup.name, email: signIn.email, password: signIn.password });
  const isWrong = who === 'known' && error instanceof ApiError && error.status === 403;
  const password = { label: signIn.password, ...bind('password'), error: wrong.password, isRequired: true };
  return (
    <Form onSubmit={submit}>
      {isWrong && (
        <Notice kind="error" title={signIn.wrong}>
          {signIn.wrongHelp}
        </Notice>
      )}
      {!isWrong && Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
      <RadioGroup
        label={join.who}
        value={who}
        onChange={setWho}
        options={[
          { value: 'new', label: join.isNew },
          { value: 'known', label: join.isKnown },
        ]}
      />
      {who === 'new' && (
        <TextField
          label={setup.name}
          {...bind('name')}
          help={setup.nameHelp}
          autoComplete="name"
          error={wrong.name}
          isRequired
        />
      )}
      <TextField
        label={signIn.email}
        {...bind('email')}
        type="email"
        autoComplete="username"
        error={wrong.email}
        isRequired
      />
      {who === 'new' ? (
        <NewPasswordField {...password} about={[name, values.email]} />
      ) : (
        <PasswordField {...password} />
      )}
      <Button look="primary" type="submit" isPending={isPending}>
        {join.action}
      </Button>
    </Form>
  );
}
