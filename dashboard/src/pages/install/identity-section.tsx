import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import type { Installation } from '../../api/installation.ts';
import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { cx } from '../../ui/cx.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { HashTester } from './hash-tester.tsx';
import { signing } from './snippets.ts';

const { identity } = text.install;

/** How the customer's backend proves who the user is: the secret, the code, and a test of the hash. */
export function IdentitySection({ installation }: { installation: Installation }) {
  const { can } = useSession();
  const { has_uid_secret: hasSecret, require_uid_hash: isRequired } = installation;
  const Icon = hasSecret ? ShieldCheck : ShieldOff;
  return (
    <Section title={identity.title} intro={identity.intro}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="flex items-start gap-2 text-14">
          <Icon size={20} aria-hidden className={cx('shrink-0', hasSecret ? 'text-good' : 'text-faint')} />
          <span>
            {hasSecret ? identity.hasSecret : identity.noSecret} {isRequired && identity.required}
          </span>
        </p>
        {can('own') ? (
          <SecretButton hasSecret={hasSecret} />
        ) : (
          <span className="text-13 text-soft">{identity.ownersOnly}</span>
        )}
      </div>
      <Tabs
        label={identity.languagesLabel}
        tabs={signing.map(({ id, label, code }) => ({
          id,
          label,
          content: <CodeBlock label={identity.serverLabel} code={code} />,
        }))}
      />
      <CodeBlock label={identity.pageLabel} code={identity.pageCode} />
      <p className="text-13 text-soft">{identity.validity}</p>
      {can('edit') && <HashTester />}
    </Section>
  );
}

/**
 * Creates the secret, or replaces it after a typed confirmation, because hashes of the old secret are rejected from
 * then on.
 */
function SecretButton({ hasSecret }: { hasSecret: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = useSend('POST /v3/edit/account/uid_secret', ['installation']);
  const run = () => {
    setAsking(false);
    create.mutate({}, { onSuccess: ({ uid_secret }) => setSecret(uid_secret), onError: showError });
  };
  return (
    <>
      <Button size="small" isPending={create.isPending} onPress={() => (hasSecret ? setAsking(true) : run())}>
        {hasSecret ? identity.replaceSecret : identity.createSecret}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={identity.replaceTitle}
        description={identity.replaceIntro}
        phrase={identity.replacePhrase}
        action={identity.replaceSecret}
        onConfirm={run}
      />
      <Dialog
        isOpen={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={identity.secretTitle}
        description={identity.secretIntro}
        size="medium"
        keepsOpen
        buttons={
          <Button look="primary" onPress={() => setSecret(undefined)}>
            {identity.secretDone}
          </Button>
        }
      >
        <CodeBlock label={identity.secretLabel} code={secret ?? ''} />
      </Dialog>
    </>
  );
}
