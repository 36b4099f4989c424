import { useQueryClient } from '@tanstack/react-query';
import { api, type ResponseOf } from '../../api/api.ts';
import { invalidate } from '../../api/nouns.ts';
import { query } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { EditForm } from '../../app/edit-form.tsx';
import { Section } from '../../app/page.tsx';
import { type EditForm as EditFormState, useEditForm } from '../../app/use-edit-form.ts';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { TestUserList } from './test-user-list.tsx';

type Account = ResponseOf<'GET /v3/edit/account'>['account'];

const texts = text.account;

/** The values of the form. */
const valuesOf = (account: Account) => ({
  name: account.name,
  delivery_ids_limit: String(account.delivery_ids_limit),
  allow_scripts: account.allow_scripts,
  allow_globals: account.allow_globals,
  allow_percent: account.allow_percent,
  require_uid_hash: account.require_uid_hash,
  trust_pages: account.trust_pages,
  anonymous_users: account.anonymous_users,
  anonymous_days: String(account.anonymous_days),
  time_zone: account.time_zone,
  test_emails: account.test_emails.join('\n'),
  updated_at: account.updated_at,
});
type Values = Omit<ReturnType<typeof valuesOf>, 'updated_at'>;

const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

const toLines = (value: string) => value.split(/[\n,]/).flatMap((line) => line.trim() || []);
const describe = (_: string, value: unknown) =>
  typeof value === 'boolean' ? text.forms[value ? 'yes' : 'no'] : String(value).replaceAll('\n', ', ');

export function AccountForm({ account }: { account: Account }) {
  const client = useQueryClient();
  const { can } = useSession();
  const isReadOnly = !can('own');
  const form = useEditForm<Values>({
    saved: valuesOf(account),
    labels: texts.fields,
    send: ({ delivery_ids_limit: limit, anonymous_days: days, test_emails: emails, ...changed }) =>
      api('PATCH /v3/edit/account', {
        ...changed,
        ...(limit !== undefined && { delivery_ids_limit: Number(limit) }),
        ...(days !== undefined && { anonymous_days: Number(days) }),
        ...(emails !== undefined && { test_emails: toLines(emails) }),
      }),
    reload: async () => {
      const loaded = await client.fetchQuery({ ...query('GET /v3/edit/account'), staleTime: 0 });
      void invalidate(client, 'session');
      return valuesOf(loaded.account);
    },
  });
  const fields = <AccountFields account={account} form={form} isReadOnly={isReadOnly} />;
  if (!isReadOnly)
    return (
      <EditForm form={form} action={texts.save} describe={describe}>
        {fields}
      </EditForm>
    );
  return (
    <div className="flex flex-col gap-6">
      <Notice>{texts.readOnly}</Notice>
      {fields}
    </div>
  );
}

interface AccountFieldsProps {
  account: Account;
  form: EditFormState<Values>;
  isReadOnly: boolean;
}

