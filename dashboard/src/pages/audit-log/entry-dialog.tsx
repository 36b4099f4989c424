import type { ReactNode } from 'react';
import { formatExactTime } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { describeDetail, describeEntry, describeVia, type Entry } from './describe-entry.ts';

const auditLog = text.auditLog;
const { details: texts } = auditLog;

interface EntryDialogProps {
  entry: Entry | undefined;
  secretNames: ReadonlyMap<string, string>;
  onClose: () => void;
}

/** Everything that is recorded of one entry. */
export function EntryDialog({ entry, secretNames, onClose }: EntryDialogProps) {
  return (
    <Dialog
      isOpen={entry !== undefined}
      onClose={onClose}
      size="medium"
      title={texts.title}
      buttons={
        <Button look="primary" onPress={onClose} autoFocus>
          {text.ui.close}
        </Button>
      }
    >
      {entry && <EntryDetails entry={entry} via={describeVia(entry, secretNames)} />}
    </Dialog>
  );
}

function EntryDetails({ entry, via }: { entry: Entry; via: string }) {
  const { subject, rest } = describeEntry(entry);
  const details = Object.entries(entry.details);
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-2 text-13">
      <Fact label={texts.what}>{`${subject} ${rest}`}</Fact>
      <Fact label={texts.who}>{entry.user ? `${entry.user.name} (${entry.user.email})` : auditLog.commandLine}</Fact>
      <Fact label={texts.when}>{formatExactTime(new Date(entry.created_at))}</Fact>
      <Fact label={texts.via}>{via}</Fact>
      <Fact label={texts.network}>{entry.network ?? auditLog.noNetwork}</Fact>
      <Fact label={texts.action}>
        <code className="font-mono">{entry.action}</code>
      </Fact>
      {entry.target_id !== null && (
        <Fact label={texts.target}>
          <code className="font-mono">
            {entry.target_type} {entry.target_id}
          </code>
        </Fact>
      )}
      {details.map(([name, value]) => (
        <Fact key={name} label={name.replaceAll('_', ' ')}>
          {describeDetail(value)}
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0">
        <bdi>{children}</bdi>
      </dd>
    </>
  );
}
