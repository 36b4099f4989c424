import { useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Move } from './move-page.tsx';

const texts = text.moves;

/** The secret is sent each time, because the server does not store it. */
export function MoveForm({ move }: { move: Move | null }) {
  const { values, setValues, bind } = useFields({ source: move?.source ?? '', secret: '', verification_secret: '' });
  const start = useSend('POST /v3/edit/move');
  const submit = () => {
    if (start.isPending) return;
    const { verification_secret, ...params } = values;
    start.mutate(
      { ...params, ...(verification_secret !== '' && { verification_secret }) },
      { onSuccess: () => setValues({ ...values, secret: '', verification_secret: '' }) },
    );
  };
  return (
    <Form onSubmit={submit} className="max-w-130">
      <ErrorNotice error={start.error} />
      <TextField label={texts.fields.source} help={texts.help.source} {...bind('source')} autoComplete="off" />
      <PasswordField label={texts.fields.secret} help={texts.help.secret} {...bind('secret')} />
      <PasswordField
        label={texts.fields.verification_secret}
        help={texts.help.verification_secret}
        isOptional
        {...bind('verification_secret')}
      />
      <div>
        <Button type="submit" look="primary" isPending={start.isPending}>
          {move === null ? texts.start : move.state === 'stopped' ? texts.continue : texts.again}
        </Button>
      </div>
    </Form>
  );
}
