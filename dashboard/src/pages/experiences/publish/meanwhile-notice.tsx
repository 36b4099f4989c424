import { netChanges } from '@usher/domain/sentences';
import { useMemo } from 'react';
import { useSession } from '../../../api/session.ts';
import type { Change } from '../../../changes/change.ts';
import { SentenceList } from '../../../changes/change-sentences.tsx';
import { sentencesOf } from '../../../changes/sentences.ts';
import { useNames } from '../../../changes/use-names.ts';
import * as text from '../../../messages/text.ts';
import { Notice } from '../../../ui/notice.tsx';

const texts = text.publish.meanwhile;

/** Says who has changed the Experience since the dialog was opened, and what they changed. */
export function MeanwhileNotice({ changes, kind }: { changes: readonly Change[]; kind: string }) {
  const { user } = useSession();
  const nameOf = useNames(changes);
  const sentences = useMemo(() => sentencesOf(netChanges(changes), kind, nameOf), [changes, kind, nameOf]);
  const author = changes.find((change) => change.user && change.user.id !== user.id)?.user;
  return (
    <Notice kind="error" title={texts.title(author?.name || texts.somebody)}>
      <p className="pb-2">{texts.text}</p>
      <SentenceList sentences={sentences} />
    </Notice>
  );
}
