import { useInstallation } from '../../api/installation.ts';
import { ErrorNotice } from '../../app/error-notice.tsx';
import { Page } from '../../app/page.tsx';
import * as text from '../../messages/text.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CheckSection } from './check-section.tsx';
import { HostsSection } from './hosts-section.tsx';
import { IdentitySection } from './identity-section.tsx';
import { LogSection } from './log-section.tsx';
import { IdentifySection, PolicySection, SnippetSection } from './snippet-section.tsx';
import { TrustSection } from './trust-section.tsx';

const install = text.install;

export default function InstallPage() {
  const { data, error } = useInstallation();
  const installation = data?.installation;
  return (
    <Page title={install.title} intro={install.intro}>
      {!installation && <ErrorNotice error={error} />}
      {installation ? (
        <>
          <CheckSection installation={installation} />
          <SnippetSection installation={installation} />
          <IdentifySection />
          <PolicySection installation={installation} />
          <LogSection entries={installation.entries} />
          <HostsSection hosts={installation.hosts} />
          <IdentitySection installation={installation} />
          <TrustSection isOn={installation.trust_pages} />
        </>
      ) : (
        !error && <LoadingSections />
      )}
    </Page>
  );
}

/** A skeleton that is about as high as the first two sections. */
function LoadingSections() {
  return (
    <div role="status" aria-label={text.ui.loading(install.title)} className="flex flex-col gap-6">
      {[120, 380].map((height) => (
        <div key={height} className="flex flex-col gap-3 rounded-10 border border-line bg-surface p-5">
          <Skeleton width="40%" height={20} />
          <Skeleton height={height} />
        </div>
      ))}
    </div>
  );
}
