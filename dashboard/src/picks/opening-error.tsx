import type { ReactNode } from 'react';
import { ApiError } from '../api/errors.ts';
import { ErrorNotice } from '../app/error-notice.tsx';
import * as text from '../messages/text.ts';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { NotSavedError } from './use-opening.ts';

const texts = text.pick.page;

/** Why no page was opened. */
export function OpeningError({ error }: { error: unknown }): ReactNode {
  if (error instanceof NotSavedError)
    return (
      <Notice kind="error" title={texts.notSaved}>
        {texts.notSavedHelp}
      </Notice>
    );
  const isAboutDomain =
    error instanceof ApiError && error.status === 422 && /host that is not on/.test(error.messages[0] ?? '');
  if (!isAboutDomain) return <ErrorNotice error={error} />;
  return (
    <Notice kind="error" title={texts.domainOff}>
      {texts.domainOffHelp} <Link href="/app/domains">{texts.domains}</Link>
    </Notice>
  );
}
