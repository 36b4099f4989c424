import { useQuery } from '@tanstack/react-query';
import { publishers } from '@usher/domain';
import type { ResponseOf } from '../../api/api.ts';
import { query, useSend } from '../../api/queries.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import { showUndo } from '../../app/show-undo.ts';
import * as text from '../../messages/text.ts';
import { RadioGroup } from '../../ui/choice.tsx';
import { showToast } from '../../ui/toast.tsx';

type Publishers = ResponseOf<'GET /v3/edit/account'>['account']['who_may_publish'];

const { publishing } = text.team;

export const accountQuery = query('GET /v3/edit/account');

/** Whether editors publish, or owners only. A change takes effect immediately. */
export function Publishing() {
  const { data, error } = useQuery(accountQuery);
  const update = useSend('PATCH /v3/edit/account', ['session']);
  const undo = async (value: Publishers, updated_at: string) => {
    await update.mutateAsync({ who_may_publish: value, updated_at });
    showToast({ title: publishing.saved[value] });
  };
  const send = (value: Publishers, before: Publishers) =>
    update.mutate(
      { who_may_publish: value },
      {
        onSuccess: ({ account: { updated_at } }) =>
          showUndo({ title: publishing.saved[value], about: ['account'], undo: () => undo(before, updated_at) }),
        onError: showError,
      },
    );
  const saved = data?.account.who_may_publish;
  const value = update.isPending ? update.variables.who_may_publish : saved;
  return (
    <Section title={publishing.title} intro={publishing.intro}>
      <ErrorNotice error={error} />
      <RadioGroup
        label={publishing.label}
        value={value ?? null}
        onChange={(value) => saved && send(value, saved)}
        isDisabled={!data}
        options={publishers.map((value) => ({ value, label: publishing.options[value] }))}
      />
    </Section>
  );
}
