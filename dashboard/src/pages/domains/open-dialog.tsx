import { AddDomainDialog } from './add-domain-dialog.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { TurnOnDialog } from './turn-on-dialog.tsx';
import type { DomainData } from './use-domain-data.ts';

/** The open dialog, and the record that it is about. */
export type Open =
  | { dialog: 'add' }
  | { dialog: 'add-environment' }
  | { dialog: 'details' | 'turn-on' | 'move'; id: string }
  | { dialog: 'assign'; ids: string[] };

interface OpenDialogProps {
  open: Open;
  data: DomainData;
  onClose: () => void;
  onShow: (host: string) => void;
}

/**
 * Renders the open dialog. It always shows the current state of a domain, because somebody else may change it
 * meanwhile.
 */
export default function OpenDialog({ open, data, onClose, onShow }: OpenDialogProps) {
  const common = { data, onClose };
  if (open.dialog === 'add') return <AddDomainDialog {...common} onShow={onShow} />;
  if (open.dialog === 'add-environment') return <EnvironmentDialog {...common} />;
  if (open.dialog === 'assign') {
    const domains = (data.domains ?? []).filter(({ id }) => open.ids.includes(id));
    return <AssignDialog {...common} domains={domains} />;
  }
  const domain = data.domains?.find(({ id }) => id === open.id);
  if (!domain) return null;
  if (open.dialog === 'details') return <DetailsDialog {...common} domain={domain} />;
  if (open.dialog === 'turn-on') return <TurnOnDialog {...common} domain={domain} />;
  return <MoveDialog {...common} domain={domain} />;
}
