import { useSend } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { Section } from '../../app/page.tsx';
import { showError } from '../../app/show-error.ts';
import * as text from '../../messages/text.ts';
import { Switch } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';

const { trust } = text.install;

/** Whether pages are trusted without proof, and what that risks. */
export function TrustSection({ isOn }: { isOn: boolean }) {
  const { can } = useSession();
  const change = useSend('PATCH /v3/edit/account', ['installation']);
  const set = (trust_pages: boolean) =>
    change.mutate(
      { trust_pages },
      {
        onSuccess: () => showToast({ title: trust_pages ? trust.turnedOn : trust.turnedOff }),
        onError: showError,
      },
    );
  return (
    <Section title={trust.title} intro={isOn ? trust.on : trust.off}>
      <Notice kind={isOn ? 'warning' : 'info'}>{trust.risk}</Notice>
      {can('own') ? (
        <Switch label={trust.label} isSelected={isOn} isDisabled={change.isPending} onChange={set} />
      ) : (
        <p className="text-13 text-soft">{trust.ownersOnly}</p>
      )}
    </Section>
  );
}
