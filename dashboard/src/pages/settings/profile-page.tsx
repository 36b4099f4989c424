import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { invalidate } from '../../api/nouns.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { NewPasswordField } from '../../app/new-password-field.tsx';
import { Page, Section } from '../../app/page.tsx';
import { useUnsavedChanges } from '../../app/unsaved-changes.ts';
import { useRequest } from '../../app/use-request.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';

export default function ProfilePage() {
  return (
    <Page title={text.profile.title} intro={text.profile.intro}>
      <ProfileForm />
      <PasswordForm />
    </Page>
  );
}

function ProfileForm() {
  const { person } = useSession();
  const client = useQueryClient();
  const { name, email, save, saved, detailsTitle } = text.profile;
  const { values, bind } = useFields({ name: person.name, email: person.email });
  const changed = {
    ...(values.name !== person.name && { name: values.name }),
    ...(values.email !== person.email && { email: values.email }),
  };
  useUnsavedChanges(Object.keys(changed).length > 0);
  const { submit, error, isPending } = useRequest(
    () => api('PATCH /v3/person', changed),
    async () => {
      await invalidate(client, 'session');
      showToast({ title: saved });
    },
  );
  const wrong = fieldErrors(error, { name, email });
  return (
    <Section title={detailsTitle}>
      <Form onSubmit={submit}>
        {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
        <div className="grid gap-4 @lg:grid-cols-2">
          <TextField label={name} {...bind('name')} error={wrong.name} autoComplete="name" />
          <TextField label={email} {...bind('email')} error={wrong.email} type="email" autoComplete="email" />
        </div>
        <div>
          <Button look="primary" type="submit" isPending={isPending} isDisabled={Object.keys(changed).length === 0}>
            {save}
          </Button>
        </div>
      </Form>
    </Section>
  );
}

const noPasswords = { current_password: '', password: '' };

function PasswordForm() {
  const { person } = useSession();
  const client = useQueryClient();
  const texts = text.profile;
  const { values, setValues, bind } = useFields(noPasswords);
  const { submit, error, isPending } = useRequest(
    () => api('PATCH /v3/person', values),
    () => {
      setValues(noPasswords);
      void invalidate(client, 'sessions');
      showToast({ title: texts.passwordSaved, description: texts.passwordSavedHelp });
    },
  );
  const wrong = fieldErrors(error, { current_password: texts.currentPassword, password: texts.newPassword });
  return (
    <Section title={texts.passwordTitle} intro={texts.passwordIntro}>
      <Form onSubmit={submit}>
        {Object.keys(wrong).length === 0 && <ErrorNotice error={error} />}
        <input type="email" name="email" autoComplete="username" value={person.email} readOnly hidden />
        <div className="grid gap-4 @lg:grid-cols-2">
          <PasswordField label={texts.currentPassword} {...bind('current_password')} error={wrong.current_password} />
          <NewPasswordField
            label={texts.newPassword}
            {...bind('password')}
            error={wrong.password}
            about={[person.name, person.email]}
          />
        </div>
        <div>
          <Button
            look="primary"
            type="submit"
            isPending={isPending}
            isDisabled={values.password === '' || values.current_password === ''}
          >
            {texts.savePassword}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
