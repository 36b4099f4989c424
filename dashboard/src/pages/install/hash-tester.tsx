import { useState } from 'react';
import { api, type ResponseOf } from '../../api/api.ts';
import { fieldErrors } from '../../api/describe-error.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Form, useFields } from '../../app/form.tsx';
import { useRequest } from '../../app/use-request.ts';
import { formatExactTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextField } from '../../ui/text-field.tsx';

const { tester } = text.install;
type Outcome = ResponseOf<'POST /v3/analyze/identity_checks'>['identity_check'];

/** Says whether a hash from the customer's backend is right, and if not, why. */
export function HashTester() {
  const { values, bind } = useFields({ uid: '', hash: '', email: '', company_uid: '' });
  const [isIdentity, setIdentity] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const { uid, hash, email, company_uid } = values;
  const { submit, error, isPending } = useRequest(
    () =>
      api(
        'POST /v3/analyze/identity_checks',
        isIdentity
          ? { uid, identity_hash: hash, email: email || null, company_uid: company_uid || null }
          : { uid, uid_hash: hash },
      ),
    ({ identity_check }) => setOutcome(identity_check),
  );
  const wrong = fieldErrors(error, { uid: tester.uid });
  return (
    <div className="flex flex-col gap-3 rounded-6 border border-line bg-ground p-4">
      <div>
        <h3 className="font-semibold">{tester.title}</h3>
        <p className="text-13 text-soft">{tester.intro}</p>
      </div>
      <Form onSubmit={submit} className="gap-3">
        <div className="grid items-start gap-3 @lg:grid-cols-[1fr_2fr]">
          <TextField label={tester.uid} {...bind('uid')} autoComplete="off" error={wrong.uid} />
          <TextField label={tester.hash} {...bind('hash')} autoComplete="off" spellCheck="false" />
        </div>
        <Checkbox label={tester.more} isSelected={isIdentity} onChange={setIdentity} />
        {isIdentity && (
          <div className="grid items-start gap-3 @lg:grid-cols-2">
            <TextField label={tester.email} {...bind('email')} autoComplete="off" isOptional />
            <TextField label={tester.company} {...bind('company_uid')} autoComplete="off" isOptional />
          </div>
        )}
        {wrong.uid === undefined && <ErrorNotice error={error} />}
        <div>
          <Button type="submit" isPending={isPending}>
            {tester.action}
          </Button>
          <div role="status" className="not-empty:pt-3">
            {outcome && error === undefined && <OutcomeNotice outcome={outcome} />}
          </div>
        </div>
      </Form>
    </div>
  );
}

function OutcomeNotice({ outcome: { valid, message, valid_until } }: { outcome: Outcome }) {
  if (!valid || valid_until === null)
    return (
      <Notice kind="warning" title={tester.wrong}>
        {message}
      </Notice>
    );
  return (
    <Notice kind="done" title={tester.right}>
      {tester.rightHelp(formatExactTime(new Date(valid_until)))}
    </Notice>
  );
}