function AccountFields({ account, form: { values, set, wrong }, isReadOnly }: AccountFieldsProps) {
  const box = (
    name: 'allow_scripts' | 'allow_globals' | 'allow_percent' | 'require_uid_hash' | 'trust_pages' | 'anonymous_users',
  ) => ({
    label: texts.fields[name],
    isSelected: values[name],
    onChange: (value: boolean) => set(name, value),
    isDisabled: isReadOnly,
  });
  return (
    <>
      <Section title={texts.identity.title}>
        <TextField
          label={texts.fields.name}
          help={texts.identity.nameHelp}
          value={values.name}
          onChange={(value) => set('name', value)}
          error={wrong.name}
          isReadOnly={isReadOnly}
        />
        <div className="flex flex-col gap-1">
          <CodeBlock label={texts.identity.token} code={account.token} />
          <p className="text-13 text-soft">{texts.identity.tokenHelp}</p>
        </div>
      </Section>
      <Section title={texts.delivery.title}>
        <TextField
          label={texts.fields.delivery_ids_limit}
          help={texts.delivery.help}
          value={values.delivery_ids_limit}
          onChange={(value) => set('delivery_ids_limit', value)}
          error={wrong.delivery_ids_limit}
          inputMode="numeric"
          isReadOnly={isReadOnly}
          className="[&_input]:max-w-24"
        />
      </Section>
      <Section title={texts.code.title}>
        <Checkbox {...box('allow_scripts')} help={texts.code.help} />
        <Risk shows={values.allow_scripts && !account.allow_scripts} {...texts.code} />
        {!values.allow_scripts && account.allow_scripts && (
          <Notice title={texts.code.offTitle}>{texts.code.off}</Notice>
        )}
        <Checkbox {...box('allow_globals')} help={texts.pageValues.help} />
        <Risk shows={values.allow_globals && !account.allow_globals} {...texts.pageValues} />
      </Section>
      <Section title={texts.pages.title} intro={texts.pages.intro}>
        <Checkbox {...box('require_uid_hash')} help={texts.pages.requireHelp} />
        {values.require_uid_hash && !account.require_uid_hash && (
          <Notice kind="warning">{texts.pages.requireRisk}</Notice>
        )}
        <Checkbox {...box('trust_pages')} help={texts.pages.trustHelp} />
        <Risk shows={values.trust_pages} riskTitle={texts.pages.trustRiskTitle} risk={texts.pages.trustRisk} />
        <Checkbox {...box('allow_percent')} help={texts.pages.percentHelp} />
        <IgnoredWrites counts={account.ignored_page_writes} />
      </Section>
      <Section title={texts.anonymous.title} intro={texts.anonymous.intro}>
        <Checkbox {...box('anonymous_users')} help={texts.anonymous.help} />
        {values.anonymous_users && values.require_uid_hash && <Notice kind="warning">{texts.anonymous.hashes}</Notice>}
        <TextField
          label={texts.fields.anonymous_days}
          help={texts.anonymous.daysHelp}
          value={values.anonymous_days}
          onChange={(value) => set('anonymous_days', value)}
          error={wrong.anonymous_days}
          inputMode="numeric"
          isReadOnly={isReadOnly}
          className="[&_input]:max-w-24"
        />
      </Section>
      <Section title={texts.results.title}>
        <ComboBox
          label={texts.fields.time_zone}
          help={texts.results.help}
          options={timeZones.map((value) => ({ value, label: value }))}
          value={values.time_zone}
          onChange={(value) => value !== null && set('time_zone', value)}
          error={wrong.time_zone}
          isDisabled={isReadOnly}
          className="max-w-80"
        />
      </Section>
      <Section title={texts.testUsers.title} intro={texts.testUsers.intro}>
        <TextArea
          label={texts.fields.test_emails}
          help={texts.testUsers.help}
          placeholder={texts.testUsers.placeholder}
          value={values.test_emails}
          onChange={(value) => set('test_emails', value)}
          error={wrong.test_emails}
          isReadOnly={isReadOnly}
        />
        <TestUserList patterns={account.test_emails} />
      </Section>
    </>
  );
}

function Risk({ shows, riskTitle, risk }: { shows: boolean; riskTitle: string; risk: string }) {
  return (
    shows && (
      <Notice kind="warning" title={riskTitle}>
        {risk}
      </Notice>
    )
  );
}

/** How many values from pages were not stored, and why. */
function IgnoredWrites({ counts }: { counts: Account['ignored_page_writes'] }) {
  const found = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one);
  if (found.length === 0) return null;
  const total = found.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-4 text-13">
      <p className="font-medium">{texts.pages.ignored(formatNumber(total))}</p>
      <ul className="text-soft">
        {found.map(([reason, count]) => (
          <li key={reason} className="flex gap-2">
            <span className="min-w-12 text-right tabular-nums">{formatNumber(count)}</span>
            {texts.pages.reasons[reason] ?? reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
